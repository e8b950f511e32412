"""A small network that says how likely a runner is to win, at the start of a turn. All its numbers are whole.

Each living runner gets a total: its features are weighed into some sums, what is below 0 in them is cut off (but not in
the first), and they are weighed once more. A total that is higher by 1 << SUM_BITS + OUTPUT_BITS means twice the odds.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine import State, rule
from parlour.games.mazerunner.bots.features import FEATURES, see
from parlour.games.mazerunner.rules.runner import is_alive

FILE = "network.npy"  # a row of weights for every feature; then what the sums begin with; then what they count
BIAS, OUTPUT = FEATURES, FEATURES + 1
SUM_BITS, OUTPUT_BITS = 16, 12  # what stands for 1 in the weights of the sums, and in those of the output
WHOLE = 1 << 16  # a chance of one, and odds of one
FARTHEST = 20  # doublings; odds are cut off there
# Between two powers of two: 1 + x × (0.6565 + 0.3435 × x) is at most 0.4% off.
SLOPE, BEND = 43025, 22511


@cache
def network() -> NDArray[np.int64]:
    """The weights that come with the game. Totals need more than the 32 bits that each weight has in the file."""
    with (resources.files(__package__) / FILE).open("rb") as file:
        return np.asarray(np.load(file), np.int64)


@rule
def chance_of(state: State, seat: int, weights: Any, features: Any, sums: Any) -> int:
    """The seat's chance to win, of WHOLE."""
    if not is_alive(state, seat):
        return 0
    own = total_of(state, seat, weights, features, sums)
    odds = WHOLE
    for other in range(state.seats):
        if other != seat and is_alive(state, other):
            odds += odds_of(total_of(state, other, weights, features, sums) - own)
    return WHOLE * WHOLE // odds


@rule
def total_of(state: State, seat: int, weights: Any, features: Any, sums: Any) -> int:
    """The total of one runner."""
    see(state, seat, features)
    for unit in range(len(sums)):
        sums[unit] = weights[BIAS, unit]
    for place in range(FEATURES):
        value = features[place]
        if value != 0:
            for unit in range(len(sums)):
                sums[unit] += value * weights[place, unit]
    total = sums[0] * weights[OUTPUT, 0]
    for unit in range(1, len(sums)):
        total += max(sums[unit], 0) * weights[OUTPUT, unit]
    return int(total)


@rule
def odds_of(total: int) -> int:
    """Two to the power of what a total stands for, of WHOLE."""
    power = total >> OUTPUT_BITS
    doublings = min(max(power >> SUM_BITS, -FARTHEST), FARTHEST)
    part = power & WHOLE - 1
    odds = WHOLE + (part * (SLOPE + (BEND * part >> SUM_BITS)) >> SUM_BITS)
    return odds << doublings if doublings >= 0 else odds >> -doublings
