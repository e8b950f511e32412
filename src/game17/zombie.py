"""The zombie as a mover: every piece goes one of the four ways, all equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from game17.game17 import Board, find_owned_pieces


def make_moves(
    owner: int, rounds_left: Any, owners: Board, numbers: Board | None = None
) -> list[tuple[Board, str, Any]]:
    """All pieces of the owner, on the move at random. Squares are arrays (i, j).

    Also as it once was: ``make_moves(owner, owners, numbers)``.
    """
    if numbers is None:
        owners, numbers = rounds_left, owners
    moves = []
    for piece in find_owned_pieces(owner, owners, numbers):
        counts = np.random.multinomial(piece[2], [0.25] * 4)
        moves += [(piece[:2], way, count) for way, count in zip("nsew", counts, strict=True) if count]
    return moves
