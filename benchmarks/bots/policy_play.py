"""Many matches in which every seat follows a game's playout policy: compiled, on all cores, repeatable by seed.

What a policy is: a rule ``policy(state, actions, count, chance)`` that picks one of the legal actions, such as a game's
``ADVICE.policy``. Its chance is apart from the dice of the match.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, seed_stream, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import new_scratch, play_out
from parlour.engine.cores import available_cores
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import check_seed
from parlour.engine.turns import begin
from parlour.lab.simulate import MAX_GAMES, Statistics

CHUNK = 64  # matches that a core plays before it hands them over


@dataclass(frozen=True)
class Played:
    """``statistics`` is what ``simulate`` gives. ``finals[field]`` has that field of every match's last position."""

    statistics: Statistics
    finals: dict[str, NDArray[Any]]
    shares: NDArray[np.float64]  # [match, seat]: the seat's part of the win


class Results(NamedTuple):
    """A row for every match, an item for every seat."""

    shares: Any  # of the win, by seat
    by_order: Any  # of the win, by place in the order of play
    scores: Any

    @classmethod
    def of(cls, matches: int, seats: int) -> Results:
        return cls(np.zeros((matches, seats)), np.zeros((matches, seats)), np.zeros((matches, seats), np.int64))


def play_policy(
    game: Game,
    policy: Callable[..., int],
    games: int,
    seats: int | None = None,
    seed: int = 0,
    *,
    keep: Sequence[str] = (),
    cores: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Played:
    """Play that many matches, and keep those fields of their last positions."""
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MAX_GAMES:
        raise ParlourError(f"the number of games is a whole number from 1 to {MAX_GAMES}, not {games!r}")
    resolved = game.resolve_options(options or {})
    seated = game.resolve_seats(seats, resolved)
    fields = _fields(game, keep)
    opening = game.layout.rows(1)
    game.layout.write(game.blank(seated, **resolved), opening, 0)
    words = np.array(seed_words(check_seed(seed)), np.int64)
    play = _compiled(game, policy)

    def chunk(first: int) -> tuple[dict[str, Any], Results]:
        rows = game.layout.rows(min(CHUNK, games - first))
        results = Results.of(len(rows), seated)
        play(rows, opening, new_scratch(game), first, words, *results)
        return {name: rows[name].copy() for name in fields}, results

    began = time.perf_counter()
    with ThreadPoolExecutor(cores or len(available_cores())) as pool:
        parts = list(pool.map(chunk, range(0, games, CHUNK)))
    finals = {name: np.concatenate([part[0][name] for part in parts]) for name in fields}
    results = Results(*map(np.concatenate, zip(*(part[1] for part in parts), strict=True)))
    statistics = _statistics(game, games, seed, resolved, time.perf_counter() - began, finals, results)
    return Played(statistics, {name: finals[name] for name in keep}, results.shares)


def _fields(game: Game, keep: Sequence[str]) -> list[str]:
    """The fields of a last position to hold on to: those asked for, and those that the statistics needs."""
    for name in keep:
        if name not in game.layout.fields:
            raise ParlourError(f"a position of {game.name} has no field {name!r} to keep")
    return sorted({*keep, "over", "ply", "turns"})


@cache
def _compiled(game: Game, policy: Callable[..., int]) -> Callable[..., None]:
    with compiling(game, "policy_play._make", "policy play", [policy]):
        play = _make(game, policy)
        rows = game.layout.rows(1)
        play(rows[:0], rows, new_scratch(game), 0, np.zeros(4, np.int64), *Results.of(0, 1))
    return play


def _make(game: Game, policy: Callable[..., int]) -> Callable[..., None]:
    setup, legal, apply, limit = game.setup, game.legal, game.apply, game.ply_limit
    score, won, order = game.score, game.won, game.order

    @numba.njit(cache=True, nogil=True)
    def play(
        rows: Any, opening: Any, scratch: Any, first: int, words: Any, shares: Any, by_order: Any, scores: Any
    ) -> None:
        chance, own, actions = scratch[0].chance, scratch[0].policy, scratch[0].actions
        for at in range(len(rows)):
            rows[at] = opening[0]
            state = rows[at]
            seed_stream(chance, words, first + at, GAME_STREAM)
            seed_stream(own, words, first + at, POLICY_STREAM)
            begin(setup, state, chance, None)
            play_out(legal, apply, policy, limit, state, actions, chance, own)
            winners = 0
            for seat in range(state.seats):
                scores[at, seat] = score(state, seat)
                winners += 1 if state.over and won(state, seat) else 0
            for seat in range(state.seats):
                if state.over and won(state, seat):
                    shares[at, seat] = by_order[at, order(state, seat)] = 1.0 / winners

    return play


def _statistics(
    game: Game, games: int, seed: int, options: Mapping[str, int], seconds: float, finals: Any, results: Results
) -> Statistics:
    endless = int((finals["over"] == 0).sum())
    if endless:
        raise ParlourError(f"{endless} of {games} games of {game.name} had no end in {game.ply_limit} plies")
    winners = (results.shares > 0).sum(axis=1)
    return Statistics(
        game=game.name,
        seats=results.shares.shape[1],
        games=games,
        seed=seed,
        options=dict(options),
        seconds=seconds,
        games_per_second=games / seconds,
        plies_per_second=float(finals["ply"].sum()) / seconds,
        mean_turns=float(finals["turns"].mean()),
        win_share=results.shares.mean(axis=0).tolist(),
        win_share_by_order=results.by_order.mean(axis=0).tolist(),
        outcomes={
            "sole": int((winners == 1).sum()),
            "shared": int((winners > 1).sum()),
            "none": int((winners == 0).sum()),
        },
        mean_scores=results.scores.mean(axis=0).tolist(),
    )
