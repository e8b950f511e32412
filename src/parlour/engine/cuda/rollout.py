"""Random games on the device, tallied as those on the CPU are: the same seed gives the same sums."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cache

import numpy as np
from numba import cuda

from parlour.engine.chance import seed_words
from parlour.engine.compiled.drivers import Tallies, workspace
from parlour.engine.cuda import parts
from parlour.engine.cuda.cache import is_warm, keep
from parlour.engine.cuda.device import check_device, compiling, is_simulated, launch
from parlour.engine.cuda.kernels import make_rollout
from parlour.engine.game import Game

THREADS = 128  # of a block
BLOCKS = 16  # of a multiprocessor: as many threads as it can hold
BURST = 16  # plies between two looks whose game is over
MOST_AT_ONCE = 16  # games that a thread takes at a time
LAUNCH = 0.5  # seconds: about how long the device plays before it is asked how far it is


class Rollout:
    """The rollout of a game with its seats and options, compiled."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, int]) -> None:
        check_device()
        self.game, self.seats = game, seats
        constants = {"seats": seats, **options}
        if is_simulated():
            self.threads, self.blocks = 2, 2
            self._kernel = make_rollout(parts.simulated(game, constants), seats, game.ply_limit)
        else:
            self.threads, self.blocks = THREADS, BLOCKS * cuda.get_current_device().MULTIPROCESSOR_COUNT
            self._kernel = make_rollout(parts.compiled(game, constants, THREADS), seats, game.ply_limit)
            keep(game, constants, rollout=self._kernel)
            with nullcontext() if is_warm(self._kernel) else compiling(game.name, "rollout"):
                self._launch(0, 0, 0, workspace(game, 0, seats).tallies)

    def play(self, games: int, seed: int, progress: Callable[[int], None] | None = None) -> Tallies:
        """The sums of that many games. ``progress`` is told, now and then, how many more are done."""
        tallies = workspace(self.game, 0, self.seats).tallies
        whole = self.blocks * self.threads  # with fewer games, threads are idle
        done, size = 0, whole
        while done < games:
            count, began = min(size, games - done), time.perf_counter()
            self._launch(seed, done, count, tallies)
            done += count
            if progress:
                progress(count)
            took = max(time.perf_counter() - began, 1e-3)
            size = max(whole, min(int(count * LAUNCH / took), 16 * size))
        return tallies

    def _launch(self, seed: int, first: int, games: int, tallies: Tallies) -> None:
        """Play these games and add their sums."""
        blocks = max(min(self.blocks, -(-games // self.threads)), 1)
        at_once = min(max(games // (blocks * self.threads * 4), 1), MOST_AT_ONCE)
        words = cuda.to_device(np.array(seed_words(seed), np.int64))
        taken = cuda.to_device(np.zeros(1, np.int64))
        sums = [cuda.to_device(np.zeros_like(part)) for part in tallies]
        launch(self._kernel, blocks, self.threads, words, first, games, taken, BURST, at_once, *sums)
        for part, found in zip(tallies, sums, strict=True):
            part += found.copy_to_host()


@cache
def _rollout(game: Game, seats: int, options: tuple[tuple[str, int], ...]) -> Rollout:
    return Rollout(game, seats, dict(options))


def rollout(game: Game, seats: int, options: Mapping[str, int]) -> Rollout:
    """The game's rollout, made once."""
    return _rollout(game, seats, tuple(sorted(options.items())))
