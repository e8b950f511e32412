"""The smallest game there is, for tests: toss one coin and score."""

from rich.text import Text

from parlour.engine import Event, Game, State, below, end_match, event, i8, rule
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal

POINTS = 1


@event
class Tossed(Event):
    words = "the coin shows {side}"
    side: int


@rule
def setup(state, chance, journal=None):
    state.to_move = 0


@rule
def legal(state, actions):
    actions[0] = 0
    return 1


@rule
def apply(state, action, chance, journal=None):
    state.side = below(chance, 2)
    if journal is not None:
        journal.append(Tossed(state.side))
    end_match(state)


@rule
def score(state, seat):
    return POINTS


@rule
def won(state, seat):
    return state.side == 1


def write(state: State, action: int) -> str:
    return "toss"


def board(state: State, *, ascii: bool = False) -> Text:
    return Text(str(state.side))


NOTATION = Notation(write=write)
TERMINAL = Terminal(board=board)
GAME = Game(
    name="coin_game",
    title="Coin",
    summary="Toss it.",
    version=1,
    seats=(1, 1),
    fields={"side": i8},
    max_actions=1,
    action_space=1,
    ply_limit=1,
    setup=setup,
    legal=legal,
    apply=apply,
    score=score,
    won=won,
    notation=__name__,
    terminal=__name__,
)
