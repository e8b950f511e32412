"""Ratings from all results at once: the Bradley–Terry model, for tables of any size.

A bot has a strength w, and wins a match with the probability w / (sum of the strengths at its table). At a table of
two that is Bradley and Terry's model; with more seats the winner is compared with everybody, and who did not win with
nobody. A point that is shared counts in parts. Strengths are given as ratings on Elo's scale: 400 more is ten times
the strength; 0 is the mean of the bots rated together.

Every bot has also half won and half lost one match (``PRIOR``) against a bot of strength 1, so that one-sided results
have finite ratings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PRIOR = 1.0
ELO = 400 / math.log(10)
LEVEL = 0.95
Z = 1.959963984540054  # the normal quantile for LEVEL
STEPS = 200
EXACT = 1e-9
WORK = 2e9  # about so many multiplications may go into the intervals


@dataclass(frozen=True)
class Interval:
    """An estimate, and where the truth lies with 95%."""

    value: float
    low: float
    high: float


def wilson(points: float, count: int) -> Interval:
    """A share of ``count``, with Wilson's interval. Of nothing, everything is possible."""
    if count <= 0:
        return Interval(0.0, 0.0, 1.0)
    share, spread = points / count, Z * Z / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(max(share * (1 - share), 0.0) / count + spread / count / 4)
    return Interval(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


class Groups:
    """Results in groups of matches with the same bots and the same seed: what is drawn together in a bootstrap.

    ``tables[g]`` are the bots of group g, and ``points[g]`` what each of them got in all its matches.
    """

    def __init__(self, bots: int, tables: Sequence[Sequence[int]], points: Sequence[Sequence[float]]) -> None:
        self.bots = bots
        kinds = sorted({tuple(sorted(table)) for table in tables})
        place = {kind: number for number, kind in enumerate(kinds)}
        self.kind = np.array([place[tuple(sorted(table))] for table in tables], dtype=np.intp)
        self.seated = np.zeros((len(kinds), bots))
        for number, kind in enumerate(kinds):
            self.seated[number, list(kind)] = 1.0
        self.points = np.zeros((len(tables), bots))
        for group, (table, got) in enumerate(zip(tables, points, strict=True)):
            self.points[group, list(table)] = got
        self.given = self.points.sum(axis=1)

    def sums(self, weights: Floats) -> tuple[Floats, Floats]:
        """Every bot's points, and the points given at every kind of table, with groups counted by weight."""
        at_tables = np.bincount(self.kind, weights * self.given, minlength=len(self.seated))
        return weights @ self.points, at_tables.astype(np.float64)


def ratings(groups: Groups, seed: int = 0, resamples: int = 1000) -> list[Interval]:
    """Every bot's rating with its 95% interval, by a Bayesian bootstrap over the groups.

    Each resample gives every group a random weight, and the prior's half matches too: so one-sided results, which
    an ordinary bootstrap would call certain, keep honest intervals.
    """
    if not groups.bots:
        return []
    best = _solve(groups, np.ones(len(groups.kind)), np.full((2, groups.bots), PRIOR / 2), np.zeros(groups.bots))
    random = np.random.default_rng(seed)
    drawn = np.empty((_affordable(groups, resamples), groups.bots))
    for number in range(len(drawn)):
        weights = random.exponential(size=len(groups.kind))
        drawn[number] = _centred(_solve(groups, weights, random.gamma(PRIOR / 2, size=(2, groups.bots)), best))
    value = _centred(best)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    low, high = np.minimum(low, value), np.maximum(high, value)
    return [Interval(*(float(ELO * part) for part in parts)) for parts in zip(value, low, high, strict=True)]


def _affordable(groups: Groups, resamples: int) -> int:
    one = 4 * (len(groups.seated) * groups.bots**2 + groups.bots**3 + groups.points.size)
    return max(100, min(resamples, int(WORK / one)))


def _centred(logs: Floats) -> Floats:
    return np.asarray(logs - logs.mean())


def _solve(groups: Groups, weights: Floats, prior: Floats, start: Floats) -> Floats:
    """The logarithms of the strengths that make the results most likely: Newton's method, with ever shorter steps
    where a whole one would not climb. ``prior`` has the weights of each bot's prior win and loss.
    """
    points, given = groups.sums(weights)
    won, lost = prior + 1e-6  # a weight may be drawn as nothing; the peak must still be somewhere
    seated = groups.seated

    def height(logs: Floats) -> float:
        tables = _log_sums(seated, logs)
        against = np.logaddexp(0.0, logs)
        return float(points @ logs - given @ tables + won @ logs - (won + lost) @ against)

    logs, here = start.copy(), height(start)
    for _ in range(STEPS):
        chances = seated * np.exp(logs - _log_sums(seated, logs)[:, None])
        expected = given @ chances
        chance = 1 / (1 + np.exp(-logs))
        slope = points - expected + won - (won + lost) * chance
        bend = np.diag(expected + (won + lost) * chance * (1 - chance) + 1e-12) - chances.T @ (given[:, None] * chances)
        step = np.linalg.solve(bend, slope)
        step *= min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-300))
        while (there := height(logs + step)) < here - 1e-12 and np.abs(step).max() > EXACT:
            step /= 2
        logs, here = logs + step, there
        if np.abs(step).max() < EXACT:
            break
    return logs


def _log_sums(seated: Floats, logs: Floats) -> Floats:
    """The logarithm of the sum of strengths at every kind of table."""
    top = logs.max(initial=0.0)
    return np.asarray(np.log(seated @ np.exp(logs - top)) + top)


def expected_score(difference: float) -> float:
    """What a bot scores against one that is rated lower by the difference."""
    return 1 / (1 + 10 ** (-difference / 400))
