"""Connect Four solved exactly: the value of a position, by alpha-beta over bitboards with a table, compiled.

A position is two numbers: the discs of the seat to move, and all discs. Columns are seven bits each, from below, the
seventh always empty. The value is that of the seat to move: 1 for a win, 0 for a draw, −1 for a loss.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from parlour.engine.state import State

COLUMNS, ROWS, HEIGHT = 7, 6, 7
BOTTOM = sum(1 << HEIGHT * column for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)
ORDER = (3, 2, 4, 1, 5, 0, 6)  # the middle first
TABLE = 8_388_593  # a prime, so that all bits of a key tell places apart


@numba.njit(cache=True)
def lines_of(discs: int, all_discs: int) -> int:
    """The empty places that would make four of these discs in a line."""
    found = (discs << 1) & (discs << 2) & (discs << 3)
    for step in (HEIGHT, HEIGHT - 1, HEIGHT + 1):
        pairs = (discs << step) & (discs << 2 * step)
        found |= pairs & (discs << 3 * step)
        found |= pairs & (discs >> step)
        pairs = (discs >> step) & (discs >> 2 * step)
        found |= pairs & (discs << step)
        found |= pairs & (discs >> 3 * step)
    return found & (FULL ^ all_discs)


@numba.njit(cache=True)
def bits_of(number: int) -> int:
    """How many bits are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@numba.njit(cache=True)
def solve(mine: int, all_discs: int, alpha: int, beta: int, keys: Any, values: Any, rooms: Any, depth: int) -> int:
    """The value, if it lies between alpha and beta; else a bound of it."""
    free = (all_discs + BOTTOM) & FULL
    if free == 0:
        return 0
    theirs = mine ^ all_discs
    if lines_of(mine, all_discs) & free:
        return 1
    threats = lines_of(theirs, all_discs)
    forced = free & threats
    if forced:
        if forced & (forced - 1):
            return -1
        free = forced
    free &= ~(threats >> 1)  # below a threat: the other seat would win on top
    if free == 0:
        return -1 if (all_discs + BOTTOM) & FULL else 0
    key = mine + all_discs + BOTTOM
    place = key % TABLE
    if keys[place] == key:
        low, high = values[place, 0], values[place, 1]
        if low >= beta or low == high:
            return int(low)
        if high <= alpha:
            return int(high)
        alpha, beta = max(alpha, low), min(beta, high)
    else:
        low, high = -1, 1
    best, floor = -1, alpha
    moves, worths, count = rooms[depth, 0], rooms[depth, 1], 0
    for column in ORDER:
        move = free & (((1 << ROWS) - 1) << HEIGHT * column)
        if move:
            worth, at = bits_of(lines_of(mine | move, all_discs | move)), count
            while at > 0 and worths[at - 1] < worth:
                moves[at], worths[at] = moves[at - 1], worths[at - 1]
                at -= 1
            moves[at], worths[at] = move, worth
            count += 1
    for at in range(count):
        after = all_discs | moves[at]
        best = max(best, -solve(theirs, after, -beta, -max(alpha, best), keys, values, rooms, depth + 1))
        if best >= beta:
            break
    keys[place] = key
    values[place, 0] = best if best > floor else low
    values[place, 1] = best if best < beta else high
    return best


class Solver:
    """Solves positions, and remembers what it found."""

    def __init__(self) -> None:
        self.keys = np.zeros(TABLE, np.int64)
        self.values = np.zeros((TABLE, 2), np.int8)
        self.rooms = np.zeros((COLUMNS * ROWS + 1, 2, COLUMNS), np.int64)

    def value(self, mine: int, all_discs: int) -> int:
        return int(solve(mine, all_discs, -1, 1, self.keys, self.values, self.rooms, 0))

    def best_actions(self, state: State) -> set[int]:
        """The columns that keep what the position is worth."""
        mine, theirs = state.discs[state.to_move], state.discs[1 - state.to_move]
        found = {}
        for column in range(COLUMNS):
            if state.height[column] < ROWS:
                after = mine | 1 << HEIGHT * column + state.height[column]
                won = is_line(after)
                found[column] = 1 if won else -self.value(theirs, after | theirs)
        return {column for column, value in found.items() if value == max(found.values())}


def is_line(discs: int) -> bool:
    """Whether four of these discs are in a line."""
    for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
