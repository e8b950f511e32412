"""A policy for all seats, how good it is, and how it is found."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.lab.solve import cfr
from parlour.lab.solve.tree import GameTree

FIRST_LOOK = 16  # rounds until it is looked at how good the policy is; then after twice as many each time


@dataclass(frozen=True)
class Solution:
    """A policy: of every information set, how likely each action is. ``values`` is what it is worth to each seat.

    ``gains`` is what each seat could gain by another policy while the others keep theirs; ``exploitability`` is that on
    average. With two seats and scores that add up to the same, nobody can win more against it than that.
    """

    tree: GameTree
    policy: Any  # [P]
    values: tuple[float, ...]
    gains: tuple[float, ...]
    rounds: int = 0
    seconds: float = 0.0

    @property
    def exploitability(self) -> float:
        return sum(self.gains) / len(self.gains)

    def at(self, number: int) -> dict[int, float]:
        """How likely each action is at that information set."""
        first = int(self.tree.places[number])
        return {action: float(self.policy[first + place]) for place, action in enumerate(self.tree.actions[number])}


def uniform(tree: GameTree) -> Any:
    """The policy that chooses all actions alike."""
    widths = np.diff(tree.places)
    return np.repeat(1.0 / widths, widths)


def measure(tree: GameTree, policy: Any, rounds: int = 0, seconds: float = 0.0) -> Solution:
    """How good a policy is, exactly."""
    nodes, size = tree.nodes, len(tree.nodes.seat)
    own, others, worth, gains = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(len(policy))
    ways = nodes.seat, nodes.first, nodes.count, nodes.place
    values, replies = [], []
    for seat in range(tree.seats):
        scores = np.ascontiguousarray(nodes.scores[:, seat])
        cfr.walk_up(*ways, scores, policy, worth)
        values.append(float(worth[0]))
        known = nodes.set, scores, tree.places, tree.owners, tree.depths
        replies.append(cfr.best_reply(*ways, *known, policy.copy(), seat, own, others, worth, gains))
    found = tuple(max(0.0, float(reply) - value) for reply, value in zip(replies, values, strict=True))
    return Solution(tree, policy, tuple(values), found, rounds, seconds)


def solve(tree: GameTree, *, goal: float = 1e-3, rounds: int = 100_000) -> Solution:
    """Improve a policy until nobody gains more than the goal on average, or for so many rounds."""
    nodes, size, numbers = tree.nodes, len(tree.nodes.seat), int(tree.places[-1])
    regrets, sums, policy = np.zeros(numbers), np.zeros(numbers), np.zeros(numbers)
    own, others, worth = np.zeros(size), np.zeros(size), np.zeros(size)
    ways = nodes.seat, nodes.first, nodes.count, nodes.place, np.ascontiguousarray(nodes.scores.T)
    scratch = regrets, sums, policy, own, others, worth
    found, done, began = measure(tree, uniform(tree)), 0, time.perf_counter()
    while found.exploitability > goal and done < rounds:
        more = min(max(FIRST_LOOK, done), rounds - done)
        cfr.improve(*ways, tree.places, tree.seats, more, done, *scratch)
        done += more
        found = measure(tree, _average(tree, sums), done, time.perf_counter() - began)
    return found


def _average(tree: GameTree, sums: Any) -> Any:
    """The policy of all rounds together; where a seat never came, all actions alike."""
    totals = np.repeat(np.add.reduceat(sums, tree.places[:-1]), np.diff(tree.places))
    return np.where(totals > 0, sums / np.where(totals > 0, totals, 1.0), uniform(tree))
