"""The arithmetic of a judge once more, by NumPy: for single positions, where nothing is to be compiled.

It says what ``arithmetic`` says, to the byte. All numbers of a kind are done at once, and most features are 0: what
these add up to is worked out beforehand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from parlour.engine.judge.arithmetic import BITS, ONE, PARTS, WHOLE, Weights, chance_of
from parlour.engine.state import State

Numbers = NDArray[np.int32]  # no sum needs more: see ``arithmetic``


class QuickJudge:
    """What a judge with these weights says of a position."""

    def __init__(self, observe: Callable[..., None], size: int, weights: Weights) -> None:
        self.observe, self.size, self.weights = observe, size, weights
        self._chance = weights.chance.tolist()
        everywhere = np.arange(len(weights.wide))
        at_rest = self._wide(everywhere, np.zeros(len(everywhere), np.int32))
        self._rest: Numbers = weights.bias + at_rest  # the sums of the units where every feature is 0

    def chances(self, state: State) -> list[int]:
        """The chance of every seat, from 0 to WHOLE: see ``arithmetic.chances_of_all``."""
        seats, mover = int(state.seats), int(state.to_move)
        if seats == 2:
            chance = self._from(state, mover)
            return [chance if seat == mover else WHOLE - chance for seat in range(2)]
        found = [self._from(state, seat) for seat in range(seats)]
        return [chance * WHOLE // max(sum(found), 1) for chance in found] if seats > 1 else found

    def _from(self, state: State, seat: int) -> int:
        features = [0] * self.size
        self.observe(state, seat, features)
        return self.chance(np.array(features))

    def chance(self, features: NDArray[np.int64]) -> int:
        """The chance to win of the seat that sees these features, from 0 to WHOLE."""
        weights = self.weights
        levels = np.clip(self._rest + self._narrow(features) + self._moved(features), 0, ONE)
        total = int(weights.final[0]) + int(((levels * levels >> BITS) * weights.output).sum())
        return int(chance_of(total, self._chance))

    def _narrow(self, features: NDArray[np.int64]) -> Numbers:
        """The sum of the rows of all numbers that are not 0."""
        weights = self.weights
        places = np.flatnonzero(features)
        values = np.clip(features[places], weights.low[places], weights.high[places])
        rows = weights.first[places] + values
        found: Numbers = weights.hidden[rows[values != 0]].sum(axis=0, dtype=np.int32)
        return found

    def _moved(self, features: NDArray[np.int64]) -> Numbers | int:
        """By how much the sums change because some numbers of many values are not 0."""
        values = features[self.weights.wide]
        which = np.flatnonzero(values)
        if not len(which):
            return 0
        return self._wide(which, values[which]) - self._wide(which, np.zeros(len(which), np.int64))

    def _wide(self, which: NDArray[np.int64], values: NDArray[np.int64]) -> Numbers:
        """For these numbers of many values: the rows of the two knots around each, by how near they are."""
        weights = self.weights
        low, bits = weights.wide_low[which], weights.wide_bits[which]
        above = np.clip(values, low, weights.wide_high[which]) - low
        knots = above >> bits
        parts = above - (knots << bits)
        parts = np.where(bits < PARTS, parts << np.maximum(PARTS - bits, 0), parts >> np.maximum(bits - PARTS, 0))
        rows, near = weights.wide_first[which] + knots, parts.astype(np.int32)[:, None]
        below, beyond = weights.hidden[rows].astype(np.int32), weights.hidden[rows + 1].astype(np.int32)
        found: Numbers = (below * ((1 << PARTS) - near) + beyond * near >> PARTS).sum(axis=0, dtype=np.int32)
        return found
