"""The arithmetic of a judge once more, in plain Python: for where there is no NumPy, such as a browser.

It says what ``arithmetic`` says, to the byte. What numbers of many values add up to while they are 0 is worked out
beforehand, and rows of weights are added up all at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import compress

from parlour.engine.errors import BadJudge
from parlour.engine.judge.arithmetic import BITS, ONE, PARTS, WHOLE, chance_of
from parlour.engine.judge.contents import Contents
from parlour.engine.judge.curve import chance_table
from parlour.engine.judge.inputs import inputs
from parlour.engine.state import State

Sums = list[int]  # one for each unit


class PlainJudge:
    """What says how likely each seat is to win, and needs nothing but Python."""

    def __init__(self, found: Contents, others: Iterable[PlainJudge] = ()) -> None:
        self.game, about, weights, self._final = found
        self._trained_with = frozenset[int](about.record["seats"])
        self._others = tuple(others)
        units, self._inputs = about.units, inputs(self.game)
        numbers = array("h", weights)  # wherever a browser or Python runs today, the low byte comes first
        rows = [numbers[at : at + units].tolist() for at in range(0, len(numbers), units)]
        self._hidden, bias, self._output = rows[:-2], rows[-2], rows[-1]
        self._chance = chance_table(tuple(about.curve))
        self._at_rest = [self._knots(number, 0) for number in range(len(self._inputs.wide))]
        self._rest = _added([bias, *self._at_rest])  # the sums of the units where every feature is 0

    def chances(self, state: State) -> list[float]:
        """How likely each seat is to win, from 0 to 1, in a match that goes on."""
        seats, mover = int(state.seats), int(state.to_move)
        judge = self._at(seats)
        if seats == 2:
            chance = judge.chance(self.game.observed(state, mover))
            found = [chance if seat == mover else WHOLE - chance for seat in range(2)]
        else:
            found = [judge.chance(self.game.observed(state, seat)) for seat in range(seats)]
            found = [chance * WHOLE // max(sum(found), 1) for chance in found] if seats > 1 else found
        return [chance / WHOLE for chance in found]

    def _at(self, seats: int) -> PlainJudge:
        for judge in (self, *self._others):
            if seats in judge._trained_with:
                return judge
        raise BadJudge(f"no judge of {self.game.name} was trained with {seats} seats")

    def chance(self, features: list[int]) -> int:
        """The chance to win of the seat that sees these features, from 0 to WHOLE."""
        total = self._final
        for level, weight in zip(_added([self._rest, *self._rows(features)]), self._output, strict=True):
            if level > 0:
                level = min(level, ONE)
                total += (level * level >> BITS) * weight
        return int(chance_of(total, self._chance))

    def _rows(self, features: list[int]) -> list[Sums]:
        """The rows of all numbers that are not 0, and by how much those of many values change the sums."""
        known, found = self._inputs, list[Sums]()
        for place in compress(range(len(features)), features):
            value = min(max(features[place], known.low[place]), known.high[place])
            if value != 0:
                found.append(self._hidden[known.first[place] + value])
        for number, place in enumerate(known.wide):
            if features[place] != 0:
                moved = zip(self._knots(number, features[place]), self._at_rest[number], strict=True)
                found.append([now - before for now, before in moved])
        return found

    def _knots(self, number: int, value: int) -> Sums:
        """For a number of many values: the rows of the two knots around it, by how near they are."""
        known = self._inputs
        above = min(max(value, known.wide_low[number]), known.wide_high[number]) - known.wide_low[number]
        bits = known.wide_bits[number]
        knot = above >> bits
        part = above - (knot << bits)
        part = part << PARTS - bits if bits < PARTS else part >> bits - PARTS
        row = known.wide_first[number] + knot
        both = zip(self._hidden[row], self._hidden[row + 1], strict=True)
        return [below * ((1 << PARTS) - part) + beyond * part >> PARTS for below, beyond in both]


def _added(rows: list[Sums]) -> Sums:
    return [sum(column) for column in zip(*rows, strict=True)]
