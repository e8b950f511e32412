"""What a seat has won. The position has its points; which pieces and gems they are for follows from the board."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from parlour.engine import State
from parlour.games.choccer.state import BLACK, BLUE, GEM_POINTS, OPENING_BOARD, POINTS, RED


def captured(state: State, seat: int) -> list[int]:
    """The kinds of the pieces that the seat has captured."""
    sign = -1 if seat == BLACK else 1
    return sorted(abs(piece) for piece in _missing(tuple(state.board)) if piece * sign > 0)


@lru_cache(maxsize=8)  # one position is asked for by both seats, and twice by each
def _missing(board: tuple[int, ...]) -> list[int]:
    return list((Counter(OPENING_BOARD) - Counter(board)).elements())


def scored_gems(state: State, seat: int) -> list[int]:
    """The gems that the seat has scored: what its captures leave of its points tells which."""
    left = state.points[seat] - sum(POINTS[kind] for kind in captured(state, seat))
    red = left % GEM_POINTS[BLUE] != 0
    return [BLUE] * ((left - red * GEM_POINTS[RED]) // GEM_POINTS[BLUE]) + [RED] * red
