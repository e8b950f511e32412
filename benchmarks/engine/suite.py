"""The whole benchmark."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.engine import against_c, against_rivals, footprint, on_gpu, speed, training_loop
from benchmarks.engine.report import Line, Report

from parlour.engine import Game, ParlourError, registry
from parlour.lab.simulate import CPU, CUDA


def _quietly(doing: str) -> None:
    """Nobody wants to be told."""


def run(seconds: float = 5.0, on_progress: Callable[[str], None] | None = None, *, device: str = CPU) -> Report:
    """Measure everything. Each thing timed takes about that many seconds; ``on_progress`` is told what is next."""
    tell = on_progress or _quietly
    games, lines = _games()
    if device not in (CPU, CUDA):
        raise ParlourError(f"the device is {CPU} or {CUDA}, not {device!r}")
    if device == CUDA:
        return Report(lines + on_gpu.measure(games, seconds, tell))
    tell("the Game of the Goose beside C")
    lines += against_c.measure(seconds)
    lines += speed.measure(games, seconds, tell)
    lines += speed.measure_cores(games, seconds, tell)
    lines += against_rivals.measure(seconds, tell)
    lines += training_loop.measure(seconds, tell)
    lines += footprint.sizes(games)
    lines += footprint.starts(games, tell)
    return Report(lines)


def _games() -> tuple[list[Game], list[Line]]:
    """Every registered game, and a line for each that cannot be loaded."""
    games, broken = [], []
    for name in registry.names():
        try:
            games.append(registry.get(name))
        except ParlourError as error:
            broken.append(Line("Games that cannot be loaded", name, None, "", note=str(error)))
    return games, broken
