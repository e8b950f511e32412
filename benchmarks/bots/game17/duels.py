"""Many matches between this game's bots, compiled: how strong each is, in seconds instead of hours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, seed_stream, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.turns import advance, begin
from parlour.games.game17 import GAME, rules
from parlour.games.game17.bots.general import BOLD, LEVELS, SCRATCH, WISE, plan_general
from parlour.games.game17.bots.t800 import plan_t800
from parlour.games.game17.bots.zombie import plan_zombie

ZOMBIE, T800, GENERAL, WISE_GENERAL = range(4)
KINDS = {
    "zombie": (ZOMBIE, 0),
    "t800": (T800, 0),
    "general": (GENERAL, 0),
    **{
        f"general:{number}": (WISE_GENERAL if level.numbers == WISE else GENERAL, level.wandering)
        for number, level in LEVELS.items()
    },
}


class Duels(NamedTuple):
    """``wins`` per seat, shared ones included; ``lost`` is how many matches no seat won; ``rounds`` is the mean."""

    games: int
    wins: list[int]
    lost: int
    rounds: float


def duels(seats: Sequence[str], games: int, seed: int = 0, **options: object) -> Duels:
    """Play that many matches of the named bots, with zombies on all other squares."""
    kinds = np.array([KINDS[name] for name in seats], np.int64).reshape(-1, 2)
    opening, rows = GAME.layout.rows(1), GAME.layout.rows(1)
    GAME.layout.write(GAME.blank(len(seats), **options), opening, 0)
    words = np.array(seed_words(seed), np.int64)
    counts = np.zeros(len(seats) + 2, np.int64)
    _compiled()(rows, opening, kinds, games, words, np.ones((2, 4), np.int64), np.zeros(SCRATCH, np.int64), counts)
    return Duels(games, counts[:-2].tolist(), int(counts[-2]), int(counts[-1]) / max(games, 1))


@cache
def _compiled() -> Any:
    with compiling(GAME, "duels.make_duels", "duels"):
        play = make_duels()
        one, row = np.ones((2, 4), np.int64), GAME.layout.rows(1)
        play(row, row, np.zeros((0, 2), np.int64), 0, one[0], one, np.zeros(SCRATCH, np.int64), np.zeros(2, np.int64))
    return play


def make_duels() -> Any:
    setup, apply, won, end, go = rules.setup, rules.apply, rules.won, rules.END, rules.GO

    @numba.njit(cache=True, nogil=True)
    def play(
        rows: Any, opening: Any, kinds: Any, games: int, words: Any, lanes: Any, scratch: Any, counts: Any
    ) -> None:
        chance, own = lanes[0], lanes[1]
        state = rows[0]
        for number in range(games):
            rows[0] = opening[0]
            seed_stream(chance, words, number, GAME_STREAM)
            seed_stream(own, words, number, POLICY_STREAM)
            begin(setup, state, chance, None)
            while not state.over:
                if state.seats > 0:
                    seat = state.to_move
                    if kinds[seat, 0] == ZOMBIE:
                        plan_zombie(state, seat, own)
                    elif kinds[seat, 0] == T800:
                        plan_t800(state, seat, own)
                    else:
                        numbers = BOLD if kinds[seat, 0] == GENERAL else WISE
                        plan_general(state, seat, own, scratch, kinds[seat, 1], numbers)
                advance(apply, state, end if state.seats > 0 else go, chance, None)
            winners = 0
            for seat in range(state.seats):
                if won(state, seat):
                    winners += 1
                    counts[seat] += 1
            counts[-2] += winners == 0
            counts[-1] += state.round

    return play
