"""Bot files that have the package's own T800 play: the same moves for the same numbers drawn, compiled and right here.

Such a file needs no walls around it, and no messages to and fro. Its games are the same to the byte.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numba
import numpy as np

from game17.live_game import LiveGame, OrderRows
from parlour.engine import rule
from parlour.engine.compiled.compiling import compiling
from parlour.games.game17 import GAME
from parlour.games.game17.bots.t800 import SURE, worthwhile
from parlour.games.game17.state import MAX_PIECES
from parlour.games.game17.state.squares import neighbour

STOCK = 4 * MAX_PIECES  # numbers drawn at once


class T800Seat:
    """``T800.make_moves`` of a bot file."""

    def __init__(self) -> None:
        self._play = compiled_t800()
        self._orders = np.zeros((MAX_PIECES, 2), np.int64)
        self.taken = 0.0

    def begin(self, game: LiveGame, owner: int, seed: int) -> None:
        self._owner = owner
        self._random = np.random.RandomState(seed % 2**32)  # as the bot's own process seeds NumPy's
        self._drawn, self._used = self._random.random_sample(STOCK), 0

    def ask(self, game: LiveGame) -> OrderRows:
        began = time.thread_time()  # it never waits for anything
        if STOCK - self._used < MAX_PIECES:
            fresh = self._random.random_sample(self._used)
            self._drawn, self._used = np.concatenate((self._drawn[self._used :], fresh)), 0
        owners, numbers = game.owners, game.numbers
        orders, drawn = self._play(
            owners.ravel(), numbers.ravel(), self._owner, self._drawn[self._used :], self._orders
        )
        self._used += drawn
        self.taken = time.thread_time() - began
        return self._orders[:orders]


@cache
def compiled_t800() -> Any:
    """Compiled now, or taken from the cache."""
    with compiling(GAME, "compiled_t800.make_t800", "T800"):
        play = make_t800()
        nothing = np.zeros(0, np.int64)
        play(nothing, nothing, 0, np.zeros(0), np.zeros((0, 2), np.int64))
    return play


@rule
def weigh(numbers: Any, edge: int, square: int, ends: Any) -> None:
    """Where each direction's part ends, when the directions that are not given up lie end to end."""
    north, south = numbers[neighbour(edge, square, 0)], numbers[neighbour(edge, square, 1)]
    east, west = numbers[neighbour(edge, square, 2)], numbers[neighbour(edge, square, 3)]
    ways = worthwhile(numbers[square], north, south, east, west)
    end = 0
    for direction in range(4):
        if ways >> direction & 1:
            end += SURE * numbers[neighbour(edge, square, direction)] + 1
        ends[direction] = end


def make_t800() -> Any:
    @numba.njit(cache=True, nogil=True)
    def play(owners: Any, numbers: Any, owner: int, drawn: Any, orders: Any) -> tuple[int, int]:
        """Fill in the orders as rows of a way and a count: how many, and how many numbers were drawn for them."""
        used = pieces = 0
        edge = int(np.sqrt(len(owners)))
        ends, sent = np.zeros(4, np.int64), np.zeros(4, np.int64)
        for square in range(len(owners)):
            if owners[square] != owner or numbers[square] == 0:
                continue
            weigh(numbers, edge, square, ends)
            if ends[3] == 0:
                continue
            sent[:] = 0
            for piece in range(pieces, pieces + numbers[square]):
                place = drawn[piece] * ends[3]
                sent[int(place >= ends[0]) + int(place >= ends[1]) + int(place >= ends[2])] += 1
            pieces += numbers[square]
            for direction in range(4):
                if sent[direction]:
                    orders[used] = square * 4 + direction, sent[direction]
                    used += 1
        return used, pieces

    return play
