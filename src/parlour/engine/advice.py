"""What a game may tell whoever plays it: the part of its knowledge that the engine's search can use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

CERTAIN = 1000  # what an evaluation says of a sure win


@dataclass(frozen=True)
class Advice:
    """How to judge a position, and what to play in a playout.

    ``evaluate(state, seat)`` says how good a position is for a seat, from 0 (lost) to CERTAIN (won).
    ``policy(state, actions, count, chance)`` picks one of the legal actions.
    Both are rules. With an evaluation, playouts stop after ``depth`` plies and are judged.
    ``minimax`` is for two seats without dice: no playouts; every position in the tree is worth its best action.
    ``replies`` is for judges where dice fall: no tree; each action is tried many times with the same dice, and the next
    so many plies are what the judge likes best.
    ``explore`` is how much the search tries what looks worse so far.
    """

    evaluate: Callable[..., int] | None = None
    policy: Callable[..., int] | None = None
    depth: int = 0
    minimax: bool = False
    replies: int = 0
    explore: float = 1.0
