"""Simulation: many games of uniformly random legal play, on all cores or on a GPU, summed up.

Games are dealt out in chunks and their sums added in the order of the chunks, so that a seed gives
the same numbers on any number of cores.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from parlour.engine.chance import seed_words
from parlour.engine.compiled.drivers import (
    NONE,
    PLIES,
    SHARED,
    SOLE,
    TURNS,
    UNFINISHED,
    WIN,
    Tallies,
    drivers,
    workspace,
)
from parlour.engine.cores import available_cores
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import check_seed
from parlour.engine.whole_numbers import whole_number

MAX_GAMES = 10**12
CPU, CUDA = "cpu", "cuda"

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Statistics:
    """What a simulation found. A shared win counts one part of as many as share it."""

    game: str
    seats: int
    games: int
    seed: int
    options: dict[str, int]
    seconds: float
    games_per_second: float
    plies_per_second: float
    mean_turns: float
    win_share: list[float]
    win_share_by_order: list[float]
    outcomes: dict[str, int]
    mean_scores: list[float]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def simulate(
    game: Game,
    games: int,
    seats: int | None = None,
    seed: int = 0,
    *,
    cores: int | None = None,
    device: str = CPU,
    progress: Progress | None = None,
    options: Mapping[str, object] | None = None,
) -> Statistics:
    """Play that many random games. ``progress`` is told, now and then, how many more are done.

    The device is "cpu" or "cuda"; both play the very same games.
    """
    count = whole_number(games)
    if count is None or not 1 <= count <= MAX_GAMES:
        raise ParlourError(f"the number of games is a whole number from 1 to {MAX_GAMES}, not {games!r}")
    resolved = game.resolve_options(options or {})
    seated = game.resolve_seats(seats, resolved)
    seed = check_seed(seed)
    if device not in (CPU, CUDA):
        raise ParlourError(f"the device is {CPU} or {CUDA}, not {device!r}")
    play = _on_gpu if device == CUDA else partial(_on_cores, cores)
    total, seconds = play(game, count, seated, seed, resolved, progress)
    return _statistics(game, seated, count, seed, resolved, seconds, total)


def _on_gpu(
    game: Game, games: int, seats: int, seed: int, options: Mapping[str, int], progress: Progress | None
) -> tuple[Tallies, float]:
    """The sums, and how many seconds it took."""
    from parlour.engine.cuda.device import check_device

    check_device()
    from parlour.engine.cuda.rollout import rollout

    play = rollout(game, seats, options).play
    began = time.perf_counter()
    return play(games, seed, progress), time.perf_counter() - began


def _on_cores(
    cores: int | None,
    game: Game,
    games: int,
    seats: int,
    seed: int,
    options: Mapping[str, int],
    progress: Progress | None,
) -> tuple[Tallies, float]:
    """The sums, and how many seconds it took."""
    words = np.array(seed_words(seed), np.int64)
    rollout = drivers(game).rollout
    opening = game.layout.rows(1)
    game.layout.write(game.blank(seats, **options), opening, 0)
    total = workspace(game, 0, seats).tallies
    size = chunk_size(games)

    def play(chunk: int) -> tuple[Tallies, int]:
        space = workspace(game, 1, seats)
        first = chunk * size
        count = min(size, games - first)
        rollout(space.rows, opening, space.scratch, first, count, words, *space.tallies)
        return space.tallies, count

    began = time.perf_counter()
    chunks = range(-(-games // size))
    with ThreadPoolExecutor(cores or len(available_cores())) as pool:
        for tallies, count in _in_order(pool, play, chunks):
            for sums, part in zip(total, tallies, strict=True):
                sums += part
            if progress:
                progress(count)
    return total, time.perf_counter() - began


def chunk_size(games: int) -> int:
    """How many games a chunk has. It depends on nothing but the number of games, never on the cores."""
    return min(max(games // 256, 1), 4096)


def _in_order(pool: ThreadPoolExecutor, play: Callable[[int], Any], chunks: range) -> Any:
    """The results chunk by chunk, with a bounded number under way."""
    ahead = 64
    waiting = [pool.submit(play, chunk) for chunk in chunks[:ahead]]
    for place in range(len(chunks)):
        yield waiting[place % ahead].result()
        if place + ahead < len(chunks):
            waiting[place % ahead] = pool.submit(play, chunks[place + ahead])


def _statistics(
    game: Game, seats: int, games: int, seed: int, options: Mapping[str, int], seconds: float, total: Tallies
) -> Statistics:
    counts = [int(count) for count in total.counts]
    if counts[UNFINISHED]:
        raise ParlourError(f"{counts[UNFINISHED]} of {games} games of {game.name} had no end in {game.ply_limit} plies")
    return Statistics(
        game=game.name,
        seats=seats,
        games=games,
        seed=seed,
        options=dict(options),
        seconds=seconds,
        games_per_second=games / seconds,
        plies_per_second=counts[PLIES] / seconds,
        mean_turns=counts[TURNS] / games,
        win_share=[int(wins) / (WIN * games) for wins in total.wins[:seats]],
        win_share_by_order=[int(wins) / (WIN * games) for wins in total.by_order[:seats]],
        outcomes={"sole": counts[SOLE], "shared": counts[SHARED], "none": counts[NONE]},
        mean_scores=[int(score) / games for score in total.scores[:seats]],
    )
