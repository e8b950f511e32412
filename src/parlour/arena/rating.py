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
PAIR = 2.0  # matches
ELO = 400 / math.log(10)
LEVEL = 0.95
Z = 1.959963984540054  # the normal quantile for LEVEL
STEPS = 200
EXACT = 1e-9
WORK = 2e9  # about so many multiplications may go into the intervals
AT_ONCE = 2e6  # about so many numbers are worked on at a time


@dataclass(frozen=True)
class Interval:
    """An estimate, and where the truth lies with 95%."""

    value: float
    low: float
    high: float


def wilson(share: float, observations: int) -> Interval:
    """A share with Wilson's interval. Where nothing was observed, everything is possible.

    An observation is whatever is independent of the others: matches under one seed are one. It need not be all or
    nothing; a share in between varies less, so the interval is then too wide rather than too narrow.
    """
    if observations <= 0:
        return Interval(0.0, 0.0, 1.0)
    spread = Z * Z / observations
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(max(share * (1 - share), 0.0) / observations + spread / observations / 4)
    return Interval(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


class Groups:
    """Results in groups of matches with the same bots and the same seed: each group is one observation.

    ``tables[g]`` are the bots of group g, and ``points[g]`` what each of them got in all its matches.
    """

    def __init__(self, bots: int, tables: Sequence[Sequence[int]], points: Sequence[Sequence[float]]) -> None:
        self.bots = bots
        self.count = len(tables)
        seats = max(map(len, tables), default=1)
        self.seated = np.full((self.count, seats), bots)  # by group and seat; where nobody sits, a bot too many
        self.points = np.zeros((self.count, seats))
        for group, (table, got) in enumerate(zip(tables, points, strict=True)):
            order = sorted(range(len(table)), key=table.__getitem__)
            self.seated[group, : len(table)] = [table[seat] for seat in order]
            self.points[group, : len(table)] = [got[seat] for seat in order]
        self.given = self.points.sum(axis=1)
        self.kinds, kind = np.unique(self.seated, axis=0, return_inverse=True)
        self.kind = kind.reshape(-1)  # of every group, as a row of ``kinds``: groups of one kind have the same bots

    def of_bots(self) -> list[int]:
        """In how many groups each bot took part."""
        counts: list[int] = np.bincount(self.seated.ravel(), minlength=self.bots + 1)[: self.bots].tolist()
        return counts

    def sums(self, weights: Floats) -> tuple[Floats, Floats]:
        """Every bot's points, and the points given at every kind of table, with groups counted by weight."""
        got = np.bincount(self.seated.ravel(), (weights[:, None] * self.points).ravel(), minlength=self.bots + 1)
        at_tables = np.bincount(self.kind, weights * self.given, minlength=len(self.kinds))
        return got[: self.bots].astype(np.float64), at_tables.astype(np.float64)


def ratings(groups: Groups, seed: int = 0, resamples: int = 1000) -> list[Interval]:
    """Every bot's rating with its 95% interval.

    The interval is a Bayesian bootstrap over the groups: each resample gives every group a random weight. So that
    one-sided results are not called certain, every bot has besides won one pair of matches and lost one against a bot
    of strength 1, with weights drawn like all others. From few groups a bootstrap comes out too narrow; ``widening``
    makes up for that. benchmarks/arena/coverage.py tells how often such intervals hold the truth.
    """
    if not groups.bots:
        return []
    value = _centred(_solve(groups, [np.ones(groups.count)], np.full((1, 2, groups.bots), PRIOR / 2)))[0]
    random = np.random.default_rng(seed)
    batches = []
    for size in _batches(groups, resamples):
        weights = [random.exponential(size=groups.count) for _ in range(size)]
        pairs = PAIR * random.exponential(size=(size, 2, groups.bots))
        batches.append(_centred(_solve(groups, weights, pairs, value)))
    drawn = np.concatenate(batches)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    wider = np.array([widening(count) for count in groups.of_bots()])
    low, high = np.minimum(value + wider * (low - value), value), np.maximum(value + wider * (high - value), value)
    return [Interval(*(float(ELO * part) for part in parts)) for parts in zip(value, low, high, strict=True)]


def widening(observations: int) -> float:
    """By how much an interval from a Bayesian bootstrap over so few observations has to be widened.

    It takes the variance for smaller by (n - 1) / (n + 1) than it is, and the normal distribution for Student's.
    """
    count = max(observations, 2)
    return student(count - 1) / Z * math.sqrt((count + 1) / (count - 1))


def student(freedom: int) -> float:
    """The quantile of Student's distribution for LEVEL: exact for 1 and 2 degrees of freedom, else a series."""
    if freedom <= 2:
        return (12.706204736432095, 4.302652729911275)[freedom - 1]
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + math.fsum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def _batches(groups: Groups, resamples: int) -> list[int]:
    """Resamples, as many as are affordable, in parts that fit into memory."""
    pairs = groups.kinds.size * groups.kinds.shape[1]
    one = 4 * (pairs + groups.bots**3 + groups.points.size)
    left = max(100, min(resamples, int(WORK / one)))
    size = max(1, int(AT_ONCE / (pairs + groups.bots**2 + 1)))
    return [min(size, left - start) for start in range(0, left, size)]


def _centred(logs: Floats) -> Floats:
    return np.asarray(logs - logs.mean(axis=-1, keepdims=True))


def _solve(groups: Groups, weights: Sequence[Floats], prior: Floats, start: Floats | None = None) -> Floats:
    """The logarithms of the strengths that make the results most likely, a row for each weighting of the groups.

    Newton's method, with ever shorter steps where a whole one would not climb. ``prior`` has, in each row, the
    weights of every bot's prior win and loss.
    """
    sums = [groups.sums(row) for row in weights]
    problem = _Likelihood(groups, np.array([row[0] for row in sums]), np.array([row[1] for row in sums]), prior)
    logs = np.zeros_like(problem.points) if start is None else np.tile(start, (len(sums), 1))
    here = problem.height(logs)
    for _ in range(STEPS):
        step = problem.step(logs)
        there = problem.height(logs + step)
        while (falls := (there < here - 1e-12) & (np.abs(step).max(axis=1) > EXACT)).any():
            step[falls] /= 2
            there = problem.height(logs + step)
        logs, here = logs + step, there
        if np.abs(step).max() < EXACT:
            break
    return logs


class _Likelihood:
    """How likely results are, by the logarithms of the strengths; everything has a row for each weighting."""

    def __init__(self, groups: Groups, points: Floats, given: Floats, prior: Floats) -> None:
        self.kinds = groups.kinds
        self.bots = groups.bots
        self.points = points
        self.given = given
        self.won, self.lost = np.moveaxis(prior + 1e-6, 1, 0)  # a weight may be drawn as nothing; a peak must exist

    def _seated(self, logs: Floats) -> tuple[Floats, Floats]:
        """The logarithms by kind of table and seat, and those of their sums by kind of table."""
        nobody = np.full((len(logs), 1), -np.inf)
        at = np.concatenate((logs, nobody), axis=1)[:, self.kinds]
        top = at.max(axis=2)
        return at, top + np.log(np.exp(at - top[:, :, None]).sum(axis=2))

    def height(self, logs: Floats) -> Floats:
        _, sums = self._seated(logs)
        prior = self.won * logs - (self.won + self.lost) * np.logaddexp(0.0, logs)
        return np.asarray((self.points * logs + prior).sum(axis=1) - (self.given * sums).sum(axis=1))

    def step(self, logs: Floats) -> Floats:
        at, sums = self._seated(logs)
        chances = np.exp(at - sums[:, :, None])
        weighted = self.given[:, :, None] * chances
        expected = self._added(self.kinds, weighted, self.bots + 1)[:, : self.bots]
        pairs = self.kinds[:, :, None] * (self.bots + 1) + self.kinds[:, None, :]
        both = self._added(pairs, weighted[:, :, :, None] * chances[:, :, None, :], (self.bots + 1) ** 2)
        chance, prior = 1 / (1 + np.exp(-logs)), self.won + self.lost
        slope = self.points - expected + self.won - prior * chance
        bend = -both.reshape(len(logs), self.bots + 1, self.bots + 1)[:, : self.bots, : self.bots]
        places = np.arange(self.bots)
        bend[:, places, places] += expected + prior * chance * (1 - chance) + 1e-12
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        return np.asarray(step * np.minimum(1.0, 3.0 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300)))

    def _added(self, places: NDArray[np.intp], values: Floats, size: int) -> Floats:
        """The values of each row added up by their place."""
        rows = len(values)
        offsets = np.arange(rows).reshape(-1, *[1] * places.ndim) * size
        added = np.bincount((offsets + places).ravel(), values.ravel(), minlength=rows * size)
        return added.astype(np.float64).reshape(rows, size)


def expected_score(difference: float) -> float:
    """What a bot scores against one that is rated lower by the difference."""
    return 1 / (1 + 10 ** (-difference / 400))
