"""Who plays mazerunner well: the runner, at levels from 1 to 5, and advice for the search.

``runner`` plays by the rules of thumb in tactics. From level 4 on it also looks ahead; below level 3 it slips.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from parlour.engine.advice import Advice
from parlour.games.mazerunner.judge import evaluate
from parlour.games.mazerunner.rules.actions import MAX_ACTIONS
from parlour.games.mazerunner.tactics import policy

ADVICE = Advice(evaluate=evaluate, policy=policy, depth=40, explore=0.1)

STEPS = {1: (0, 25), 2: (0, 10), 3: (0, 0), 4: (16, 0), 5: (128, 0)}
"""By level: the trials of each action, and how many actions in a hundred are simply any."""


class Runner:
    """Plays by rules of thumb, looks ahead if it has trials, and slips now and then."""

    def __init__(self, trials: int = 0, slips: int = 0) -> None:
        self.trials = trials
        self.slips = slips
        self._lookahead: Any = None

    def choose(self, decision: Any) -> int:
        legal = list(decision.legal)
        if len(legal) == 1:
            return int(legal[0])
        if self.slips and decision.chance.below(100) < self.slips:
            return int(legal[decision.chance.below(len(legal))])
        sensible = int(policy(decision.state, legal + [0] * (MAX_ACTIONS - len(legal)), len(legal), decision.chance))
        return self._look_ahead(decision, legal, sensible) if self.trials else sensible

    def _look_ahead(self, decision: Any, legal: list[int], sensible: int) -> int:
        if self._lookahead is None:
            from parlour.games.mazerunner.lookahead import Lookahead  # it brings Numba along

            self._lookahead = Lookahead(decision.game, self.trials)
        return int(self._lookahead.best(decision.state, legal, sensible, decision.chance.below(1 << 30)))


BOTS: dict[str, Callable[[], Runner]] = {
    "runner": Runner,
    **{f"runner:{level}": partial(Runner, *steps) for level, steps in STEPS.items()},
}
