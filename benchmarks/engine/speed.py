"""How fast each game is played at random, on one core and on two."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from benchmarks.engine.report import Line
from benchmarks.engine.timing import in_turns, repeated

from parlour.engine import Game
from parlour.engine.cores import available_cores
from parlour.lab.simulate import Statistics, simulate

SECTION = "Random play on one core"
CORES_SECTION = "Two cores over one"
ON_TWO_CORES = ("goose", "choccer")
REPEATS = 3


class Target(NamedTuple):
    plies: float | None = None
    games: float | None = None


TARGETS = {
    ("choccer", None): Target(plies=1e6, games=10_000),
    ("verfuchst", None): Target(plies=20e6),
    ("mazerunner", None): Target(plies=5e6),
    ("connect_four", None): Target(plies=16e6),
    ("game17", 0): Target(games=1_000),
}


def measure(games: list[Game], seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Plies and games per second, each game with its usual seats; game17 also with zombies alone."""
    lines = []
    for game in games:
        on_progress(f"random play of {game.name}")
        for seats in (None, 0) if game.seats[0] == 0 else (None,):
            lines += _speed(game, seats, seconds)
    return lines


def _speed(game: Game, seats: int | None, seconds: float) -> list[Line]:
    found: list[Statistics] = []

    def play(number: int) -> None:
        found.append(simulate(game, number, seats, cores=1))

    timed = repeated(play)
    rates = []
    for _ in range(REPEATS):
        timed(seconds / REPEATS)
        rates.append((found[-1].plies_per_second, found[-1].games_per_second))
    target = TARGETS.get((game.name, seats), Target())
    seated = found[-1].seats
    name = f"{game.name}, {seated} seats" if seated else f"{game.name}, no seats"
    plies, each = (median(column) for column in zip(*rates, strict=True))
    lines = [Line(SECTION, name, each, "games/s", at_least=target.games)]
    if seated:
        lines.insert(0, Line(SECTION, name, plies, "plies/s", at_least=target.plies))
    return lines


def measure_cores(games: list[Game], seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """How many times as fast two cores are as one."""
    if len(available_cores()) < 2:
        return [Line(CORES_SECTION, "all games", None, "×", at_least=1.7, note="there is only one core")]
    lines = []
    for game in games:
        if game.name in ON_TWO_CORES:
            on_progress(f"{game.name} on two cores")
            ratio = in_turns(_on_cores(game, 2), _on_cores(game, 1), seconds)
            lines.append(Line(CORES_SECTION, game.name, ratio.times, "×", at_least=1.7))
    return lines


def _on_cores(game: Game, cores: int) -> Callable[[float], float]:
    return repeated(lambda number: simulate(game, number, cores=cores))
