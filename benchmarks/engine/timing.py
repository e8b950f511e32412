"""How things are timed: in turns, on one core, for about as long as was asked."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

ROUNDS = 7

Timed = Callable[[float], float]  # given about how many seconds to play, says how many it did per second


class Ratio(NamedTuple):
    """Two sides that were timed in turns. ``times`` is the median of how many times ``theirs`` that ``ours`` is."""

    ours: float
    theirs: float
    times: float


def in_turns(ours: Timed, theirs: Timed, seconds: float, rounds: int = ROUNDS) -> Ratio:
    """Time both sides for about that many seconds in all."""
    each = seconds / rounds / 2
    pairs = [(ours(each), theirs(each)) for _ in range(rounds)]
    return Ratio(
        median(our for our, _ in pairs),
        median(their for _, their in pairs),
        median(our / their for our, their in pairs),
    )


def repeated(play: Callable[[int], object], fewest: int = 1) -> Timed:
    """The rate of something that plays as many games as it is told; fewer than ``fewest`` would leave it half idle."""
    rate = 0.0

    def timed(seconds: float) -> float:
        nonlocal rate
        games = max(fewest, int(rate * seconds))
        while True:
            began = time.perf_counter()
            play(games)
            took = max(time.perf_counter() - began, 1e-9)
            rate = games / took
            if took >= seconds / 2:
                return rate
            games = max(games + 1, int(min(rate * seconds, games * 16)))

    return timed


@contextmanager
def one_core() -> Iterator[None]:
    """Within this, this thread and all that it starts share one core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
