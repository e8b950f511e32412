"""Drawing cards. A deck is how many cards of each kind are left in it; chance draws one of them all."""

from parlour.engine import below, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.state import ITEM_KINDS
from parlour.games.mazerunner.state.decks import CARDS, FIRST, ITEM_DECK, KINDS, MONSTER_DECK
from parlour.games.mazerunner.state.decks.packing import BITS

NO_CARD = -1


@rule
def draw(state, deck, chance, journal):
    """Clause 5: a card of the deck; of its reshuffled discards, when the deck is empty; none when both are."""
    cards = cards_in(state, deck)
    if cards == 0:
        cards = reshuffle(state, deck, journal)
        if cards == 0:
            return NO_CARD
    first = FIRST[deck]
    place = below(chance, cards)
    kind = 0
    while place >= state.deck[first + kind]:
        place -= state.deck[first + kind]
        kind += 1
    state.deck[first + kind] -= 1
    return kind


@rule
def cards_in(state, deck):
    """Clause 5: how many cards are left in a deck."""
    cards = 0
    for place in range(FIRST[deck], FIRST[deck] + KINDS[deck]):
        cards += state.deck[place]
    return cards


@rule
def has_card(state, deck):
    """Clause 5: a card is left in the deck or among its discards."""
    for place in range(FIRST[deck], FIRST[deck] + KINDS[deck]):
        if state.deck[place] + state.discards[place] > 0:
            return True
    return False


@rule
def reshuffle(state, deck, journal):
    """Clause 5: the discards become the deck; returns how many there were."""
    for place in range(FIRST[deck], FIRST[deck] + KINDS[deck]):
        state.deck[place] = state.discards[place]
        state.discards[place] = 0
    cards = cards_in(state, deck)
    if journal is not None:
        journal.append(events.Reshuffled(deck) if cards else events.NoCardLeft(deck))
    return cards


@rule
def discard(state, deck, kind):
    """Clause 5: a used card goes to the discards."""
    state.discards[FIRST[deck] + kind] += 1


@rule
def unpack(packed, place):
    """Clauses 25, 27 and 34: one number of a line of a table."""
    return packed >> BITS * place & (1 << BITS) - 1


@rule
def card_check(state):
    """Clause 5: no card is ever lost. The sum over all cards wherever they are, each by the number of its kind."""
    total = 0
    for place in range(len(CARDS)):
        total += (place + 1) * (state.deck[place] + state.discards[place])
    for place in range(3):
        if state.shop[place] != NO_CARD:
            total += FIRST[ITEM_DECK] + state.shop[place] + 1
    for place in range(state.seats * ITEM_KINDS):
        total += (FIRST[ITEM_DECK] + place % ITEM_KINDS + 1) * state.items[place]
    for monster in range(state.lurking):
        total += FIRST[MONSTER_DECK] + state.monster_kind[monster] + 1
    return total
