"""The shop: three open item cards, and trading."""

from parlour.engine import rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import BUY, END, TRADE
from parlour.games.mazerunner.rules.cards import NO_CARD, draw, has_card, unpack
from parlour.games.mazerunner.rules.runner import gain, take_item
from parlour.games.mazerunner.state import RESOURCES
from parlour.games.mazerunner.state.decks import ITEM_DECK, items

OPEN_CARDS = 3
TRADE_GIVES = 3


@rule
def legal_shopping(state, actions):
    """Clauses 34 and 35: whatever can be paid for; and to end the turn."""
    first = state.to_move * RESOURCES
    count = 0
    for place in range(OPEN_CARDS):
        if can_buy(state, place):
            actions[count] = BUY + place
            count += 1
    for given in range(RESOURCES):
        if state.resources[first + given] >= TRADE_GIVES:
            for taken in range(RESOURCES):
                if taken != given:
                    actions[count] = TRADE + RESOURCES * given + taken
                    count += 1
    actions[count] = END
    return count + 1


@rule
def can_buy(state, place):
    """Clause 34: a card lies there, and the seat has its price."""
    item = state.shop[place]
    if item == NO_CARD:
        return False
    price = items.PRICE[item]
    for resource in range(RESOURCES):
        if state.resources[state.to_move * RESOURCES + resource] < unpack(price, resource):
            return False
    return True


@rule
def buy(state, place, chance, journal):
    """Clause 34: pay, take the card, and the next one of the deck takes its place."""
    seat = state.to_move
    item = int(state.shop[place])
    price = items.PRICE[item]
    for resource in range(RESOURCES):
        state.resources[seat * RESOURCES + resource] -= unpack(price, resource)
    take_item(state, seat, item)
    if journal is not None:
        journal.append(events.Bought(seat, item))
    lay_open(state, place, chance, journal)


@rule
def lay_open(state, place, chance, journal):
    """Clauses 4 and 34: an item card from the deck, if one is left."""
    item = draw(state, ITEM_DECK, chance, journal)
    state.shop[place] = item
    if journal is not None:
        journal.append(events.LaidOpen(place, item))


@rule
def refill(state, chance, journal):
    """Clause 34: a place that stayed empty is filled as soon as there is a card again."""
    for place in range(OPEN_CARDS):
        if state.shop[place] == NO_CARD and has_card(state, ITEM_DECK):
            lay_open(state, place, chance, journal)


@rule
def trade(state, choice, journal):
    """Clause 35: three of one resource for one of another."""
    seat = state.to_move
    given = choice // RESOURCES
    taken = choice % RESOURCES
    state.resources[seat * RESOURCES + given] -= TRADE_GIVES
    gain(state, seat, taken, 1)
    if journal is not None:
        journal.append(events.Traded(seat, given, taken))
