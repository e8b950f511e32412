"""Leduc poker: six cards, one for each of two, and one on the table after the first of two rounds of betting."""

from rich.text import Text

from parlour.engine import UNKNOWN, Event, Game, Glance, Seat, Secret, State, below, event, i8, rule
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal
from parlour.engine.turns import end_match, end_turn, list_run

RANKS, SUITS, WORDS = ("jack", "queen", "king"), ("hearts", "spades"), ("fold", "call", "raise")
CARDS, RAISES, MOST = 6, 2, 8  # cards in the deck, raises in a round, choices in a match
FOLD, CALL, RAISE = range(3)
NO_CARD = -2  # none is on the table yet: nobody knows it, since it is not drawn
FIELDS = {
    "card": i8[2],  # the card of each seat, 2 * rank + suit; -1 unknown
    "table": i8,  # the card on the table; -2 before it is drawn
    "paid": i8[2],  # the chips of each seat in the pot
    "raises": i8,  # in this round
    "chosen": i8[MOST],  # all choices so far, which both remember: 1 fold, 2 call, 3 raise
}


@event
class Dealt(Event):
    words = "{seat} is dealt the {card}"
    others = "{seat} is dealt a card"
    seat: Seat
    card: Secret[str]


@event
class Chosen(Event):
    words = "{seat} chooses to {choice}"
    seat: Seat
    choice: str


@rule
def setup(state, chance, journal=None):
    """Clause 1: a chip from each, and a card for each."""
    state.table = NO_CARD
    for seat in range(2):
        state.paid[seat] = 1
        state.card[seat] = UNKNOWN
    for seat in range(2):
        state.card[seat] = draw(state, chance)
        if journal is not None:
            journal.append(Dealt(seat, told(state.card[seat])))


@rule
def draw(state, chance):
    """Clause 1: any card that nobody has and that is not on the table, all equally likely."""
    left = CARDS - (state.card[0] >= 0) - (state.card[1] >= 0) - (state.table >= 0)
    card = below(chance, left)
    for other in range(CARDS):
        if other <= card and (other == state.card[0] or other == state.card[1] or other == state.table):
            card += 1
    return card


@rule
def hide(state, seat):
    """Clause 1: you look at your own card, and at the one on the table."""
    for other in range(2):
        if other != seat:
            state.card[other] = UNKNOWN


@rule
def imagine(state, seat, chance):
    """Clause 1: each card that is left is as likely as any other."""
    for other in range(2):
        if state.card[other] == UNKNOWN:
            state.card[other] = draw(state, chance)


@rule
def legal(state, actions):
    """Clauses 2 and 3: fold if the other has paid more; call; raise, twice a round."""
    first = FOLD if state.paid[1 - state.to_move] > state.paid[state.to_move] else CALL
    return list_run(actions, 0, first, CALL - first + 1 + (state.raises < RAISES))


@rule
def apply(state, action, chance, journal=None):
    """Clauses 2 to 4: after the first round a card is turned over, and after the second the match ends."""
    seat = state.to_move
    is_first = state.table == NO_CARD
    is_answer = state.raises > 0 or seat == 1  # in both rounds the first player is asked first
    state.chosen[state.ply] = action + 1
    if journal is not None:
        journal.append(Chosen(seat, WORDS[action]))
    if action != FOLD:
        state.paid[seat] = state.paid[1 - seat]
    if action == RAISE:
        state.paid[seat] += 2 if is_first else 4
        state.raises += 1
    if action == FOLD or (action == CALL and is_answer and not is_first):
        end_match(state)
    elif action == CALL and is_answer:
        state.table = draw(state, chance)
        state.raises = 0
        end_turn(state, 0)
    else:
        end_turn(state, 1 - seat)


@rule
def won(state, seat):
    """Clause 5: whoever wins chips; nobody if both hold the same."""
    return score(state, seat) > 0


@rule
def score(state, seat):
    """Clauses 4 and 5: the chips won, or those lost, once the match is over. A pair beats any rank."""
    if not state.over:
        return 0
    ahead = state.paid[seat] - state.paid[1 - seat]
    if ahead == 0:  # nobody has folded
        mine, theirs, pair = state.card[seat] // 2, state.card[1 - seat] // 2, state.table // 2
        ahead = mine - theirs + 3 * (mine == pair) - 3 * (theirs == pair)
    return (ahead > 0) * state.paid[1 - seat] - (ahead < 0) * state.paid[seat]


def told(card: int) -> str:
    return f"{RANKS[card // 2]} of {SUITS[card % 2]}" if card >= 0 else "?"


def board(state: State, *, ascii: bool = False) -> Text:
    cards = [f"{GAME.seat_name(seat)}: {told(state.card[seat])}, {state.paid[seat]} in the pot\n" for seat in range(2)]
    return Text(f"{cards[0]}{cards[1]}Table: {told(state.table)}")


NOTATION, TERMINAL = Notation(write=lambda state, action: WORDS[action]), Terminal(board=board)

# fmt: off
GAME = Game(
    name="leduc", title="Leduc Poker", summary="Six cards, two players, two rounds of betting.", version=1,
    seats=(2, 2), seat_names=("First", "Second"), glance=Glance((1, 2), "easy", "both"), fields=FIELDS,
    max_actions=3, action_space=3, ply_limit=MOST,
    setup=setup, legal=legal, apply=apply, score=score, won=won, hide=hide, imagine=imagine,
    notation=__name__, terminal=__name__,
)
