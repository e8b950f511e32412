"""How large a game's state is, and how long a person waits for the first simulated game."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from parlour.engine import Game
from parlour.lab.bench.report import Line

SIZE_SECTION = "Size of a state"
START_SECTION = "From the command to the first simulated game"
SMALL = 1024
MAY_BE_LARGER = ("game17", "mazerunner")

PROGRAM = """
import sys
from parlour.engine import registry
from parlour.lab.simulate import simulate
simulate(registry.get(sys.argv[1]), 1, cores=1)
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
    """Seconds for a process that simulates one game: the first time ever, and the second."""
    lines = []
    for game in games:
        on_progress(f"start of {game.name}")
        with tempfile.TemporaryDirectory(prefix="parlour-bench-") as cache:
            lines.append(_start(game, cache, "first time", at_most=10.0))
            lines.append(_start(game, cache, "afterwards", at_most=1.5))
    return lines


def _start(game: Game, cache: str, when: str, *, at_most: float) -> Line:
    began = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, game.name],
        env={**os.environ, "PARLOUR_CACHE": cache},
        capture_output=True,
        text=True,
    )
    took = time.perf_counter() - began
    name = f"{game.name}, {when}"
    if ran.returncode:
        reason = (ran.stderr.strip().splitlines() or ["no reason given"])[-1]
        return Line(START_SECTION, name, None, "s", at_most=at_most, note=f"failed: {reason}")
    return Line(START_SECTION, name, took, "s", at_most=at_most)
