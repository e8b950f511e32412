"""The Game of the Goose in a terminal: the spiral of 63 spaces, from outside to inside, with everyone's piece on it.

╭─  ▾  ──────────── …
│1 RB  ┊2      ┊3        Solid walls part the rounds of the spiral, dotted ones the spaces of a round. A space has
│      ┊       ┊         its number and the pieces on it, below them what it shows.
│  ╭─────────────── …
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from parlour.engine import State
from parlour.engine.terminal import Terminal, badge, in_ascii, seat_line
from parlour.games.goose import rules
from parlour.games.goose.seats import LETTERS, NAMES
from parlour.games.goose.state.spaces import END, HAZARDS, START, is_goose, is_hazard

PLAIN_SPACE = ""
GOOSE_SPACE = "black on grey82"
HAZARD_SPACE = "bright_white on dark_red"
END_SPACE = "bold black on orange1"
WALL, DOTS = "grey62", "grey42"

COLUMNS, ROWS = 9, 7
INSIDE = 7  # columns of a space
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
CORNERS = " ╵╶╰╷│╭├╴╯─┴╮┤┬┼"  # by the sum of the directions in which walls go from there

ASCII = str.maketrans("╵╶╰╷│╭├╴╯─┴╮┤┬┼┊╌▾▶·−", "|-+||++-+-+++++:.v>|-")

Cell = tuple[int, int]


def board(state: State, *, ascii: bool = False) -> Text:
    lines = [headline(state), Text(), start(state), *spiral(state), *seats(state), *legend(state)]
    drawn = Text("\n").join(lines)
    return in_ascii(drawn, ASCII) if ascii else drawn


def headline(state: State) -> Text:
    """Whose turn it is, or who has won."""
    if state.over:
        winner = next(seat for seat in range(state.seats) if rules.won(state, seat))
        return Text.assemble(badge(winner, f" {NAMES[winner]} "), (" has reached 63 and wins", "bold"))
    line = Text.assemble(badge(state.to_move, f" {NAMES[state.to_move]} "), " is up, to throw both dice")
    return line.append(f" for a pool of {state.pool}") if state.stakes else line


def pieces(state: State, space: int) -> list[Text]:
    """The letters of the pieces on a space."""
    return [badge(seat, LETTERS[seat]) for seat in range(state.seats) if state.position[seat] == space]


def start(state: State) -> Text:
    """The start, outside the spiral, above space 1."""
    line = Text(" START ", style="bold")
    for piece in pieces(state, START):
        line.append(" ").append(piece)
    return line


def laid_out() -> dict[Cell, int]:
    """The space in each row and column: clockwise from the top left corner, inwards.

    1  2  3  4  5  6  7  8  9
    28 29 30 31 32 33 34 35 10
    27 48 49 50 51 52 53 36 11
    26 47 60 61 62 63 54 37 12
    25 46 59 58 57 56 55 38 13
    24 45 44 43 42 41 40 39 14
    23 22 21 20 19 18 17 16 15
    """
    found: dict[Cell, int] = {}
    row, column, down, right = 0, 0, 0, 1
    for space in range(1, END + 1):
        found[row, column] = space
        ahead = (row + down, column + right)
        if ahead in found or not (0 <= ahead[0] < ROWS and 0 <= ahead[1] < COLUMNS):
            down, right = right, -down
        row, column = row + down, column + right
    return found


SPACES = laid_out()
ENTRANCE = ((-1, 0), (0, 0))  # from the start to space 1


def spiral(state: State) -> Iterator[Text]:
    """Rows of spaces, and the walls above, between and below them."""
    for row in range(ROWS):
        yield wall_above(row)
        upper, lower = Text(), Text()
        for column in range(COLUMNS):
            for line, part in zip((upper, lower), inside(state, SPACES[row, column]), strict=True):
                line.append(wall_left_of(row, column)).append(part)
        for line in (upper, lower):
            yield line.append(wall_left_of(row, COLUMNS))
    yield wall_above(ROWS)


def is_wall(one: Cell, other: Cell) -> bool:
    """Whether a solid wall parts two places side by side: one is outside, or they are not one step apart."""
    if (one, other) == ENTRANCE:
        return False
    if one not in SPACES or other not in SPACES:
        return (one in SPACES) != (other in SPACES)
    return abs(SPACES[one] - SPACES[other]) != 1


def wall_left_of(row: int, column: int) -> Text:
    solid = is_wall((row, column - 1), (row, column))
    return Text("│", style=WALL) if solid else Text("┊", style=DOTS)


def wall_above(row: int) -> Text:
    """The line above a row, with its corners; above space 1 it is open towards the start."""
    line = Text()
    for column in range(COLUMNS + 1):
        line.append(corner(row, column), style=WALL)
        between = ((row - 1, column), (row, column))
        if between == ENTRANCE:
            line.append("▾".center(INSIDE), style=WALL)
        elif column < COLUMNS:
            solid = is_wall(*between)
            line.append(("─" if solid else "╌") * INSIDE, style=WALL if solid else DOTS)
    return line


def corner(row: int, column: int) -> str:
    """The sign at the top left corner of a place, by the walls that meet there."""
    here, above, left, across = (row, column), (row - 1, column), (row, column - 1), (row - 1, column - 1)
    walls = UP * is_wall(across, above) + RIGHT * is_wall(above, here)
    walls += DOWN * is_wall(left, here) + LEFT * is_wall(across, left)
    return CORNERS[walls]


def inside(state: State, space: int) -> tuple[Text, Text]:
    """The two lines of a space: its number and pieces, and what it shows."""
    shows, style = picture(state, space)
    upper = Text(f"{space:<2} ").append(Text().join(pieces(state, space)))
    lower = Text(shows)
    for line in (upper, lower):
        line.truncate(INSIDE, pad=True)
        line.style = style
    return Text().append(upper), Text().append(lower)


def picture(state: State, space: int) -> tuple[str, str]:
    """What a space shows, and its colours."""
    if space == END:
        return "END", END_SPACE
    if is_goose(space):
        return "goose", GOOSE_SPACE
    if is_hazard(space, state.drink):
        return HAZARDS[space].name, HAZARD_SPACE
    return "", PLAIN_SPACE


def seats(state: State) -> Iterator[Text]:
    """A line for each seat: where it is, what holds it there, and its balance."""
    for seat in range(state.seats):
        line = seat_line(state, seat, NAMES[seat], width=8)
        line.append(f"{whereabouts(state, seat):<34}")
        if state.stakes:
            line.append(f"balance {state.balance[seat]:+d}".replace("-", "−").replace("+0", "0"))
        yield line


def whereabouts(state: State, seat: int) -> str:
    """Where a piece stands, and whether it must wait there."""
    space = state.position[seat]
    if space == START:
        return "on the start"
    if state.trapped_since[seat]:
        return f"on {space}, waits in the {HAZARDS[space].name}"
    if state.resting[seat]:
        return f"on {space}, misses a turn at the Hotel"
    return f"on {space}"


def legend(state: State) -> Iterator[Text]:
    """What the pictures do."""
    drink = " · Drink: cheers" if state.drink else ""
    yield Text("  goose: on by the same throw · Bridge: to 12 · Hotel: miss a turn", style="dim")
    yield Text(f"  Well, Prison: wait · Maze: to {state.maze} · Death: to the start{drink}", style="dim")


TERMINAL = Terminal(board=board)
