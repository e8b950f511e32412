"""Kuhn poker: three cards, one for each of two, and one bet. The smallest game of hidden cards."""

from rich.text import Text

from parlour.engine import UNKNOWN, Event, Game, Glance, Seat, Secret, State, below, event, i8, rule
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal
from parlour.engine.turns import end_match, end_turn

CARDS = ("jack", "queen", "king")
PASS, BET = range(2)
FIELDS = {
    "card": i8[2],  # the card of each seat: 0 jack, 1 queen, 2 king; -1 unknown
    "paid": i8[2],  # the chips of each seat in the pot
}


@event
class Dealt(Event):
    words = "{seat} is dealt the {card}"
    others = "{seat} is dealt a card"
    seat: Seat
    card: Secret[str]


@event
class Passed(Event):
    words = "{seat} passes"
    seat: Seat


@event
class Betted(Event):
    words = "{seat} bets a chip"
    seat: Seat


@event
class Won(Event):
    words = "{seat} wins {chips} from the other"
    seat: Seat
    chips: int


@rule
def setup(state, chance, journal=None):
    """Clause 1: a chip from each, and a card for each of the three."""
    for seat in range(2):
        state.paid[seat] = 1
        state.card[seat] = UNKNOWN
    for seat in range(2):
        state.card[seat] = other_card(state, seat, chance)
        if journal is not None:
            journal.append(Dealt(seat, CARDS[state.card[seat]]))


@rule
def other_card(state, seat, chance):
    """Clause 1: any card that the other seat does not have."""
    taken = state.card[1 - seat]
    if taken == UNKNOWN:
        return below(chance, 3)
    card = below(chance, 2)
    return card + (card >= taken)


@rule
def hide(state, seat):
    """Clause 1: you look at your own card."""
    for other in range(2):
        if other != seat:
            state.card[other] = UNKNOWN


@rule
def imagine(state, seat, chance):
    """Clause 1: each card that is left is as likely as the other."""
    for other in range(2):
        if state.card[other] == UNKNOWN:
            state.card[other] = other_card(state, other, chance)


@rule
def legal(state, actions):
    """Clause 2: pass, or bet."""
    actions[0], actions[1] = PASS, BET
    return 2


@rule
def apply(state, action, chance, journal=None):
    """Clauses 2 to 4: a bet has to be answered by a bet; two passes end the match, and so does a pass after a bet."""
    seat = state.to_move
    is_answer = state.paid[1 - seat] > state.paid[seat] or state.ply == 1
    state.paid[seat] += action
    if journal is not None:
        journal.append(Betted(seat) if action == BET else Passed(seat))
    if is_answer and (action == PASS or state.paid[0] == state.paid[1]):
        end_match(state)
        if journal is not None:
            journal.append(Won(0 if won(state, 0) else 1, max(score(state, 0), score(state, 1))))
    else:
        end_turn(state, 1 - seat)


@rule
def won(state, seat):
    """Clauses 3 and 4: whoever has paid more, or holds the higher card."""
    if state.paid[0] != state.paid[1]:
        return state.paid[seat] > state.paid[1 - seat]
    return state.card[seat] > state.card[1 - seat]


@rule
def score(state, seat):
    """Clause 5: the chips won, or those lost, once the match is over."""
    if not state.over:
        return 0
    return state.paid[1 - seat] if won(state, seat) else -state.paid[seat]


def board(state: State, *, ascii: bool = False) -> Text:
    cards = [f"{GAME.seat_name(seat)}: {CARDS[card] if card >= 0 else '?'}" for seat, card in enumerate(state.card)]
    return Text(f"{cards[0]}, {cards[1]}; {state.paid[0]} + {state.paid[1]} chips in the pot")


NOTATION = Notation(write=lambda state, action: "bet" if action == BET else "pass")
TERMINAL = Terminal(board=board)

# fmt: off
GAME = Game(
    name="kuhn", title="Kuhn Poker", summary="Three cards, two players, one bet.", version=1,
    seats=(2, 2), seat_names=("First", "Second"), glance=Glance((1, 1), "easy", "both"), fields=FIELDS,
    max_actions=2, action_space=2, ply_limit=3,
    setup=setup, legal=legal, apply=apply, score=score, won=won, hide=hide, imagine=imagine,
    notation=__name__, terminal=__name__,
)
