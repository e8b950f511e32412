"""The arithmetic of a judge: whole numbers, and the same interpreted, compiled and on a GPU, to the byte.

A judge has one hidden layer. Every value of a feature has a row of weights. The rows of a position are added up, one
sum for each unit. A sum is cut to lie between 0 and ONE, squared, and weighed; a table makes a chance of the total
(``curve`` says which).

No number exceeds 32 bits. Weights have 16 bits, and a position has at most MOST_INPUTS rows: less than 2 ** 31 in all.
The squares are at most ONE each, and ``file`` refuses output weights that could add up to more than 2 ** 31.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.engine.rule import rule

BITS = 10
ONE = 1 << BITS  # the number that stands for 1 in weights and sums
WHOLE = 1 << 16  # a chance of one
MOST_INPUTS = 60_000
PARTS = 8  # bits: how finely values between two knots are told apart

# The total stands for the logarithm of the odds. Beyond ±8 it is cut off; the table has 16 knots from one to the next.
TOTAL_BITS = 2 * BITS
FARTHEST = 8
KNOT_BITS = TOTAL_BITS - 4
KNOTS = 2 * FARTHEST << 4


class Weights(NamedTuple):
    """A judge's numbers. Interpreted they are lists, compiled they are arrays.

    ``first``, ``low`` and ``high`` have an item for every number that a learner sees: row ``first + value`` of
    ``hidden`` is that of the value, which is cut to lie between low and high. A value of 0 has no row. Numbers of many
    values are in the lists called ``wide`` instead: they have a row for every knot, 2 ** ``wide_bits`` values apart.
    """

    first: Any
    low: Any
    high: Any
    wide: Any  # the places of such numbers
    wide_first: Any
    wide_low: Any
    wide_high: Any
    wide_bits: Any
    hidden: Any  # a row of weights for every value
    bias: Any
    output: Any
    final: Any  # one item: what the total begins with
    chance: Any  # the chance at every knot of the total


class Grid:
    """Rows of plain numbers that are read as compiled code reads an array: ``grid[row, place]``."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows

    def __getitem__(self, at: tuple[int, int]) -> int:
        return self.rows[at[0]][at[1]]


@rule
def find_rows(features: Any, weights: Weights, active: Any) -> Any:
    """List the rows of all numbers that are not 0; how many there are."""
    count = 0
    for place in range(len(weights.first)):
        value = features[place]
        if value != 0:
            value = min(max(value, weights.low[place]), weights.high[place])
            active[count] = weights.first[place] + value
            count += 1 if value != 0 else 0
    return count


@rule
def add_rows(active: Any, count: int, hidden: Any, sums: Any) -> None:
    """Add these rows. Four at a time is faster: the sums are then read and written a quarter as often."""
    units = len(sums)
    for fourth in range(count // 4):
        place = 4 * fourth
        first, second, third, last = active[place], active[place + 1], active[place + 2], active[place + 3]
        for unit in range(units):
            # The sum comes first: numbers of 16 bits, added up by themselves, would wrap in the GPU's simulator.
            total = sums[unit] + hidden[first, unit] + hidden[second, unit]
            sums[unit] = total + hidden[third, unit] + hidden[last, unit]
    for place in range(count - count % 4, count):
        row = active[place]
        for unit in range(units):
            sums[unit] += hidden[row, unit]


@rule
def add_wide(features: Any, weights: Weights, sums: Any) -> None:
    """Add the rows of all numbers of many values."""
    for number in range(len(weights.wide)):
        add_knots(features[weights.wide[number]], number, 1, weights, sums)


@rule
def add_knots(value: Any, number: int, sign: int, weights: Weights, sums: Any) -> None:
    """Add the rows of the two knots around a number of many values, by how near they are; or take them away."""
    hidden = weights.hidden
    above = min(max(value, weights.wide_low[number]), weights.wide_high[number]) - weights.wide_low[number]
    bits = weights.wide_bits[number]
    knot = above >> bits
    part = above - (knot << bits)
    part = part << PARTS - bits if bits < PARTS else part >> bits - PARTS
    row = weights.wide_first[number] + knot
    following = row + 1
    for unit in range(len(sums)):
        sums[unit] += sign * (hidden[row, unit] * ((1 << PARTS) - part) + hidden[following, unit] * part >> PARTS)


@rule
def change_rows(room: Any, weights: Weights) -> None:
    """From the sums of the base to those of a position that is much like it: only the rows that differ are added.

    Several features are compared at once: ``feature_words`` and ``base_words`` are the same memory as words of 64 bits.
    """
    features, base, sums = room.features, room.base, room.sums
    size, each = len(features), room.each[0]
    for word in range(len(room.feature_words)):
        if room.feature_words[word] != room.base_words[word]:
            for place in range(word * each, min((word + 1) * each, size)):
                if features[place] != base[place]:
                    change_row(features[place], base[place], place, weights, sums)
    for number in range(len(weights.wide)):
        place = weights.wide[number]
        if features[place] != base[place]:
            add_knots(base[place], number, -1, weights, sums)
            add_knots(features[place], number, 1, weights, sums)


@rule
def change_row(value: Any, before: Any, place: int, weights: Weights, sums: Any) -> None:
    """Add the row of a value, and take away that of the value before."""
    hidden, first = weights.hidden, weights.first[place]
    value = min(max(value, weights.low[place]), weights.high[place])
    before = min(max(before, weights.low[place]), weights.high[place])
    if value != 0:
        row = first + value
        for unit in range(len(sums)):
            sums[unit] += hidden[row, unit]
    if before != 0:
        row = first + before
        for unit in range(len(sums)):
            sums[unit] -= hidden[row, unit]


@rule
def weigh(weights: Weights, sums: Any) -> Any:
    """The total of all units."""
    total = weights.final[0]
    for unit in range(len(sums)):
        level = min(max(sums[unit], 0), ONE)
        total += (level * level >> BITS) * weights.output[unit]
    return total


@rule
def chance_of(total: Any, chance: Any) -> Any:
    """The chance that a total stands for, from 0 to WHOLE."""
    above = min(max(total + (FARTHEST << TOTAL_BITS), 0), (2 * FARTHEST << TOTAL_BITS) - 1)
    knot = above >> KNOT_BITS
    part = above - (knot << KNOT_BITS)
    return chance[knot] + ((chance[knot + 1] - chance[knot]) * part >> KNOT_BITS)


@rule
def chance_seen(features: Any, weights: Weights, active: Any, sums: Any) -> Any:
    """The chance to win of the seat that sees these features, from 0 to WHOLE."""
    for unit in range(len(sums)):
        sums[unit] = weights.bias[unit]
    add_rows(active, find_rows(features, weights, active), weights.hidden, sums)
    add_wide(features, weights, sums)
    return chance_of(weigh(weights, sums), weights.chance)


@rule
def chance_near(observe: Callable[..., None], state: Any, view: int, weights: Weights, room: Any) -> Any:
    """The chance of the seat ``view``, from its own view, for a position that is much like the base."""
    for place in range(len(room.features)):
        room.features[place] = 0
    observe(state, view, room.features)
    for unit in range(len(room.sums)):
        room.sums[unit] = room.base_sums[unit]
    change_rows(room, weights)
    return chance_of(weigh(weights, room.sums), weights.chance)


@rule
def chance_from(
    observe: Callable[..., None], state: Any, view: int, weights: Weights, features: Any, active: Any, sums: Any
) -> Any:
    """The chance of the seat ``view``, from its own view."""
    for place in range(len(features)):
        features[place] = 0
    observe(state, view, features)
    return chance_seen(features, weights, active, sums)


@rule
def chance_for(
    observe: Callable[..., None], state: Any, seat: int, weights: Weights, features: Any, active: Any, sums: Any
) -> Any:
    """The chance of one seat. Of two seats, the view of the one to move tells both chances."""
    view = state.to_move if state.seats == 2 else seat
    chance = chance_from(observe, state, view, weights, features, active, sums)
    return chance if seat == view else WHOLE - chance


@rule
def chances_of_all(
    observe: Callable[..., None], state: Any, weights: Weights, features: Any, active: Any, sums: Any, chances: Any
) -> None:
    """The chance of every seat, from 0 to WHOLE. Of several seats, they add up to WHOLE, but for what is rounded."""
    total = 0
    for seat in range(state.seats):
        if state.seats != 2 or seat == state.to_move:
            chances[seat] = chance_from(observe, state, seat, weights, features, active, sums)
            total += chances[seat]
    if state.seats == 2:
        chances[1 - state.to_move] = WHOLE - chances[state.to_move]
    elif state.seats > 2:
        for seat in range(state.seats):
            chances[seat] = chances[seat] * WHOLE // max(total, 1)
