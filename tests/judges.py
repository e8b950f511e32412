"""Judges for tests: their weights are random, and so is what they say."""

from __future__ import annotations

import numpy as np

from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import FARTHEST, ONE
from parlour.engine.judge.curve import POINTS, STRAIGHT
from parlour.engine.judge.file import Judge
from parlour.engine.judge.inputs import inputs

UNITS = 8
BENT = tuple(point * abs(point) // (2 * FARTHEST * ONE) + place for place, point in enumerate(STRAIGHT, -POINTS // 2))


def any_judge(game: Game, largest: int, *, dice: bool = False) -> Judge:
    """A judge of few units whose weights are at most so large."""
    random = np.random.default_rng(1)
    shapes = ((inputs(game).rows, UNITS), (UNITS,), (UNITS,))
    hidden, bias, output = (random.integers(-largest, largest + 1, shape).astype(np.int16) for shape in shapes)
    seats = list(range(2, game.seats[1] + 1))
    record = {"seats": seats, "dice": dice, "options": {}, "throws": 1, "games": 0, "minutes": 0.0, "seed": 0}
    return Judge(game, hidden, bias, output, 1000, {**record, "loss": 0.0, "strength": []}, BENT)
