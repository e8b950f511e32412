"""The position of Hearts, and what follows from it alone.

Cards are numbered by suit, and within a suit from the two up to the ace:

    clubs     2  3  4  5  6  7  8  9 10  J  Q  K  A      0 to 12
    diamonds  2  3  4  5  6  7  8  9 10  J  Q  K  A     13 to 25
    spades    2  3  4  5  6  7  8  9 10  J  Q  K  A     26 to 38
    hearts    2  3  4  5  6  7  8  9 10  J  Q  K  A     39 to 51
"""

from itertools import combinations

from parlour.engine import UNKNOWN, rule
from parlour.engine.state import i8, i16

SEATS, CARDS, RANKS, HAND = 4, 52, 13, 13
CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
TWO_OF_CLUBS, QUEEN_OF_SPADES = 0, 36
ALL_POINTS = 26  # of a deal: thirteen hearts and the queen
GONE = SEATS  # the holder of a card that was played

# An action below CARDS plays that card. PASS + n passes three cards, by their places in the hand: 0 1 2, 0 1 3, ...
PASS = CARDS
TRIPLES = tuple(combinations(range(HAND), 3))
FIRST, SECOND, THIRD = (tuple(triple[place] for triple in TRIPLES) for place in range(3))
PASSES = len(TRIPLES)
NOT_YET = 0

LEFT, RIGHT, ACROSS, HOLD = range(4)  # where cards are passed to, deal by deal
STEPS = (1, 3, 2, 0)  # how many seats on that is, clockwise

FIELDS = {
    "holder": i8[CARDS],  # the seat that holds each card; 4 played; -1 unknown
    "told": i8[CARDS],  # a bit for each seat that knows who holds the card, since it has passed it on
    "choice": i16[SEATS],  # what each seat passes, counted from 1; 0 not yet; -1 unknown
    "is_passing": i8,  # 1 while cards are passed on
    "trick": i8[SEATS],  # the card that each seat has played to the trick, counted from 1; 0 none
    "leader": i8,  # the seat that leads the trick
    "tricks": i8,  # of this deal, so many are over
    "won_tricks": i8[SEATS],  # of these, so many has each seat taken
    "void": i8[SEATS * 4],  # for each seat, 1 for each suit that it has shown it does not have
    "is_broken": i8,  # 1 once a heart was played in this deal
    "taken": i8[SEATS],  # points of this deal
    "total": i16[SEATS],  # points of the deals before
    "deal": i8,  # the number of this deal, from 0
    "room": i8[SEATS],  # while cards are dealt: how many each seat still gets; else 0
}


@rule
def suit_of(card):
    return card // RANKS


@rule
def worth(card):
    """Clause 10: a heart is one point, and the queen of spades thirteen."""
    if card == QUEEN_OF_SPADES:
        return 13
    return 1 if suit_of(card) == HEARTS else 0


@rule
def count_of(state, seat, suit):
    """How many cards of the suit the seat holds, as far as the position says."""
    count = 0
    for card in range(RANKS * suit, RANKS * suit + RANKS):
        count += int(state.holder[card] == seat)
    return count


@rule
def has_only_hearts(state, seat):
    """Clause 7: whether all that the seat holds are hearts."""
    return count_of(state, seat, CLUBS) + count_of(state, seat, DIAMONDS) + count_of(state, seat, SPADES) == 0


@rule
def has_only_points(state, seat):
    """Clause 8: whether the seat holds nothing but hearts and the queen of spades."""
    count = 0
    for card in range(CARDS):
        count += int(state.holder[card] == seat and worth(card) == 0)
    return count == 0


@rule
def nth_card(state, seat, place):
    """The card in that place of the seat's hand, counted from 0."""
    for card in range(CARDS):
        if state.holder[card] == seat:
            if place == 0:
                return card
            place -= 1
    return UNKNOWN


@rule
def direction(state):
    """Clause 3: left, right, across, not at all; then left again."""
    return state.deal % 4


@rule
def receiver(state, seat):
    """Clause 3: who gets what the seat passes on."""
    return (seat + STEPS[direction(state)]) % SEATS


@rule
def led_suit(state):
    """The suit that was led to the trick; -1 before that."""
    card = state.trick[state.leader]
    return suit_of(card - 1) if card > 0 else UNKNOWN
