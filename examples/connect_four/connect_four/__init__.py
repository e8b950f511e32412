"""Connect Four: drop discs into a frame of seven columns and six rows; four in a line win."""

from collections.abc import Sequence

from rich.text import Text

from parlour.engine import Event, Feature, Game, Glance, Seat, State, end_match, end_turn, event, i8, i64, rule, starts
from parlour.engine.explanation import Explanation
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal

COLUMNS, ROWS = 7, 6
# A seat's discs are bits: 7 * column + row, from below. Bit 6 of a column stays empty, so that no line wraps around.
UP, ACROSS, RISING, FALLING = 1, 7, 8, 6
STYLES = "#7f9fdf on #1f3f8f", "bold #ff5f5f on #1f3f8f", "bold #ffdf5f on #1f3f8f"
FIELDS = {
    "discs": i64[2],  # the discs of each seat, as bits
    "height": i8[COLUMNS],  # how many discs are in each column
}


@event
class Dropped(Event):
    words = "{seat} drops a disc into column {column}"
    seat: Seat
    column: int


@event
class Won(Event):
    words = "{seat} has four in a line and wins"
    seat: Seat


@event
class Drawn(Event):
    words = "the frame is full: a draw"


@rule
def setup(state, chance, journal=None):
    """Clause 1: a blank state is an empty frame, and seat 0 is to move."""


@rule
def legal(state, actions):
    """Clauses 2 and 3: any column that is not full."""
    count = 0
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            actions[count] = column
            count += 1
    return count


@rule
def apply(state, column, chance, journal=None):
    """Clauses 2, 4 and 5: the disc falls as far as it can; four in a line win, a full frame is a draw."""
    seat = state.to_move
    state.discs[seat] |= 1 << ACROSS * column + state.height[column]
    state.height[column] += 1
    if journal is not None:
        journal.append(Dropped(seat, column + 1))
    if won(state, seat) or state.ply == COLUMNS * ROWS - 1:
        end_match(state)
        if journal is not None:
            journal.append(Won(seat) if won(state, seat) else Drawn())
    else:
        end_turn(state, 1 - seat)


@rule
def won(state, seat):
    """Clause 4: in one of the four directions, two neighbours and two more right behind them."""
    for step in (UP, ACROSS, RISING, FALLING):
        pairs = state.discs[seat] & state.discs[seat] >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@rule
def score(state, seat):
    """Clause 6: 1 for the winner, −1 for the loser, 0 for both in a draw."""
    return won(state, seat) - won(state, 1 - seat)


FEATURES = (
    Feature("mine", (ROWS, COLUMNS), "1 for a disc of the seat; rows from below"),
    Feature("theirs", (ROWS, COLUMNS), "1 for a disc of the other seat"),
    Feature("to_move", (), "1 where it is the seat's choice"),
)
MINE, THEIRS, TO_MOVE, SIZE = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position."""
    mine, theirs = state.discs[seat], state.discs[1 - seat]
    for row in range(ROWS):
        for column in range(COLUMNS):
            place = ACROSS * column + row
            features[MINE + COLUMNS * row + column] = mine >> place & 1
            features[THEIRS + COLUMNS * row + column] = theirs >> place & 1
    features[TO_MOVE] = state.to_move == seat


def write(state: State, action: int) -> str:
    return str(action + 1)


def describe(state: State, action: int) -> str:
    return GAME.said("drop a disc in column {column}").format(column=action + 1)


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    if tried and tried[0] in map(str, range(1, COLUMNS + 1)) and state.height[int(tried[0]) - 1] == ROWS:
        return Explanation(GAME.said("Column {column} is full: it holds six discs.").format(column=tried[0]), 3)
    return Explanation(GAME.said("Drop your disc into one of the columns, 1 to 7."), 2)


def board(state: State, *, ascii: bool = False) -> Text:
    signs, text = ".XO" if ascii else "·●○", Text()
    for row in reversed(range(ROWS)):
        for place in range(row, ACROSS * COLUMNS, ACROSS):
            owner = (state.discs[0] >> place & 1) + 2 * (state.discs[1] >> place & 1)
            text.append(f" {signs[owner]} ", STYLES[owner])
        text.append("\n")
    outcome = "to move" if not state.over else "wins" if won(state, state.to_move) else "fills the frame: a draw"
    return text.append(f" 1  2  3  4  5  6  7\n{GAME.seat_name(state.to_move)} {signs[state.to_move + 1]} {outcome}")


NOTATION, TERMINAL = Notation(write=write, describe=describe, why_not=why_not), Terminal(board=board)


# fmt: off
GAME = Game(
    name="connect_four", title="Connect Four", summary="Drop discs into a frame; four in a line win.", version=1,
    seats=(2, 2), seat_names=("Red", "Yellow"), glance=Glance((5, 10), "easy", "skill"), fields=FIELDS,
    max_actions=COLUMNS, action_space=COLUMNS, features=FEATURES, ply_limit=COLUMNS * ROWS,
    setup=setup, legal=legal, apply=apply, score=score, won=won, observe=observe,
    keeps_score=lambda options: False,
    notation=__name__, terminal=__name__, picture=f"{__name__}.picture", bots=f"{__name__}.bots",
)
