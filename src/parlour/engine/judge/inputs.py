"""What a judge looks at: which rows of weights the features of a game have."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from parlour.engine.errors import ParlourError
from parlour.engine.features import Feature
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import MOST_INPUTS

FEW = 16  # a number of more values than this has knots instead of a row for every value
WIDEST = 1 << 29  # beyond this, values of a number are not told apart


@dataclass(frozen=True)
class Inputs:
    """The first parts of ``Weights``, which depend on the game alone, and how many rows there are."""

    first: list[int]
    low: list[int]
    high: list[int]
    wide: list[int]
    wide_first: list[int]
    wide_low: list[int]
    wide_high: list[int]
    wide_bits: list[int]
    rows: int

    @property
    def columns(self) -> list[list[int]]:
        """All but the number of rows."""
        narrow, wide = [self.first, self.low, self.high], [self.wide, self.wide_first, self.wide_low, self.wide_high]
        return [*narrow, *wide, self.wide_bits]


@cache
def inputs(game: Game) -> Inputs:
    """The inputs of a game's judges."""
    if game.observation_size > MOST_INPUTS:
        raise ParlourError(
            f"{game.name} shows {game.observation_size:,} numbers; a judge takes at most {MOST_INPUTS:,}"
        )
    made = Inputs([], [], [], [], [], [], [], [], 0)
    rows = 0
    for place, feature in enumerate(_numbers(game)):
        low, high = max(feature.low, -WIDEST), min(feature.high, WIDEST)
        if feature.drawn:
            low = high = 0
        if high - low > FEW:
            rows = _add_wide(made, place, low, high, rows)
            low = high = 0
        lowest = low if low < 0 else max(low, 1)  # the lowest value that has a row; 0 never has one
        made.first.append(rows - lowest)
        made.low.append(low)
        made.high.append(high)
        rows += max(high - lowest + 1, 0)
    return dataclasses.replace(made, rows=rows)


def _add_wide(made: Inputs, place: int, low: int, high: int, rows: int) -> int:
    """Add a number of many values, with at most 17 knots; how many rows there are then."""
    bits = (high - low).bit_length() - 4
    made.wide.append(place)
    made.wide_first.append(rows)
    made.wide_low.append(low)
    made.wide_high.append(high)
    made.wide_bits.append(bits)
    return rows + (high - low >> bits) + 2


def _numbers(game: Game) -> Iterator[Feature]:
    """The feature of every number that a learner sees."""
    for feature in game.features:
        for _ in range(feature.size):
            yield feature


def fingerprint(game: Game) -> str:
    """A hash of what the game shows to learners: a judge fits only the features that it was trained on."""
    shown = [(f.name, list(f.shape), f.low, f.high, f.drawn) for f in game.features]
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
