"""Actions as learners name them.

In most games they are the game's own numbers. A game with very many of them, such as game17, would need masks of
millions; there, a learner's action is the place of a legal action among all legal ones, ascending.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.game import Game

MOST_NUMBERS = 2**16


class LearnerActions:
    """How a learner chooses in a game."""

    def __init__(self, game: Game) -> None:
        self.by_place = game.action_space > MOST_NUMBERS
        self.size = game.max_actions if self.by_place else game.action_space

    def mask(self, legal: list[int]) -> Any:
        """1 for each action that the learner may choose."""
        mask = np.zeros(self.size, np.int8)
        mask[range(len(legal)) if self.by_place else legal] = 1
        return mask

    def action(self, legal: list[int], chosen: int) -> int | None:
        """The game's action, or None where the learner may not choose it."""
        if self.by_place:
            return legal[chosen] if 0 <= chosen < len(legal) else None
        return chosen if chosen in legal else None

    def named(self, legal: list[int]) -> list[int]:
        """What the learner may choose."""
        return list(range(len(legal))) if self.by_place else legal
