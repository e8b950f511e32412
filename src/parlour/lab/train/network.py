"""The network while it learns: a judge in fractions, its gradient, and Adam's steps down that gradient.

The judge that comes of it is the same network, rounded to whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.engine.compiled.compiling import compiling
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import ONE, TOTAL_BITS
from parlour.engine.judge.file import Judge
from parlour.engine.judge.inputs import inputs
from parlour.engine.rule import rule
from parlour.lab.train.self_play import Samples

SLICES = 4  # of a batch; each adds up a gradient of its own, so that the sum is the same on any number of cores
LARGEST = 31.9  # of a weight: it has to fit 16 bits
MOMENTUM, SPREAD, TINY = 0.9, 0.999, 1e-8  # as Adam's inventors have them


class Parameters(NamedTuple):
    """The numbers that are learnt, or a gradient of them, or Adam's memory of it."""

    hidden: Any
    bias: Any
    output: Any
    final: Any

    @classmethod
    def zeros(cls, rows: int, units: int) -> Parameters:
        shapes = ((rows, units), (units,), (units,), (1,))
        return cls(*(np.zeros(shape, np.float32) for shape in shapes))


class Rows(NamedTuple):
    """Which rows a position adds up, as ``Inputs`` has them, and room for one position's."""

    first: Any
    low: Any
    high: Any
    wide: Any
    wide_first: Any
    wide_low: Any
    wide_high: Any
    wide_bits: Any
    active: Any
    part: Any
    sums: Any

    @classmethod
    def of(cls, game: Game, units: int) -> Rows:
        known = inputs(game)
        size = len(known.first) + 2 * len(known.wide)
        rooms: list[Any] = [np.zeros(size, np.int64), np.zeros(size, np.float32), np.zeros(units, np.float32)]
        return cls(*[*(np.array(column, np.int64) for column in known.columns), *rooms])


@rule
def find_rows(seen: Any, rows: Rows) -> int:
    """The rows of a position and how much each counts; how many there are."""
    count = 0
    for place in range(len(rows.first)):
        value = np.int64(seen[place])
        if value != 0:
            value = min(max(value, rows.low[place]), rows.high[place])
            if value != 0:
                rows.active[count] = rows.first[place] + value
                rows.part[count] = 1.0
                count += 1
    for number in range(len(rows.wide)):
        value = np.int64(seen[rows.wide[number]])
        above = min(max(value, rows.wide_low[number]), rows.wide_high[number]) - rows.wide_low[number]
        knot = above >> rows.wide_bits[number]
        part = (above - (knot << rows.wide_bits[number])) / (1 << rows.wide_bits[number])
        rows.active[count] = rows.wide_first[number] + knot
        rows.part[count] = 1.0 - part
        rows.active[count + 1] = rows.wide_first[number] + knot + 1
        rows.part[count + 1] = part
        count += 2
    return count


@rule
def add_gradient(seen: Any, target: float, rows: Rows, net: Parameters, gradient: Parameters) -> float:
    """Add one position's part of the gradient; what it adds to the loss, the cross entropy."""
    units = len(net.bias)
    count = find_rows(seen, rows)
    sums = rows.sums
    for unit in range(units):
        sums[unit] = net.bias[unit]
    for number in range(count):
        row, part = rows.active[number], rows.part[number]
        for unit in range(units):
            sums[unit] += part * net.hidden[row, unit]
    total = net.final[0]
    for unit in range(units):
        level = min(max(sums[unit], np.float32(0)), np.float32(1))
        total += level * level * net.output[unit]
    chance = np.float32(1 / (1 + math.exp(-total)))
    error = chance - np.float32(target)
    gradient.final[0] += error
    for unit in range(units):
        level = min(max(sums[unit], np.float32(0)), np.float32(1))
        gradient.output[unit] += error * level * level
        sums[unit] = error * net.output[unit] * 2 * level if level < 1 else np.float32(0)
        gradient.bias[unit] += sums[unit]
    for number in range(count):
        row, part = rows.active[number], rows.part[number]
        for unit in range(units):
            gradient.hidden[row, unit] += part * sums[unit]
    sure = min(max(chance, np.float32(1e-6)), np.float32(1 - 1e-6))
    return -(target * math.log(sure) + (1 - target) * math.log(1 - sure))


def _make_gradient(game: Game) -> Callable[..., Any]:
    @numba.njit(cache=True, nogil=True, fastmath=True)
    def gradient_of(seen: Any, targets: Any, order: Any, rows: Any, net: Any, gradient: Any) -> float:
        loss = 0.0
        for number in order:
            loss += add_gradient(seen[number], targets[number], rows, net, gradient)
        return loss

    return gradient_of


@cache
def compiled_gradient(game: Game) -> Callable[..., float]:
    """(seen, targets, order, rows, net, gradient) -> the loss of these positions."""
    with compiling(game, "network._make_gradient", "learning", [find_rows, add_gradient]):
        gradient = _make_gradient(game)
        nothing, empty = np.zeros(0, np.int64), Parameters.zeros(1, 1)
        gradient(*Samples.of(game, 0), nothing, Rows.of(game, 1), empty, empty)
    return gradient


@numba.njit(nogil=True, fastmath=True)
def descend(
    net: Any, gradients: Any, mean: Any, square: Any, count: int, rate: float, along: float, across: float
) -> None:
    """One step of Adam. The gradients of all slices are added up and cleared."""
    for place in range(len(net)):
        slope = np.float32(0)
        for part in range(len(gradients)):
            slope += gradients[part, place]
            gradients[part, place] = 0
        slope /= count
        mean[place] += np.float32(1 - MOMENTUM) * (slope - mean[place])
        square[place] += np.float32(1 - SPREAD) * (slope * slope - square[place])
        step = rate * (mean[place] / along) / (math.sqrt(square[place] / across) + TINY)
        net[place] = min(max(net[place] - np.float32(step), np.float32(-LARGEST)), np.float32(LARGEST))


class Network:
    """The parameters, one after the other in one array, and Adam's memory of their gradient."""

    def __init__(self, game: Game, units: int, seed: int) -> None:
        self.game, self.units = game, units
        self.rows = inputs(game).rows
        size = self.rows * units + 2 * units + 1
        self.values, self.mean, self.square = (np.zeros(size, np.float32) for _ in range(3))
        self.steps = 0
        self._gradients = np.zeros((SLICES, size), np.float32)
        self._rooms = [Rows.of(game, units) for _ in range(SLICES)]
        random = np.random.default_rng(seed)
        net = self._parts(self.values)
        net.hidden[:] = random.normal(0, 0.05, net.hidden.shape)
        net.bias[:] = 0.2
        net.output[:] = random.normal(0, 0.1, units)

    def _parts(self, flat: Any) -> Parameters:
        cut = np.cumsum([self.rows * self.units, self.units, self.units])
        hidden, bias, output, final = np.split(flat, cut)
        return Parameters(hidden.reshape(self.rows, self.units), bias, output, final)

    def learn(self, samples: Samples, order: Any, rate: float, pool: ThreadPoolExecutor) -> float:
        """One step along the gradient of these positions; their loss."""
        gradient, net = compiled_gradient(self.game), self._parts(self.values)
        parts = np.array_split(order, SLICES)

        def add(number: int) -> float:
            own = self._parts(self._gradients[number])
            return gradient(*samples, parts[number], self._rooms[number], net, own)

        loss = sum(pool.map(add, range(SLICES)))
        self.steps += 1
        along, across = 1 - MOMENTUM**self.steps, 1 - SPREAD**self.steps
        descend(self.values, self._gradients, self.mean, self.square, len(order), rate, along, across)
        return loss / len(order)

    def begin_with(self, judge: Judge) -> None:
        """Go on from what a judge of the same size knows."""
        net = self._parts(self.values)
        net.hidden[:], net.bias[:], net.output[:] = judge.hidden / ONE, judge.bias / ONE, judge.output / ONE
        net.final[0] = judge.final / (1 << TOTAL_BITS)

    def judge(self, record: Mapping[str, Any]) -> Judge:
        """The network in whole numbers."""
        net = self._parts(self.values)
        hidden, bias, output = (np.rint(part * ONE).astype(np.int16) for part in net[:3])
        final = round(float(net.final[0]) * (1 << TOTAL_BITS))
        return Judge(self.game, hidden, bias, output, final, record)
