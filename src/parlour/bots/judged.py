"""``judge``: a bot that looks one ply ahead, and plays what a judge likes best."""

from __future__ import annotations

import numpy as np

from parlour.engine.advice import Advice
from parlour.engine.bots import Decision, Ranking
from parlour.engine.compiled.judging import compiled_look, judging_scratch
from parlour.engine.judge.file import Judge

THROWS = 8  # of dice, for each action, where the judge can see what they show
EXPLORE, EXPLORE_DICE = 0.5, 0.1


class OnePly:
    """The action after which the judge gives the seat the best chance; where dice have a part, on average."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.game = judge, judge.game
        self._throws = THROWS if judge.sees_dice else 1
        self._look = compiled_look(self.game, judge.units)
        self._rows = self.game.layout.rows(2)
        self._scratch = judging_scratch(self.game, judge.units)
        self._worths = np.zeros(self.game.max_actions)

    def choose(self, decision: Decision) -> int:
        if len(decision.legal) == 1:
            return decision.legal[0]
        best = self.rank(decision)
        equal = [action for action, _, worth in best if worth == best[0][2]]
        return equal[decision.chance.below(len(equal))]

    def rank(self, decision: Decision) -> Ranking:
        """Every action and the chance it leaves; the best first."""
        judge = self.judge.at(decision.state.seats)
        self.game.layout.write(decision.state, self._rows, 0)
        self._scratch["chance"] = [decision.chance.below(1 << 30) + 1 for _ in range(4)]
        count = self._look(self._rows, self._scratch, judge.weights, self._throws, self._worths)
        actions = self._scratch["actions"][0][:count].tolist()
        ranked = [(action, 1, float(worth)) for action, worth in zip(actions, self._worths, strict=False)]
        return sorted(ranked, key=lambda item: (-item[2], item[0]))


def search_advice(judge: Judge) -> Advice:
    """How to search with a judge: by minimax where two seats play without dice, by replies where dice fall."""
    if judge.game.seats == (2, 2) and not judge.has_dice:
        return Advice(minimax=True, explore=EXPLORE)
    if judge.has_dice:
        return Advice(replies=1, explore=EXPLORE_DICE)
    return Advice(explore=EXPLORE)
