"""What a mover returns, read strictly: (square, direction, count), the square as (i, j)."""

from __future__ import annotations

import operator
from typing import Any

DIRECTIONS = "nsew"
_INDEX = {way: number for number, way in enumerate(DIRECTIONS)}
MOST_MOVES = 1 << 14

Ways = list[tuple[int, int]]  # square * 4 + direction, and how many pieces; a square is i * size + j


class BadMoves(Exception):
    """Why the moves of a turn are not carried out."""


def read_moves(moves: Any, size: int) -> Ways:
    """The moves of a turn. Whether the squares are the mover's, and hold as many pieces, is not looked at here.

    Moves of no pieces are left out, and an index may count from the end, as in NumPy. BadMoves: anything else amiss.
    """
    ways: Ways = []
    try:
        numbered = enumerate(moves, 1)
    except TypeError:
        raise BadMoves(f"a turn is a list of moves, not {shown(moves)}") from None
    for number, move in numbered:
        if number > MOST_MOVES:
            raise BadMoves(f"a turn of more than {MOST_MOVES} moves")
        try:
            square, direction, count = move
            row, column = square
            row, column, pieces = operator.index(row), operator.index(column), _whole(count)
            way = _INDEX[direction]
        except (TypeError, ValueError, KeyError, OverflowError):
            raise BadMoves(f"move {number} is {shown(move)}, not ((i, j), 'n' | 's' | 'e' | 'w', count)") from None
        if not (-size <= row < size and -size <= column < size):
            raise BadMoves(f"move {number}: ({row}, {column}) is no square of a board of {size} by {size}")
        if pieces < 0:
            raise BadMoves(f"move {number}: {pieces} pieces; a count is not negative")
        if pieces > 0:
            ways.append(((row % size * size + column % size) * 4 + way, pieces))
    return ways


def _whole(count: Any) -> int:
    """The count as an int; 2.0 is 2, and 2.5 is an error."""
    try:
        return operator.index(count)
    except TypeError:
        whole = int(count)
        if isinstance(count, str) or whole != count:
            raise ValueError from None
        return whole


def shown(thing: Any) -> str:
    """The thing as a program would write it, on one line and cut short."""
    try:
        text = " ".join(repr(thing).split())
    except Exception:
        text = f"a {type(thing).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
