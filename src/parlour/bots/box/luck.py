"""A bot's own random numbers: the same again where a match is played again, whichever generator it takes them from."""

from __future__ import annotations

import random
import sys
from typing import Any

_seed = random.Random.seed


def seed_generators(number: int) -> None:
    """Begin Python's and NumPy's generators anew, and have those that are made without a seed begin from this one."""
    source = random.Random(number)

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        _seed(self, source.getrandbits(128) if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    random.seed = random._inst.seed
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.bit_generator.randbits = source.getrandbits
        numpy.random.seed(number % 2**32)
