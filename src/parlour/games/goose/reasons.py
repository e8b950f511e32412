"""Why something cannot be done."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.goose import GAME


def why_not(state: State, tried: Sequence[str]) -> Explanation:
    """Clause 3: there is nothing to decide."""
    return Explanation(GAME.said("There is nothing to choose: throw both dice, and your goose walks by itself."), 3)
