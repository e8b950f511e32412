"""The tree that a search grows: nodes as columns of numbers, children in the order of their actions."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.chance import below
from parlour.engine.rule import rule

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


@rule
def select(tree, node, actions, count, chance, explore):
    """The child to go to: one that was never played, if a legal action has none; else the most promising.

    One that was never played gets a node, which nobody has visited yet.
    """
    unplayed = 0
    best, best_bound = NO_NODE, -1.0
    log_visits = math.log(tree.visits[node] + 1.0)
    child, before = tree.child[node], NO_NODE
    chosen, chosen_before = -1, NO_NODE
    for index in range(count):
        action = actions[index]
        while child != NO_NODE and tree.action[child] < action:
            before, child = child, tree.sibling[child]
        if child == NO_NODE or tree.action[child] != action:
            unplayed += 1
            if below(chance, unplayed) == 0:  # each of them equally likely, without knowing how many there are
                chosen, chosen_before = index, before
        elif unplayed == 0:
            visits = tree.visits[child]
            bound = tree.value[child] / visits + explore * math.sqrt(log_visits / visits)
            if bound > best_bound:
                best, best_bound = child, bound
    if chosen < 0:
        return best
    fresh = tree.used[0]
    tree.used[0] += 1
    tree.action[fresh] = actions[chosen]
    tree.child[fresh] = NO_NODE
    tree.visits[fresh] = 0
    tree.value[fresh] = 0.0
    if chosen_before == NO_NODE:
        tree.sibling[fresh] = tree.child[node]
        tree.child[node] = fresh
    else:
        tree.sibling[fresh] = tree.sibling[chosen_before]
        tree.sibling[chosen_before] = fresh
    return fresh
