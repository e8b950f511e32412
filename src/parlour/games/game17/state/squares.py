"""The squares of the board, whose edges are joined.

A square is row * edge + column. With an edge of 3:

        A  B  C
     0  0  1  2      north of 0 is 6, west of 0 is 2:
     1  3  4  5      whoever leaves over one edge arrives over the other
     2  6  7  8
"""

from parlour.engine import rule

DIRECTIONS = "nsew"
DIRECTION_NAMES = ("north", "south", "east", "west")
NORTH, SOUTH, EAST, WEST = 0, 1, 2, 3


@rule
def neighbour(edge: int, square: int, direction: int) -> int:
    """Clause 2: the square next to this one in that direction; the edges are joined."""
    if direction == NORTH:
        return square - edge if square >= edge else square + edge * (edge - 1)
    if direction == SOUTH:
        return square + edge if square < edge * (edge - 1) else square - edge * (edge - 1)
    column = square % edge
    if direction == EAST:
        return square + 1 if column < edge - 1 else square - column
    return square - 1 if column > 0 else square + edge - 1


def column_name(column: int) -> str:
    return chr(ord("A") + column)


def square_name(row: int, column: int) -> str:
    """``A0`` is top left; columns are letters, rows are numbers from 0."""
    return f"{column_name(column)}{row}"
