"""A live ladder: openskill's Bradley–Terry model for free-for-alls, brought up to date after every match.

Winners come first and everybody else second, however many there are of each; where nobody wins, all are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

from openskill.models import BradleyTerryFull

from parlour.arena.results import BROKEN, Result


@dataclass(frozen=True)
class Skill:
    """What the ladder thinks of a bot: 25 is where everyone begins, and sigma how unsure it is."""

    mu: float
    sigma: float

    @property
    def low(self) -> float:
        return self.mu - 2 * self.sigma

    @property
    def high(self) -> float:
        return self.mu + 2 * self.sigma


class Ladder:
    def __init__(self, bots: int) -> None:
        self._model = BradleyTerryFull()
        self._ratings = [self._model.rating() for _ in range(bots)]

    def add(self, result: Result) -> None:
        if result.ended == BROKEN or len(result.bots) < 2:
            return
        ranks = [0.0 if seat in result.winners or not result.winners else 1.0 for seat in range(len(result.bots))]
        rated = self._model.rate([[self._ratings[bot]] for bot in result.bots], ranks=ranks)
        for bot, (rating,) in zip(result.bots, rated, strict=True):
            self._ratings[bot] = rating

    def skills(self) -> list[Skill]:
        return [Skill(float(rating.mu), float(rating.sigma)) for rating in self._ratings]

    def leader(self) -> int:
        """The bot that is best for sure: by mu less three sigma."""
        return max(range(len(self._ratings)), key=lambda bot: self._ratings[bot].ordinal())
