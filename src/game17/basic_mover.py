"""``make_moves`` as a mover: the same function for every turn, told how many rounds are left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MakeMoves = Callable[[int, int, Any, Any], Any]
Mover = Callable[[Any, Any], Any]
GetMover = Callable[..., Mover]


class BasicMover:
    """Calls ``make_moves`` and counts the rounds: the first call is told ``num_rounds`` − 1, the last 0.

    A mover is called once a round. Whoever knows the round better sets ``rounds_left`` before the call.
    """

    def __init__(self, make_moves: MakeMoves, owner: int, num_rounds: int) -> None:
        self.make_moves = make_moves
        self.owner = owner
        self.rounds_left = num_rounds

    def __call__(self, owners: Any, numbers: Any) -> Any:
        self.rounds_left -= 1
        return self.make_moves(self.owner, self.rounds_left, owners, numbers)


def get_mover_factory(make_moves: MakeMoves) -> GetMover:
    """A ``get_mover`` whose movers ask ``make_moves``."""

    def get_mover(
        owner: Any = None, owners: Any = None, numbers: Any = None, turn_order: Any = None, num_rounds: Any = None
    ) -> BasicMover:
        return BasicMover(make_moves, owner, num_rounds)

    return get_mover
