"""How large a game's state is, how long its compilation takes, and how long a start takes once it is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from benchmarks.engine.report import Line

from parlour.engine import Game

SIZE_SECTION = "Size of a state"
START_SECTION = "Compiling, once, and starting afterwards"
SMALL = 1024
MAY_BE_LARGER = ("game17", "mazerunner")

PROGRAM = """
import sys, time
from parlour.engine import registry
from parlour.engine.compiled import drivers
from parlour.lab.simulate import simulate
game = registry.get(sys.argv[1])
began = time.perf_counter()
drivers(game).rollout
print(time.perf_counter() - began)
simulate(game, 1, cores=1)
"""


def sizes(games: list[Game]) -> list[Line]:
    """The bytes of one compiled state."""
    return [
        Line(
            SIZE_SECTION,
            game.name,
            game.layout.dtype.itemsize,
            "bytes",
            at_most=None if game.name in MAY_BE_LARGER else SMALL,
        )
        for game in games
    ]


def starts(games: list[Game], on_progress: Callable[[str], None]) -> list[Line]:
    """Seconds that the first compilation takes, and those of a whole process that simulates one game after it."""
    lines = []
    for game in games:
        on_progress(f"start of {game.name}")
        with tempfile.TemporaryDirectory(prefix="parlour-bench-") as cache:
            compiling, _ = _start(game, cache)
            _, starting = _start(game, cache)
        lines.append(_line(f"{game.name}, compiling", compiling, at_most=10.0))
        lines.append(_line(f"{game.name}, starting", starting, at_most=1.5))
    return lines


def _start(game: Game, cache: str) -> tuple[float | str, float | str]:
    """How long a process took to have the drivers ready, and in all; or why it failed, twice."""
    began = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, game.name],
        env={**os.environ, "PARLOUR_CACHE": cache},
        capture_output=True,
        text=True,
    )
    took = time.perf_counter() - began
    if ran.returncode:
        reason = (ran.stderr.strip().splitlines() or ["no reason given"])[-1]
        return f"failed: {reason}", f"failed: {reason}"
    return float(ran.stdout), took


def _line(name: str, found: float | str, *, at_most: float) -> Line:
    if isinstance(found, str):
        return Line(START_SECTION, name, None, "s", at_most=at_most, note=found)
    return Line(START_SECTION, name, found, "s", at_most=at_most)
