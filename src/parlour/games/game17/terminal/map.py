"""The squares of game17 as a map, each with its owner's letter and colour and its number of pieces.

    A    B    C
0 [A 4]   4    .     0    A0 is of Seat 1, who is to move; B0 is a zombie's; C0 is another's, and empty
1 [A12> a 7  B 3     1    A1 has an order to the east; B1 is of the leading zombie, C1 of Seat 2
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from rich.text import Text

from parlour.engine import State
from parlour.games.game17.seats import is_choosing
from parlour.games.game17.state.names import name_of
from parlour.games.game17.state.squares import column_name
from parlour.games.game17.terminal.looks import Signs, owner_style

MARGIN = 3  # columns for the row numbers, on either side
WIDTH = 80 - 2 * MARGIN
FULL = "++"  # for a number that has no room; it is told below the map


@dataclass(frozen=True)
class Cell:
    """The room that a square has: its width, and how much of it is for the letters."""

    width: int
    mark: int

    @property
    def is_narrow(self) -> bool:
        """Whether the letters need a line of their own, above the number."""
        return self.width < self.mark + 2


def cell_of(state: State) -> Cell:
    return Cell(width=min(5, WIDTH // state.edge), mark=2 if state.seats > 26 else 1)


def draw(state: State, marks: dict[int, str], signs: Signs) -> list[Text]:
    """The map, with column letters above and below it and row numbers on both sides."""
    cell = cell_of(state)
    letters = "".join(column_name(column).center(cell.width) for column in range(state.edge))
    rim = Text(" " * MARGIN + letters, style="dim")
    rows = [line for row in range(state.edge) for line in _row(state, row, marks, cell, signs)]
    return [rim, *rows, rim.copy(), *_full_squares(state, cell)]


def _row(state: State, row: int, marks: dict[int, str], cell: Cell, signs: Signs) -> list[Text]:
    squares = range(row * state.edge, (row + 1) * state.edge)
    texts = {square: square_texts(state, square, marks, cell, signs) for square in squares}
    lines = []
    for part in range(2 if cell.is_narrow else 1):
        number = str(row) if part == 0 else ""
        line = Text().append(f"{number:>{MARGIN - 1}} ", "dim")
        for square in squares:
            line.append(texts[square][part], owner_style(state, state.owner[square]))
        lines.append(line.append(f" {number}", "dim"))
    return lines


def square_texts(state: State, square: int, marks: dict[int, str], cell: Cell, signs: Signs) -> list[str]:
    """One square: the owner's letter, the pieces, and a frame around them if the owner is to move."""
    mark = marks.get(state.owner[square], "").ljust(cell.mark)
    room = cell.width if cell.is_narrow else cell.width - cell.mark
    count = _count(state, square, room, signs).rjust(2)
    if cell.is_narrow:
        return [mark.center(cell.width), count.center(cell.width)]
    left, right = _frame(state, square, signs)
    spare = room - len(count)
    if spare == 0:
        return [mark + count]
    if spare == 1:
        return [(right if right in signs.arrows else left) + mark + count]
    return [left + mark + count + right]


def _count(state: State, square: int, room: int, signs: Signs) -> str:
    count = str(state.pieces[square]) if state.pieces[square] else signs.empty
    return count if len(count) <= room else FULL


def _frame(state: State, square: int, signs: Signs) -> tuple[str, str]:
    """Brackets for the seat to move, the right one an arrow where pieces have been ordered away."""
    if not is_choosing(state, state.owner[square]):
        return " ", " "
    ways = [way for way in range(4) if state.ordered[square * 4 + way]]
    return "[", signs.arrows[ways[0] if len(ways) == 1 else 4] if ways else "]"


def _full_squares(state: State, cell: Cell) -> list[Text]:
    """The numbers that had no room on the map."""
    room = cell.width if cell.is_narrow else cell.width - cell.mark
    full = [square for square in range(state.edge**2) if len(str(state.pieces[square])) > room]
    told = [f"{name_of(state, square)} {state.pieces[square]}" for square in full]
    return [Text(line) for line in textwrap.wrap(f"{FULL} is " + ", ".join(told), WIDTH)] if full else []
