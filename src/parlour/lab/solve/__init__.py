"""Solving small games with secrets: a policy that nobody can gain much against, and how much that is, exactly."""

from parlour.lab.solve.policy import Solution, solve
from parlour.lab.solve.tree import GameTree, grow

__all__ = ["GameTree", "Solution", "grow", "solve"]
