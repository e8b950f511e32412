"""A runner: hit points, resources, items, map pieces."""

from parlour.engine import end_match, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import CHOOSE
from parlour.games.mazerunner.rules.cards import discard, unpack
from parlour.games.mazerunner.state import ITEM_KINDS, RESOURCES
from parlour.games.mazerunner.state.decks import ITEM_DECK, items

MOST_HP = 50
MOST_OF_A_RESOURCE = 99
MAPS_TO_WIN = 10
POTION_HP = 20


@rule
def is_alive(state, seat):
    """Clause 1: at 0 hp a runner is out."""
    return state.hp[seat] > 0


@rule
def has_item(state, seat, item):
    """Clause 38: the seat holds at least one such card."""
    return state.items[seat * ITEM_KINDS + item] > 0


@rule
def bonus(state, seat, kind):
    """Clause 38: what the cards of the seat add up to."""
    return state.bonus[seat * items.BONUSES + kind]


@rule
def take_item(state, seat, item):
    """Clause 38: the card is the seat's, and so is what it adds."""
    state.items[seat * ITEM_KINDS + item] += 1
    worth = items.WORTH[item]
    for kind in range(items.BONUSES):
        state.bonus[seat * items.BONUSES + kind] += unpack(worth, kind)


@rule
def heal(state, seat, points, journal):
    """Clauses 1 and 13: hp come back, up to 50."""
    before = state.hp[seat]
    state.hp[seat] = min(before + points, MOST_HP)
    if journal is not None:
        journal.append(events.Healed(seat, state.hp[seat] - before, state.hp[seat]))


@rule
def can_drink(state, seat):
    """Clause 36: a potion helps whoever is below 50 hp."""
    return state.hp[seat] < MOST_HP and has_item(state, seat, items.POTION)


@rule
def drink(state, seat, journal):
    """Clause 36: a potion gives 20 hp and is used up."""
    use_up(state, seat, items.POTION)
    if journal is not None:
        journal.append(events.Drank(seat))
    heal(state, seat, POTION_HP, journal)


@rule
def use_up(state, seat, item):
    """Clauses 36 and 37: a card that works once goes to the discards. Such cards add nothing."""
    state.items[seat * ITEM_KINDS + item] -= 1
    discard(state, ITEM_DECK, item)


@rule
def lose_everything(state, seat):
    """Clause 39: the items go to the discards, the resources are lost."""
    for item in range(ITEM_KINDS):
        while has_item(state, seat, item):
            use_up(state, seat, item)
    for kind in range(items.BONUSES):
        state.bonus[seat * items.BONUSES + kind] = 0
    for resource in range(RESOURCES):
        state.resources[seat * RESOURCES + resource] = 0


@rule
def gain(state, seat, resource, amount):
    """Clause 1: nobody holds more than 99 of a resource."""
    place = seat * RESOURCES + resource
    state.resources[place] = min(state.resources[place] + amount, MOST_OF_A_RESOURCE)


@rule
def gain_all(state, seat, amounts):
    """Clauses 25 and 27: iron, herbs and gold, as a card gives them."""
    for resource in range(RESOURCES):
        gain(state, seat, resource, unpack(amounts, resource))


@rule
def gain_maps(state, seat, pieces, journal):
    """Clause 40: ten map pieces win at once."""
    state.maps[seat] += pieces
    if journal is not None:
        journal.append(events.FoundMap(seat, pieces, state.maps[seat]))
    if state.maps[seat] >= MAPS_TO_WIN:
        state.phase = CHOOSE
        end_match(state)
        if journal is not None:
            journal.append(events.Escaped(seat))
