"""A small game with everything that a game can have, for tests that plant a mistake in it: a race to the goal."""

from collections.abc import Sequence

from rich.text import Text

from parlour.engine import Event, Game, Option, Seat, State, end_match, end_turn, event, i8, roll, rule
from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.bots import Bots, Decision
from parlour.engine.notation import Notation
from parlour.engine.picture import Flash, Mark, Picture, Step, Walk, group, tag
from parlour.engine.terminal import Terminal

MOST_SEATS = 4
LAST = 40
FIELDS = {"place": i8[MOST_SEATS], "winner": i8}


@event
class Ran(Event):
    words = "{seat} runs to {place}"
    seat: Seat
    place: int


@event
class Rested(Event):
    words = "{seat} rests"
    seat: Seat


@rule
def setup(state, chance, journal=None):
    """Clause 1: everybody begins on the start; a die says who is first."""
    state.to_move = roll(chance, state.seats) - 1
    state.winner = -1


@rule
def legal(state, actions):
    """Clause 2: rest, or run."""
    actions[0] = 0
    actions[1] = 1
    return 2


@rule
def apply(state, action, chance, journal=None):
    """Clauses 2 and 3: who runs goes on by the die; who comes to the goal first has won."""
    seat = state.to_move
    if action == 1:
        run(state, seat, roll(chance))
    if journal is not None:
        journal.append(Ran(seat, state.place[seat]) if action else Rested(seat))
    if state.place[seat] >= state.goal:
        state.winner = seat
        end_match(state)
    else:
        end_turn(state, (seat + 1) % state.seats)


@rule
def run(state, seat, steps):
    """Clause 3: nobody goes beyond the goal."""
    state.place[seat] = min(state.place[seat] + steps, state.goal)


@rule
def won(state, seat):
    """Clause 4: the first in the goal."""
    return state.winner == seat


@rule
def score(state, seat):
    """Clause 4: how far the seat has come."""
    return state.place[seat]


@rule
def evaluate(state, seat):
    return CERTAIN * state.place[seat] // state.goal


def write(state: State, action: int) -> str:
    return ("rest", "run")[action]


def describe(state: State, action: int) -> str:
    return GAME.said(("stay where you are", "go on by the die")[action])


def board(state: State, *, ascii: bool = False) -> Text:
    return Text("\n").join(Text("-" * place + "X") for place in state.place[: state.seats])


def backdrop(state: State) -> str:
    return tag("rect", width=100, height=100, fill="white")


def scene(state: State) -> str:
    runners = [
        group([tag("circle", cx=place, cy=9 * seat, r=2)], id=f"race-{seat}") for seat, place in runners_of(state)
    ]
    spots = [tag("rect", width=9, height=9, data_spot=name, aria_label=name) for name in ("rest", "run")]
    return "".join([*runners, *spots])


def runners_of(state: State) -> list[tuple[int, int]]:
    return list(enumerate(state.place[: state.seats]))


def picks(state: State, action: int) -> Sequence[str]:
    return (("rest", "run")[action],)


def motion(event: Event) -> Sequence[Step]:
    return [Walk(f"race-{event.seat}", ("run",))] if isinstance(event, Ran) else [Flash(("rest",))]


def mark(seat: int, seats: int) -> Mark:
    return Mark("ABCD"[seat], "#000000", "#ffffff")


class Runner:
    """Always runs."""

    def choose(self, decision: Decision) -> int:
        return 1


NOTATION = Notation(write=write, describe=describe)
TERMINAL = Terminal(board=board)
PICTURE = Picture(size=(100, 100), backdrop=backdrop, scene=scene, picks=picks, motion=motion, mark=mark)
BOTS = Bots(advice=Advice(evaluate=evaluate), own={"runner": Runner})

GAME = Game(
    name="race",
    title="Race",
    summary="Run to the goal.",
    version=1,
    seats=(2, MOST_SEATS),
    options=(Option("goal", 10, "how far it is", low=5, high=LAST, field=i8),),
    fields=FIELDS,
    max_actions=2,
    action_space=2,
    ply_limit=10_000,
    setup=setup,
    legal=legal,
    apply=apply,
    score=score,
    won=won,
    notation=__name__,
    terminal=__name__,
    picture=__name__,
    bots=__name__,
)
