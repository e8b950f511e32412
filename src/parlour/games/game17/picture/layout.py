"""Where everything is in the picture of game17, and all strings about it that never change.

The squares are drawn in a group whose unit is one square, so that ``M3 2h1v1h-1z`` is D2 on a board of any edge.
What moves and what can be picked is placed in the units of the picture, as the page expects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from parlour.engine.language import cache_spoken
from parlour.engine.picture import number, tag
from parlour.games.game17 import GAME
from parlour.games.game17.state.squares import DIRECTIONS, EAST, SOUTH, neighbour, square_name

SIZE = (1000, 1204)
WIDTH = SIZE[0]
MARGIN = 46  # at least this much for the letters and numbers along the edges
DEEPEST_RIM = 56

# How large numbers are, in squares, by the strength of the figure, and at most by how many digits they have; and how
# large letters are.
STRONG = (0.44, 0.52, 0.6, 0.68)
DIGITS = (0.68, 0.68, 0.56, 0.42, 0.32)
ORDER_DIGITS = (0.46, 0.46, 0.39, 0.29, 0.22)
MARK, INNER_MARK = 0.34, 0.29
ASCENT = 0.36  # from the middle of a digit down to its foot, as a share of its size


@dataclass(frozen=True)
class Grid:
    """The squares of a board of this edge: where they are, and all strings about them that never change."""

    edge: int
    cell: int  # how wide a square is
    left: int  # where the first square begins, from the left and from the top
    rim: float  # how much of the opposite side is seen beyond an edge, in squares
    plots: tuple[str, ...]  # each square as a path, with what is seen of it beyond the opposite edge
    seams: tuple[tuple[int, int, str], ...]  # two neighbours, and the line between them
    counts: tuple[tuple[tuple[str, ...], ...], ...]  # a number's opening tag, by strength, digits and the square
    marks: tuple[str, ...]  # a letter's opening tag, on the corner, by square
    inner_marks: tuple[str, ...]  # the same, within the corner
    arrows: tuple[str, ...]  # an order up to its number, by square * 4 + direction
    order_sizes: tuple[str, ...]  # the size of an order's number, by its digits, where it is not the usual one
    names: tuple[str, ...]
    spots: tuple[tuple[str, str], ...]  # what comes before and after the words of a square's spot

    @property
    def unit(self) -> str:
        """The transform of the group whose unit is a square."""
        return f"translate({self.left} {self.left}) scale({self.cell})"


@cache
def grid(edge: int) -> Grid:
    room = WIDTH - 2 * MARGIN
    cell = max(room // (edge + 1), (room - 2 * DEEPEST_RIM) // edge)  # a rim of half a square, or of the deepest
    left = (WIDTH - edge * cell) // 2
    rim = min(0.5, DEEPEST_RIM / cell)
    squares = [divmod(square, edge) for square in range(edge * edge)]
    names = tuple(square_name(row, column) for row, column in squares)
    return Grid(
        edge=edge,
        cell=cell,
        left=left,
        rim=rim,
        plots=tuple(_plot(edge, rim, row, column) for row, column in squares),
        seams=tuple(_seam(edge, rim, square, way) for square in range(edge * edge) for way in (EAST, SOUTH)),
        counts=tuple(
            tuple(
                tuple(_opening(left, cell, row + 0.5, column + 0.5, min(strong, size)) for row, column in squares)
                for size in DIGITS
            )
            for strong in STRONG
        ),
        marks=tuple(_opening(left, cell, row + 0.07, column + 0.07, MARK) for row, column in squares),
        inner_marks=tuple(_opening(left, cell, row + 0.18, column + 0.07, INNER_MARK) for row, column in squares),
        arrows=tuple(_arrow(edge, left, cell, order) for order in range(4 * edge**2)),
        order_sizes=tuple(_order_size(cell, size) for size in ORDER_DIGITS),
        names=names,
        spots=tuple(
            (
                f'<path data-spot="{name}" aria-label="{name}: ',
                f'" d="M{left + column * cell} {left + row * cell}h{cell}v{cell}h-{cell}z"/>',
            )
            for name, (row, column) in zip(names, squares, strict=True)
        ),
    )


def _seen_at(edge: int, rim: float, line: int) -> list[tuple[float, float]]:
    """Where a row or column begins and how wide it is there: on the board, and beyond the opposite edge."""
    seen = [(float(line), 1.0)]
    if line == edge - 1:
        seen.append((-rim, rim))
    if line == 0:
        seen.append((float(edge), rim))
    return seen


def _plot(edge: int, rim: float, row: int, column: int) -> str:
    boxes = [(x, y, w, h) for y, h in _seen_at(edge, rim, row) for x, w in _seen_at(edge, rim, column)]
    return "".join(
        f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z"
        for x, y, w, h in boxes
        if w == 1 or h == 1  # nothing is seen beyond the corners
    )


def _seam(edge: int, rim: float, square: int, way: int) -> tuple[int, int, str]:
    """The line to the eastern or southern neighbour, wherever it is seen."""
    row, column = divmod(square, edge)
    line, along = (column, row) if way == EAST else (row, column)
    lines = [0, edge] if line == edge - 1 else [line + 1]
    seen = _seen_at(edge, rim - 0.04, along)  # not beyond the rim, round ends included
    if line == edge - 1:
        seen = seen[:1]  # nothing is seen beyond the corners
    drawn = ""
    for start, length in seen:
        for place in lines:
            if way == EAST:
                drawn += f"M{place} {number(start)}v{number(length)}"
            else:
                drawn += f"M{number(start)} {place}h{number(length)}"
    return square, neighbour(edge, square, way), drawn


def _opening(left: int, cell: int, row: float, column: float, size: float) -> str:
    """The opening tag of a text around this point; the usual sizes are left to its group."""
    x, y = left + column * cell, left + (row + ASCENT * size) * cell
    own = f' font-size="{number(size * cell)}"' if size not in (MARK, INNER_MARK, STRONG[1]) else ""
    return f'<text x="{number(x)}" y="{number(round(y))}"{own}>'


def order_id(name: str, direction: int) -> str:
    """The item that an order of the square is."""
    return f"game17-order-{name}{DIRECTIONS[direction]}"


def _arrow(edge: int, left: int, cell: int, order: int) -> str:
    """An order is drawn over the border, more on its own side, so that the number beyond can be read; and aside, so
    that those of one square have room around it, and one that comes the other way has room beside it."""
    square, direction = divmod(order, 4)
    row, column = divmod(square, edge)
    down, right = ((0.1, 0.63), (0.9, 0.37), (0.63, 0.9), (0.37, 0.1))[direction]
    x, y = left + (column + right) * cell, left + (row + down) * cell
    foot = (ASCENT * ORDER_DIGITS[1] + (0.05, -0.04, 0, 0)[direction]) * cell
    name = order_id(square_name(row, column), direction)
    return (
        f'<g id="{name}" transform="translate({number(x)} {number(y)})">'
        f'<use href="#game17-{DIRECTIONS[direction]}{edge}"/><text y="{foot:.0f}"'
    )


def _order_size(cell: int, size: float) -> str:
    """A longer number is smaller, and raised to the middle again."""
    if size == ORDER_DIGITS[1]:
        return ""
    raised = ASCENT * (ORDER_DIGITS[1] - size) * cell
    return f' font-size="{number(size * cell)}" dy="-{number(raised)}"'


def over_edge(edge: int, square: int, direction: int) -> bool:
    """Whether the way leaves the board over one edge and comes in over the other."""
    row, column = divmod(square, edge)
    return (row == 0, row == edge - 1, column == edge - 1, column == 0)[direction]


def goal_spot(edge: int, square: int, direction: int) -> str:
    """The spot of the neighbour that way; over an edge it is the one beyond it, so that it lies next to the square."""
    names = grid(edge).names
    if over_edge(edge, square, direction):
        return f"{names[square]}{DIRECTIONS[direction]}"
    return names[neighbour(edge, square, direction)]


@cache_spoken
def over_the_edge(edge: int) -> str:
    """The spots beyond the edges, from the last square to the border of the picture."""
    parts = []
    left, cell = grid(edge).left, grid(edge).cell
    far = left + edge * cell
    for place in range(edge):
        along = left + place * cell
        boxes = (
            (place, 0, along, 0, cell, left),
            ((edge - 1) * edge + place, 1, along, far, cell, left),
            (place * edge + edge - 1, 2, far, along, left, cell),
            (place * edge, 3, 0, along, left, cell),
        )
        for square, direction, x, y, w, h in boxes:
            goal = square_name(*divmod(neighbour(edge, square, direction), edge))
            name = f"{square_name(*divmod(square, edge))}{DIRECTIONS[direction]}"
            words = GAME.said("{square} over the edge").format(square=goal)
            parts.append(tag("path", data_spot=name, aria_label=words, d=f"M{x} {y}h{w}v{h}h-{w}z"))
    return "".join(parts)
