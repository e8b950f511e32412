"""Random play over masks, as fast as NumPy can: for warming up, for exploring, and for measuring an environment."""

from __future__ import annotations

from typing import Any

import numpy as np

FEW = 64  # actions; up to so many, to go through them action by action is faster than to list what is legal

_usual = np.random.Generator(np.random.SFC64())


def random_legal(mask: Any, rng: np.random.Generator | None = None) -> Any:
    """One legal action for each row of a mask, all equally likely; 0 where a row has none.

    ``rng`` is a generator of NumPy's; with one of your own, the same seed gives the same actions.
    """
    luck = (_usual if rng is None else rng).random(len(mask), np.float32)
    return _of_few(mask, luck) if mask.shape[1] <= FEW else _of_many(mask, luck)


def _of_few(mask: Any, luck: Any) -> Any:
    """The place of a random one among the legal ones of its row, then the action that is there.

    ``counts`` has a line for each action: how many legal ones there are up to it, in every row.
    """
    counts = np.empty(mask.shape[::-1], np.int8)
    np.copyto(counts, mask.T, casting="unsafe")
    for action in range(1, len(counts)):
        counts[action] += counts[action - 1]
    place = (luck * counts[-1]).astype(np.int8)
    np.minimum(place, counts[-1] - 1, out=place)  # a product of floats may be rounded up to the count
    return (counts <= place).sum(axis=0, dtype=np.int8).astype(np.int64)


def _of_many(mask: Any, luck: Any) -> Any:
    legal = np.flatnonzero(mask)
    counts = np.count_nonzero(mask, axis=1)
    place = np.minimum((luck * counts).astype(np.int64), counts - 1)
    first = np.cumsum(counts) - counts
    if not len(legal):
        return np.zeros(len(mask), np.int64)
    chosen = legal[np.minimum(first + np.maximum(place, 0), len(legal) - 1)] % mask.shape[1]
    return np.where(counts > 0, chosen, 0)
