"""Boards of squares and of hexagons: where each field lies, what it looks like, and how it is picked.

    board = Squares(40, 40, columns=8, rows=8, side=60)
    board.drawn("#f0d9b5", "#b58863") + placed(*board.middle(4, 0), token("king"))

Hexagons stand on a corner. Where one is, is told by its column and row: a row goes straight to the right, and each row
begins half a hexagon further to the right than the one above it (axial coordinates).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from parlour.engine.kit.places import Box, Point
from parlour.engine.kit.shapes import box, closed, path, text
from parlour.engine.picture import tag


class Squares(NamedTuple):
    """A board of squares. Columns are counted from the left, rows from the top, both from 0."""

    x: float
    y: float
    columns: int
    rows: int
    side: float

    def box(self, column: int, row: int) -> Box:
        return Box(self.x + column * self.side, self.y + row * self.side, self.side, self.side)

    def middle(self, column: int, row: int) -> Point:
        return self.box(column, row).middle

    @staticmethod
    def name(column: int, row: int) -> str:
        """A letter and a number: B3 is the second of the third row."""
        return f"{chr(ord('A') + column)}{row + 1}"

    def drawn(self, light: str, dark: str) -> str:
        """All squares, in two colours by turns; two elements, however many squares there are."""
        side = f"{self.side:g}"
        places = (self.box(column, row) for row in range(self.rows) for column in range(row % 2, self.columns, 2))
        d = "".join(f"M{one.x:g} {one.y:g}h{side}v{side}h-{side}z" for one in places)
        return box(self.x, self.y, self.columns * self.side, self.rows * self.side, dark) + path(d, light)

    def edges(self, fill: str, size: float) -> str:
        """The letters above the board, and the numbers to the left of it."""
        above = (
            text(self.name(column, 0)[0], self.middle(column, 0).x, self.y - size, size, fill)
            for column in range(self.columns)
        )
        left = (text(row + 1, self.x - size, self.middle(0, row).y, size, fill) for row in range(self.rows))
        return "".join((*above, *left))

    def spot(self, column: int, row: int, words: str) -> str:
        """The square as something that can be picked, by its name."""
        return self.box(column, row).spot(self.name(column, row).lower(), words)


class Hexes(NamedTuple):
    """A board of hexagons: the middle of the one at column 0 and row 0, and from there to a corner."""

    x: float
    y: float
    radius: float

    def middle(self, column: int, row: int) -> Point:
        across = sqrt(3) * self.radius
        return Point(self.x + across * (column + row / 2), self.y + 1.5 * self.radius * row)

    def outline(self, column: int, row: int) -> str:
        """The path round a hexagon."""
        x, y = self.middle(column, row)
        corners = ((pi / 6 + pi / 3 * corner) for corner in range(6))
        return closed((x + self.radius * cos(angle), y + self.radius * sin(angle)) for angle in corners)

    def drawn(self, fields: Iterable[tuple[int, int]], fill: str, **attributes: object) -> str:
        """These hexagons in one colour, as one element."""
        return path("".join(self.outline(*field) for field in fields), fill, **attributes)

    def spot(self, column: int, row: int, name: str, words: str) -> str:
        """The hexagon as something that can be picked."""
        return tag("path", d=self.outline(column, row), fill="transparent", data_spot=name, aria_label=words)


def within(reach: int) -> list[tuple[int, int]]:
    """Column and row of every hexagon that is at most so many steps from the one at 0, 0."""
    fields = range(-reach, reach + 1)
    return [(column, row) for row in fields for column in fields if abs(column + row) <= reach]
