"""Looking ahead: try an action, go on like a sensible runner, and see where everybody stands a little later.

Every action is tried with the same dice, so that their difference is theirs and not that of luck. Another action is
preferred to the sensible one only where the trials leave little doubt.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine import Game, State
from parlour.engine.advice import CERTAIN
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import jit, new_scratch
from parlour.engine.turns import advance
from parlour.games.mazerunner.bots.evaluation import evaluate
from parlour.games.mazerunner.bots.features import FEATURES
from parlour.games.mazerunner.bots.network import OUTPUT, WHOLE, chance_of, network
from parlour.games.mazerunner.bots.pathfinding import ROOM
from parlour.games.mazerunner.bots.policy import decide
from parlour.games.mazerunner.bots.style import THUMB, TUNED, Style

NO_NETWORK: NDArray[np.int64] = np.zeros((OUTPUT + 1, 0), np.int64)


class Way(NamedTuple):
    """A way of looking ahead."""

    style: Style  # in which everybody goes on
    weights: NDArray[np.int64]  # of the network that judges; with no units, the evaluation by hand does
    whole_round: bool  # until the runner's next turn, or only until the end of this one
    first_trials: int  # of every action; those that look worse are then left out
    doubt: float  # standard errors by which another action must be better


@cache
def way(*, tuned: bool) -> Way:
    """The way of ``runner:6``, or that of ``runner:5``."""
    return Way(TUNED, network(), False, 64, 1.0) if tuned else Way(THUMB, NO_NETWORK, True, 32, 2.0)


def make_trials(game: Game) -> Callable[..., None]:
    legal, apply, won = game.legal, game.apply, game.won

    @jit
    def trials(
        root: Any,
        rows: Any,
        scratch: Any,
        lanes: Any,
        action: int,
        values: Any,
        style: Any,
        weights: Any,
        whole_round: bool,
        room: Any,
        features: Any,
        sums: Any,
    ) -> None:
        """Fill ``values``: what the seat to move can expect after the action, once for each of the lanes."""
        chance, actions = scratch[0].chance, scratch[0].actions
        state = rows[0]
        seat = root[0].to_move
        end = root[0].turns + (root[0].seats if whole_round else 1)
        for number in range(len(values)):
            rows[0] = root[0]
            for lane in range(4):
                chance[lane] = lanes[number, lane]
            advance(apply, state, action, chance, None)
            while not state.over and state.turns < end:
                count = legal(state, actions)
                advance(apply, state, decide(state, style, actions, count, room), chance, None)
            if state.over:
                values[number] = 1.0 if won(state, seat) else 0.0
            elif len(sums) > 0:
                values[number] = chance_of(state, seat, weights, features, sums) / WHOLE
            else:
                values[number] = evaluate(state, seat) / CERTAIN

    return trials


@cache
def compiled_trials(game: Game) -> Callable[..., None]:
    """The compiled trials of the game; compiled now, or taken from the cache."""
    with compiling(game, "lookahead.make_trials", "lookahead", [decide, evaluate, chance_of]):
        trials = make_trials(game)
        nothing = Lookahead(game, way(tuned=False), trials)
        nothing.try_out(0, np.ones((0, 4), np.int64))
    return trials


class Lookahead:
    """Trials from one position after the other."""

    def __init__(self, game: Game, way: Way, run: Callable[..., None] | None = None) -> None:
        self._game, self._way = game, way
        self._run = run or compiled_trials(game)
        self._root, self._rows, self._scratch = game.layout.rows(1), game.layout.rows(1), new_scratch(game)
        self._room, self._features = np.zeros(ROOM, np.int64), np.zeros(FEATURES, np.int64)
        self._sums = np.zeros(way.weights.shape[1], np.int64)

    def try_out(self, action: int, lanes: NDArray[np.int64]) -> NDArray[np.float64]:
        """What the seat can expect after the action: a chance to win from 0 to 1 for each of the lanes."""
        values, way = np.zeros(len(lanes)), self._way
        told = (way.style, way.weights, way.whole_round, self._room, self._features, self._sums)
        self._run(self._root, self._rows, self._scratch, lanes, action, values, *told)
        return values

    def best(self, state: State, legal: list[int], sensible: int, trials: int, seed: int) -> int:
        """The best of the legal actions, as far as the trials tell; the sensible one where they do not."""
        self._game.layout.write(state, self._root, 0)
        lanes = _lanes(trials, seed)
        kept = list(legal)
        values = {action: np.zeros(0) for action in legal}
        tried, goal = 0, min(self._way.first_trials, trials)
        while tried < trials and len(kept) > 1:
            for action in kept:
                values[action] = np.concatenate([values[action], self.try_out(action, lanes[tried:goal])])
            tried, goal = goal, min(2 * goal, trials)
            best = sorted(kept, key=lambda action: -values[action].mean())
            kept = [sensible, *[action for action in best if action != sensible][: max(1, len(best) // 2)]]
        better = max(kept, key=lambda action: float(values[action].mean()))
        return better if _is_surely_better(values[better], values[sensible], self._way.doubt) else sensible

    def ranking(self, state: State, legal: list[int], trials: int, seed: int) -> list[tuple[int, int, float]]:
        """Every action, its trials, and the chance to win that they promise; the best first."""
        self._game.layout.write(state, self._root, 0)
        lanes = _lanes(trials, seed)
        found = [(action, trials, float(self.try_out(action, lanes).mean())) for action in legal]
        return sorted(found, key=lambda item: -item[2])


def _lanes(trials: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(1, 1 << 32, (trials, 4), np.int64)


def _is_surely_better(new: NDArray[np.float64], old: NDArray[np.float64], doubt: float) -> bool:
    difference = new - old
    return bool(difference.mean() > doubt * difference.std() / math.sqrt(len(difference)))
