"""Trials of a turn: end it, let every seat go on like a wise general for some rounds, and see how good that is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from parlour.engine import Game, State
from parlour.engine.advice import CERTAIN
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import jit
from parlour.engine.turns import advance
from parlour.games.game17 import rules
from parlour.games.game17.bots.evaluation import evaluate
from parlour.games.game17.bots.general import SCRATCH, WISE, plan_general

ROUNDS = 8  # that a trial goes on
MOST = 0.99  # nothing is called certain unless every trial was won


def make_trials(game: Game) -> Callable[..., None]:
    apply, end = game.apply, rules.END

    @jit
    def trials(root: Any, rows: Any, lanes: Any, chance: Any, scratch: Any, values: Any) -> None:
        """Fill ``values``: what the seat to move can expect of its orders, once for each of the lanes."""
        state = rows[0]
        seat = root[0].to_move
        last = root[0].round + ROUNDS
        for number in range(len(values)):
            rows[0] = root[0]
            for lane in range(4):
                chance[lane] = lanes[number, lane]
            advance(apply, state, end, chance, None)
            while not state.over and state.round < last:
                plan_general(state, state.to_move, chance, scratch, 0, WISE)
                advance(apply, state, end, chance, None)
            values[number] = evaluate(state, seat) / CERTAIN

    return trials


@cache
def compiled_trials(game: Game) -> Callable[..., None]:
    """The compiled trials; compiled now, or taken from the cache."""
    with compiling(game, "trials.make_trials", "trials"):
        trials = make_trials(game)
        row, ones = game.layout.rows(1), np.ones((1, 4), np.int64)
        trials(row, row, ones[:0], ones[0], np.zeros(SCRATCH, np.int64), np.zeros(0))
    return trials


class Trials:
    """Trials of one turn after the other."""

    def __init__(self, game: Game) -> None:
        self._game, self._run = game, compiled_trials(game)
        self._root, self._rows = game.layout.rows(1), game.layout.rows(1)
        self._chance, self._scratch = np.ones(4, np.int64), np.zeros(SCRATCH, np.int64)

    def chance(self, state: State, trials: int, seed: int) -> float:
        """The seat's chance to win if it ends its turn with the orders it has given. The seed sets the dice."""
        self._game.layout.write(state, self._root, 0)
        lanes = np.random.default_rng(seed).integers(1, 1 << 32, (trials, 4), np.int64)
        values = np.zeros(trials)
        self._run(self._root, self._rows, lanes, self._chance, self._scratch, values)
        return 1.0 if values.min() == 1 else min(float(values.mean()), MOST)
