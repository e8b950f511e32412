"""Looking ahead: try an action, go on like a sensible runner, and see where everybody stands when the turn comes again.

Every action is tried with the same dice, so that their difference is theirs and not that of luck. Another action is
preferred to the sensible one only where the trials leave little doubt.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine import Game, State
from parlour.engine.advice import CERTAIN
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import jit, new_scratch
from parlour.engine.turns import advance
from parlour.games.mazerunner.bots.evaluation import evaluate
from parlour.games.mazerunner.bots.policy import policy

FIRST_TRIALS = 32  # of every action; those that look worse are then left out
DOUBT = 2.0  # standard errors by which another action must be better


def make_trials(game: Game) -> Callable[..., None]:
    legal, apply, won = game.legal, game.apply, game.won

    @jit
    def trials(root: Any, rows: Any, scratch: Any, lanes: Any, action: int, values: Any) -> None:
        """Fill ``values``: what the seat to move can expect after the action, once for each of the lanes."""
        chance, actions = scratch[0].chance, scratch[0].actions
        state = rows[0]
        seat = root[0].to_move
        end = root[0].turns + root[0].seats
        for number in range(len(values)):
            rows[0] = root[0]
            for lane in range(4):
                chance[lane] = lanes[number, lane]
            advance(apply, state, action, chance, None)
            while not state.over and state.turns < end:
                count = legal(state, actions)
                advance(apply, state, policy(state, actions, count, chance), chance, None)
            if not state.over:
                values[number] = evaluate(state, seat)
            else:
                values[number] = CERTAIN if won(state, seat) else 0

    return trials


@cache
def compiled_trials(game: Game) -> Callable[..., None]:
    """The compiled trials of the game; compiled now, or taken from the cache."""
    with compiling(game, "lookahead.make_trials", "lookahead"):
        trials = make_trials(game)
        root = game.layout.rows(1)
        trials(root, root, new_scratch(game), np.ones((0, 4), np.int64), 0, np.zeros(0))
    return trials


class Lookahead:
    """Trials from one position after the other."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._run = compiled_trials(game)
        self._root, self._rows, self._scratch = game.layout.rows(1), game.layout.rows(1), new_scratch(game)

    def best(self, state: State, legal: list[int], sensible: int, trials: int, seed: int) -> int:
        """The best of the legal actions, as far as the trials tell; the sensible one where they do not."""
        self._game.layout.write(state, self._root, 0)
        lanes = np.random.default_rng(seed).integers(1, 1 << 32, (trials, 4), np.int64)
        kept = list(legal)
        values = {action: np.zeros(0) for action in legal}
        tried, goal = 0, min(FIRST_TRIALS, trials)
        while tried < trials and len(kept) > 1:
            for action in kept:
                more = np.zeros(goal - tried)
                self._run(self._root, self._rows, self._scratch, lanes[tried:goal], action, more)
                values[action] = np.concatenate([values[action], more])
            tried, goal = goal, min(2 * goal, trials)
            best = sorted(kept, key=lambda action: -values[action].mean())
            kept = [sensible, *[action for action in best if action != sensible][: max(1, len(best) // 2)]]
        better = max(kept, key=lambda action: float(values[action].mean()))
        return better if _is_surely_better(values[better], values[sensible]) else sensible

    def ranking(self, state: State, legal: list[int], trials: int, seed: int) -> list[tuple[int, int, float]]:
        """Every action, its trials, and the chance to win that they promise; the best first."""
        self._game.layout.write(state, self._root, 0)
        lanes = np.random.default_rng(seed).integers(1, 1 << 32, (trials, 4), np.int64)
        values = np.zeros(trials)
        found = []
        for action in legal:
            self._run(self._root, self._rows, self._scratch, lanes, action, values)
            found.append((action, trials, float(values.mean()) / CERTAIN))
        return sorted(found, key=lambda item: -item[2])


def _is_surely_better(new: NDArray[np.float64], old: NDArray[np.float64]) -> bool:
    difference = new - old
    return bool(difference.mean() > DOUBT * difference.std() / math.sqrt(len(difference)))
