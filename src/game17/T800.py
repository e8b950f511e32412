"""The T800 as a mover: a slightly smarter zombie, which goes where it expects to arrive with enough.

All squares are worked out together; a loop over squares would take fifty times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import random

from game17.game17 import Board

SURE = 100  # what a piece next door weighs, beside the 1 that every direction weighs

_NEIGHBOURS: dict[int, Board] = {}  # by board size: the flat squares to the n, s, e and w of each


def zombie_strategy(neighbours: Any, count: int) -> Board:
    """The chance of each direction for the pieces of one square; all zero if they stay.

    Directions weigh as many pieces as stand there, and a hundredth. As long as some would get fewer than stand there,
    they are given up.
    """
    weights = _weights(np.asarray(neighbours, dtype=np.int64)[None], np.asarray([[count]]))[0]
    chances: Board = weights / max(weights.sum(), 1)
    return chances


def make_moves(owner: int, rounds_left: int | None, owners: Board, numbers: Board) -> list[tuple[Any, str, int]]:
    """Moves of all pieces on each of the owner's squares, or of none."""
    size = numbers.shape[0]
    pieces = numbers.ravel()
    squares = ((owners.ravel() == owner) & (pieces > 0)).nonzero()[0]
    if squares.size == 0:
        return []
    counts = pieces[squares]
    ends = _weights(pieces[_neighbours(size)[squares]], counts[:, None]).cumsum(axis=1)
    counts[ends[:, 3] == 0] = 0
    each = np.repeat(np.arange(squares.size), counts)  # the place of its square, for every piece that goes
    drawn = random(each.size) * ends[each, 3]
    ways = (drawn[:, None] >= ends[each, :3]).sum(axis=1)
    sent = np.bincount(each * 4 + ways)
    where = sent.nonzero()[0]
    rows, columns = np.divmod(squares[where >> 2], size)
    places = zip(rows.tolist(), columns.tolist(), strict=True)
    return list(zip(places, map("nsew".__getitem__, (where & 3).tolist()), sent[where].tolist(), strict=True))


def _weights(neighbours: Board, counts: Board) -> Board:
    """What each direction weighs once those are given up that would get too few; squares are rows."""
    weights: Board = neighbours * SURE + 1
    while True:
        left = weights * (weights * counts >= neighbours * weights.sum(axis=1, keepdims=True))
        if (left == weights).all():
            return weights
        weights = left


def _neighbours(size: int) -> Board:
    if size not in _NEIGHBOURS:
        board = np.arange(size * size).reshape(size, size)
        around = [np.roll(board, 1, 0), np.roll(board, -1, 0), np.roll(board, -1, 1), np.roll(board, 1, 1)]
        _NEIGHBOURS[size] = np.stack([side.ravel() for side in around], axis=1)
    return _NEIGHBOURS[size]
