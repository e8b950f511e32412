"""A sequential test: is the new bot better than the old one? It stops as soon as the answer is certain.

The unit is a pair: one seed, both ways round; its score x is the new bot's mean of the two, from 0 to 1. Two bets run
side by side, each against one claim. The bet against "it scores ``worse`` at most" multiplies its stake by
1 + λ (x − worse) with every pair; were the claim true, no such bet could grow but by luck, and the chance that it
ever grows to 1/alpha is at most alpha, however long one watches (Ville). Once it does: better. Likewise the bet against
"it scores ``better`` at least", with 1/beta: not better. Each stake is spread over many λ at first, so that a
clear difference shows after few pairs and a small one shows at all: a mixture sequential probability ratio test, which
assumes nothing about draws, luck or the shape of the scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from parlour.arena.rating import Interval
from parlour.engine.errors import ParlourError

BETTER, NOT_BETTER, UNDECIDED = "better", "not better", "undecided"
BETS = 64
GRID = [step / 400 for step in range(1, 400)]  # the scores that an interval can end at


@dataclass
class Claims:
    """What is tested: scores at most ``worse``, against scores at least ``better``, and the risks of being wrong."""

    worse: float = 0.5
    better: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.worse < self.better < 1:
            raise ParlourError(
                f"the scores to tell apart lie between 0 and 1, the lower one first, not {self.worse} and {self.better}"
            )
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 0.5:
                raise ParlourError(f"{name} is the risk of a wrong answer, between 0 and 0.5, not {risk}")


def _fractions() -> NDArray[np.float64]:
    """Which parts of the largest possible bet are made: small ones close together."""
    return np.geomspace(0.002, 0.98, BETS)


@dataclass
class SequentialTest:
    """The test so far. ``add`` one pair after the other, until there is an answer."""

    claims: Claims = field(default_factory=Claims)
    scores: list[float] = field(default_factory=list)
    answer: str = UNDECIDED

    def __post_init__(self) -> None:
        self._better = np.zeros(BETS)  # the logarithms of what each bet has become
        self._not_better = np.zeros(BETS)

    def add(self, score: float) -> str:
        """Take the score of one more pair; returns the answer so far."""
        if self.answer != UNDECIDED:
            return self.answer
        self.scores.append(score)
        claims = self.claims
        self._better += np.log1p(_fractions() / claims.worse * (score - claims.worse))
        self._not_better += np.log1p(_fractions() / (1 - claims.better) * (claims.better - score))
        if _stake(self._better) >= math.log(1 / claims.alpha):
            self.answer = BETTER
        elif _stake(self._not_better) >= math.log(1 / claims.beta):
            self.answer = NOT_BETTER
        return self.answer

    @property
    def progress(self) -> tuple[float, float]:
        """How far each answer is on its way, 1 being certain: better, not better."""
        claims = self.claims
        return (
            max(0.0, _stake(self._better) / math.log(1 / claims.alpha)),
            max(0.0, _stake(self._not_better) / math.log(1 / claims.beta)),
        )

    def interval(self) -> Interval:
        """The new bot's score, with an interval that holds whenever one looks: the risk is alpha below, beta above."""
        if not self.scores:
            return Interval(0.0, 0.0, 1.0)
        scores = np.array(self.scores)
        value = float(scores.mean())
        too_low = [mean for mean in GRID if mean < value and _bet(scores - mean, mean) >= -math.log(self.claims.alpha)]
        too_high = [
            mean for mean in GRID if mean > value and _bet(mean - scores, 1 - mean) >= -math.log(self.claims.beta)
        ]
        return Interval(value, max(too_low, default=0.0), min(too_high, default=1.0))


def _stake(bets: NDArray[np.float64]) -> float:
    """The logarithm of the mean of all bets."""
    return float(np.logaddexp.reduce(bets) - math.log(len(bets)))


def _bet(differences: NDArray[np.float64], worst: float) -> float:
    """The logarithm of what a stake becomes that bets on positive differences, the worst of which is −worst."""
    return _stake(np.log1p(np.outer(_fractions() / worst, differences)).sum(axis=1))
