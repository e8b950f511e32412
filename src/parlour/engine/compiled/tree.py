"""The tree that a search grows: nodes as columns of numbers, children in the order of their actions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NO_NODE = -1
MAX_DEPTH = 512


class Tree(NamedTuple):
    """The nodes, column by column; ``used[0]`` counts them."""

    action: Any
    child: Any  # the first child, or NO_NODE
    sibling: Any  # the next child of the same parent, or NO_NODE
    visits: Any
    value: Any  # to the seat that chose this node: the sum of what it got; in minimax, what the node is worth
    prior: Any  # in minimax: how likely it looked to be the best of its siblings
    used: Any

    @classmethod
    def of(cls, capacity: int) -> Tree:
        return cls(
            np.zeros(capacity, np.int32),
            np.full(capacity, NO_NODE, np.int32),
            np.full(capacity, NO_NODE, np.int32),
            np.zeros(capacity, np.int64),
            np.zeros(capacity, np.float64),
            np.zeros(capacity, np.float32),
            np.ones(1, np.int64),
        )

    def grown(self) -> Tree:
        """The same tree with room for twice as many nodes."""
        larger = Tree.of(2 * len(self.action))
        for mine, other in zip(self[:-1], larger[:-1], strict=True):
            other[: len(mine)] = mine
        larger.used[0] = self.used[0]
        return larger

    def children(self, node: int) -> list[int]:
        """The nodes under a node."""
        found, child = [], int(self.child[node])
        while child != NO_NODE:
            found.append(child)
            child = int(self.sibling[child])
        return found
