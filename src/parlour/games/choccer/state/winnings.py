"""What a seat has won. The position has its points; which pieces and gems they are for follows from the board."""

from __future__ import annotations

from parlour.engine import State
from parlour.games.choccer.state import (
    BLACK,
    BLUE,
    CIRCLE,
    CLOVER,
    GEM_POINTS,
    OPENING_BOARD,
    POINTS,
    RED,
    STAR,
    TRIANGLE,
)

KINDS = (CIRCLE, TRIANGLE, CLOVER, STAR)
AT_FIRST = tuple(OPENING_BOARD.count(kind) for kind in KINDS)  # pieces of each kind, the same for both


def pieces_left(state: State, seat: int) -> tuple[int, ...]:
    """How many pieces of each kind the seat has left."""
    sign = 1 if seat == BLACK else -1
    return tuple([state.board.count(sign * kind) for kind in KINDS])


def captured_of(left: tuple[int, ...]) -> list[int]:
    """The kinds of the pieces that were captured where these are left."""
    return [kind for kind, first, now in zip(KINDS, AT_FIRST, left, strict=True) for _ in range(first - now)]


def gems_for(points: int, kinds: list[int]) -> list[int]:
    """The gems that were scored: what the captures leave of the points tells which."""
    left = points - sum(POINTS[kind] for kind in kinds)
    red = left % GEM_POINTS[BLUE] != 0
    return [BLUE] * ((left - red * GEM_POINTS[RED]) // GEM_POINTS[BLUE]) + [RED] * red


def captured(state: State, seat: int) -> list[int]:
    """The kinds of the pieces that the seat has captured."""
    return captured_of(pieces_left(state, 1 - seat))


def scored_gems(state: State, seat: int) -> list[int]:
    """The gems that the seat has scored."""
    return gems_for(state.points[seat], captured(state, seat))
