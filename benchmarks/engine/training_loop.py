"""The loop that training needs, without the learner: observation, mask, a random legal action, step, reset.

This is not the speed of whole random games: those never leave compiled code. Here Python sees every observation and
NumPy chooses every action.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np
from benchmarks.engine.report import Line
from benchmarks.engine.rivals import LOOP_RIVALS, Contender, is_installed
from benchmarks.engine.timing import in_turns, one_core

from parlour import rl
from parlour.engine import Game, ParlourError, registry
from parlour.engine.batch import Batch
from parlour.engine.cores import available_cores

ROWS = 8192
SECTION = f"Training loop of Connect Four, {ROWS} matches at once"
CHOICE = "observation, mask, choice by NumPy, step, reset"
NOT_INSTALLED = "not installed (pip install 'parlour[bench]')"


class Loop:
    """Self-play at random. It counts its steps and the matches that end."""

    def __init__(self, game: Game, rows: int, seed: int = 1) -> None:
        self.batch = Batch(game, rows, seed=seed, auto_reset=True)
        self.rng = np.random.Generator(np.random.SFC64(seed))
        self.mask, self.seen = self.batch.legal_mask(), self.batch.observe()
        self.rewards, self.over = self.batch.rewards(), self.batch.over()
        self.steps = self.matches = 0

    def step(self) -> None:
        batch = self.batch
        batch.observe(out=self.seen)
        batch.legal_mask(out=self.mask)
        batch.step(rl.random_legal(self.mask, self.rng))
        batch.rewards(out=self.rewards)
        self.matches += int(np.count_nonzero(batch.over(out=self.over)))
        self.steps += len(batch)

    def run(self, seconds: float) -> tuple[float, float]:
        """For about that long: steps and matches per second of the core."""
        steps, matches, began = self.steps, self.matches, time.thread_time()
        while True:
            for _ in range(8):
                self.step()
            took = time.thread_time() - began
            if took >= seconds:
                return (self.steps - steps) / took, (self.matches - matches) / took


def measure(seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Steps per second on one core, beside other engines, and on two cores."""
    if "connect_four" not in registry.names():
        return [Line(SECTION, "Parlour", None, "steps/s", note="not installed (pip install examples/connect_four)")]
    game = registry.get("connect_four")
    on_progress("the training loop of Connect Four")
    with one_core():
        loop = Loop(game, ROWS)
        loop.run(0.2)
        rates = [loop.run(seconds / 5)[0] for _ in range(5)]
    lines = [Line(SECTION, f"Parlour on one core: {CHOICE}", median(rates), "steps/s", at_least=5e6)]
    for name in LOOP_RIVALS:
        on_progress(f"the training loop beside {name}")
        lines += _beside(name, game, seconds)
    return lines + _two_cores(seconds, on_progress)


def _beside(name: str, game: Game, seconds: float) -> list[Line]:
    """All play the same game at random, so that matches a second compare as steps a second do."""
    _, _, title, at_least = LOOP_RIVALS[name]
    ratio_name = f"Parlour / {title}"
    if not is_installed(name):
        return [Line(SECTION, ratio_name, None, "×", at_least=at_least, note=NOT_INSTALLED)]
    try:
        with one_core(), Contender(name) as rival:
            rival.rate(0.0)  # it is ready when it has answered once
            loop = Loop(game, ROWS)
            loop.run(0.2)
            ratio = in_turns(lambda each: loop.run(each)[1], rival.rate_of_core, seconds)
    except ParlourError as error:
        return [Line(SECTION, ratio_name, None, "×", at_least=at_least, note=str(error))]
    return [
        Line(SECTION, f"{title}, in steps of ours", ratio.theirs * loop.steps / max(loop.matches, 1), "steps/s"),
        Line(SECTION, ratio_name, ratio.times, "×", at_least=at_least),
    ]


def _two_cores(seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Two processes over one, each with matches of its own, in steps per second of their cores."""
    name = "two cores over one, a process with a loop of its own on each"
    if len(available_cores()) < 2:
        return [Line(SECTION, name, None, "×", at_least=1.8, note="there is only one core")]
    on_progress("the training loop on two cores")
    with Contender("parlour_loop") as first, Contender("parlour_loop") as second, ThreadPoolExecutor(2) as pool:

        def both(each: float) -> float:
            return float(sum(pool.map(lambda loop: loop.rate_of_core(each), (first, second))))

        both(0.0)  # they are ready when they have answered once
        ratio = in_turns(both, first.rate_of_core, seconds)
    return [Line(SECTION, name, ratio.times, "×", at_least=1.8)]
