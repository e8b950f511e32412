"""Nim, for tests: take one to three of twenty-one; whoever takes the last wins. Leave a multiple of four."""

from rich.text import Text

from parlour.engine import Feature, Game, State, end_match, end_turn, i8, rule, starts
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal

MOST, HEAP = 3, 21
FEATURES = (
    Feature("left", (HEAP + 1,), "1 for how many are left"),
    Feature("heap", (), "how many are left", high=HEAP),
    Feature("first", (), "1 for the seat that began, −1 for the other", low=-1),
)
LEFT, AMOUNT, FIRST, _ = starts(FEATURES)


@rule
def setup(state, chance, journal=None):
    state.heap = HEAP


@rule
def legal(state, actions):
    for taken in range(min(MOST, state.heap)):
        actions[taken] = taken
    return min(MOST, state.heap)


@rule
def apply(state, action, chance, journal=None):
    state.heap -= action + 1
    if state.heap == 0:
        end_match(state)
    else:
        end_turn(state, 1 - state.to_move)


@rule
def won(state, seat):
    return state.to_move == seat


@rule
def score(state, seat):
    return 1 if state.over and state.to_move == seat else 0


@rule
def observe(state, seat, features):
    features[LEFT + state.heap] = 1
    features[AMOUNT] = state.heap
    features[FIRST] = 1 if seat == state.first else -1


def write(state: State, action: int) -> str:
    return str(action + 1)


def board(state: State, *, ascii: bool = False) -> Text:
    return Text("|" * state.heap)


NOTATION = Notation(write=write)
TERMINAL = Terminal(board=board)
GAME = Game(
    name="nim_game",
    title="Nim",
    summary="Take the last.",
    version=1,
    seats=(2, 2),
    fields={"heap": i8},
    max_actions=MOST,
    action_space=MOST,
    ply_limit=HEAP,
    setup=setup,
    legal=legal,
    apply=apply,
    score=score,
    won=won,
    observe=observe,
    features=FEATURES,
    notation=__name__,
    terminal=__name__,
)
