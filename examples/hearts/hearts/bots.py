"""Who plays Hearts: ``thumb``, which goes by rules of thumb, and the search, whose playouts go by the same rules."""

from hearts.state import (
    FIRST,
    GONE,
    HEARTS,
    PASS,
    PASSES,
    QUEEN_OF_SPADES,
    RANKS,
    SEATS,
    SECOND,
    SPADES,
    THIRD,
    count_of,
    led_suit,
    nth_card,
    suit_of,
    worth,
)
from parlour.engine import UNKNOWN, rule
from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.bots import Bots, Decision

NEVER = -10_000
POINT = 12  # of a thousand, how much worse a point more than the others makes a position
REST_OF_DEAL = 56  # plies


@rule
def evaluate(state, seat):
    """How good the points of the deals that are over are for the seat: level with the others is one half."""
    others = 0
    for other in range(SEATS):
        if other != seat:
            others += state.total[other]
    worse = state.total[seat] - others // 3
    return min(CERTAIN, max(0, CERTAIN // 2 - POINT * worse))


@rule
def wish_to_pass(state, seat, card):
    """High cards go, from short suits first; of spades the highest three, where not enough lower ones guard them."""
    suit, rank = suit_of(card), card % RANKS
    length = count_of(state, seat, suit)
    if suit == SPADES:
        if card < QUEEN_OF_SPADES:
            return -20
        return 100 + rank if length < 5 else 0
    if suit == HEARTS:
        return 4 * rank
    return 3 * rank + 6 * max(0, 4 - length)


@rule
def choose_pass(state, seat):
    """The three cards that the seat wants to be rid of most."""
    best, most = 0, 4 * NEVER
    for number in range(PASSES):
        wish = (
            wish_to_pass(state, seat, nth_card(state, seat, FIRST[number]))
            + wish_to_pass(state, seat, nth_card(state, seat, SECOND[number]))
            + wish_to_pass(state, seat, nth_card(state, seat, THIRD[number]))
        )
        if wish > most:
            best, most = number, wish
    return PASS + best


@rule
def winning_card(state):
    """The card that takes the trick so far."""
    suit, best = led_suit(state), UNKNOWN
    for seat in range(SEATS):
        card = state.trick[seat] - 1
        if card >= 0 and suit_of(card) == suit and card > best:
            best = card
    return best


@rule
def trick_points(state):
    points = 0
    for seat in range(SEATS):
        if state.trick[seat] > 0:
            points += worth(state.trick[seat] - 1)
    return points


@rule
def wish_to_lead(state, seat, card):
    """Low cards; spades below the queen while somebody else has her, and never her or what she falls on."""
    suit, rank = suit_of(card), card % RANKS
    is_out = state.holder[QUEEN_OF_SPADES] != GONE
    if suit == SPADES and is_out:
        if card >= QUEEN_OF_SPADES:
            return -100 - rank
        return 20 - rank if state.holder[QUEEN_OF_SPADES] != seat else -30 - rank
    return -2 * rank - count_of(state, seat, suit)


@rule
def wish_to_follow(state, seat, card):
    """Below what takes the trick, as high as can be; else low, or high where it is the last card and costs nothing."""
    winning, rank = winning_card(state), card % RANKS
    if card < winning:
        return 100 + rank + (100 if card == QUEEN_OF_SPADES else 0)
    if card == QUEEN_OF_SPADES:
        return -100
    is_last, played = False, 0
    for other in range(SEATS):
        played += int(state.trick[other] > 0)
    is_last = played == SEATS - 1
    if is_last and trick_points(state) == 0:
        return 100 + rank
    return rank if is_last else 20 - rank


@rule
def wish_to_discard(state, seat, card):
    """The queen of spades; ace and king of spades while she is out; high hearts; then high cards of short suits."""
    suit, rank = suit_of(card), card % RANKS
    if card == QUEEN_OF_SPADES:
        return 200
    if suit == SPADES and card > QUEEN_OF_SPADES and state.holder[QUEEN_OF_SPADES] != GONE:
        return 100 + rank
    if suit == HEARTS:
        return 50 + rank
    return 2 * rank + max(0, 4 - count_of(state, seat, suit))


@rule
def thumb(state, actions, count, chance):
    """What the rules of thumb choose. They look at nothing but the seat's hand and what was played."""
    if count == 1:
        return actions[0]
    seat, suit = state.to_move, led_suit(state)
    if actions[0] >= PASS:
        return choose_pass(state, seat)
    best, most = actions[0], NEVER
    for place in range(count):
        card = actions[place]
        if suit == UNKNOWN:
            wish = wish_to_lead(state, seat, card)
        elif suit_of(card) == suit:
            wish = wish_to_follow(state, seat, card)
        else:
            wish = wish_to_discard(state, seat, card)
        if wish > most:
            best, most = card, wish
    return best


class Thumb:
    """The bot that goes by these rules."""

    def choose(self, decision: Decision) -> int:
        return int(thumb(decision.state, decision.legal, len(decision.legal), decision.chance))


BOTS = Bots(advice=Advice(evaluate=evaluate, policy=thumb, depth=REST_OF_DEAL), own={"thumb": Thumb})
