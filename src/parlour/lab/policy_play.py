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
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, seed_stream, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import desks
from parlour.engine.cores import available_cores
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import check_seed
from parlour.lab.simulate import MAX_GAMES, Summary

CHUNK = 64  # matches that a core plays before it hands them over


@dataclass(frozen=True)
class Played:
    """``summary`` is what ``simulate`` gives. ``finals[field]`` has that field of every match's last position."""

    summary: Summary
    finals: dict[str, NDArray[Any]]
    shares: NDArray[np.float64]  # [match, seat]: the seat's part of the win


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
    settled = game.settle_options(options or {})
    seated = game.settle_seats(seats, settled)
    fields = _fields(game, keep)
    opening = game.layout.rows(1)
    game.layout.write(game.blank(seated, **settled), opening, 0)
    words = np.array(seed_words(check_seed(seed)), np.int64)
    play = _compiled(game, policy)

    def chunk(first: int) -> tuple[Any, Any]:
        rows = game.layout.rows(min(CHUNK, games - first))
        shares, scores = np.zeros((len(rows), seated)), np.zeros((len(rows), seated), np.int64)
        play(rows, opening, desks(game), first, words, shares, scores)
        return {name: rows[name].copy() for name in fields}, (shares, scores)

    began = time.perf_counter()
    with ThreadPoolExecutor(cores or len(available_cores())) as pool:
        parts = list(pool.map(chunk, range(0, games, CHUNK)))
    finals = {name: np.concatenate([part[0][name] for part in parts]) for name in fields}
    shares, scores = (np.concatenate([part[1][place] for part in parts]) for place in (0, 1))
    return Played(
        _summary(game, games, seed, settled, time.perf_counter() - began, finals, shares, scores),
        {name: finals[name] for name in keep},
        shares,
    )


def _fields(game: Game, keep: Sequence[str]) -> list[str]:
    """The fields of a last position to hold on to: those asked for, and those that the summary needs."""
    for name in keep:
        if name not in game.layout.fields:
            raise ParlourError(f"a position of {game.name} has no field {name!r} to keep")
    return sorted({*keep, "over", "ply", "turns", "first"})


@cache
def _compiled(game: Game, policy: Callable[..., int]) -> Callable[..., None]:
    with compiling(game, "policy_play._make", "policy play"):
        play = _make(game, policy)
        rows, nothing = game.layout.rows(1), np.zeros((0, 1))
        play(rows[:0], rows, desks(game), 0, np.zeros(4, np.int64), nothing, nothing.astype(np.int64))
    return play


def _make(game: Game, policy: Callable[..., int]) -> Callable[..., None]:
    setup, legal, apply, limit = game.setup, game.legal, game.apply, game.ply_limit
    score, won = game.score, game.won

    @numba.njit(cache=True, nogil=True)
    def play(rows: Any, opening: Any, desks: Any, first: int, words: Any, shares: Any, scores: Any) -> None:
        chance, own, actions = desks[0].chance, desks[0].policy, desks[0].actions
        for at in range(len(rows)):
            rows[at] = opening[0]
            state = rows[at]
            seed_stream(chance, words, first + at, GAME_STREAM)
            seed_stream(own, words, first + at, POLICY_STREAM)
            setup(state, chance, None)
            state.first = state.to_move
            while not state.over and state.ply < limit:
                count = legal(state, actions)
                apply(state, policy(state, actions, count, own), chance, None)
                state.ply += 1
            winners = 0
            for seat in range(state.seats):
                scores[at, seat] = score(state, seat)
                if state.over and won(state, seat):
                    winners += 1
                    shares[at, seat] = 1.0
            if winners > 1:
                shares[at] /= winners

    return play


def _summary(
    game: Game, games: int, seed: int, options: Mapping[str, int], seconds: float, finals: Any, shares: Any, scores: Any
) -> Summary:
    endless = int((finals["over"] == 0).sum())
    if endless:
        raise ParlourError(f"{endless} of {games} games of {game.name} had no end in {game.ply_limit} plies")
    seats = shares.shape[1]
    winners = (shares > 0).sum(axis=1)
    place = (np.arange(seats) + finals["first"][:, None]) % max(seats, 1)  # who is first, second and so on
    return Summary(
        game=game.name,
        seats=seats,
        games=games,
        seed=seed,
        options=dict(options),
        seconds=seconds,
        games_per_second=games / seconds,
        plies_per_second=float(finals["ply"].sum()) / seconds,
        mean_turns=float(finals["turns"].mean()),
        win_share=shares.mean(axis=0).tolist(),
        win_share_by_order=np.take_along_axis(shares, place, axis=1).mean(axis=0).tolist(),
        outcomes={
            "sole": int((winners == 1).sum()),
            "shared": int((winners > 1).sum()),
            "none": int((winners == 0).sum()),
        },
        mean_scores=scores.mean(axis=0).tolist(),
    )
