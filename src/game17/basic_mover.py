"""``make_moves`` as a mover: the same function for every turn, told how many rounds are left."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

MakeMoves = Callable[..., Any]
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
    """A ``get_mover`` whose movers ask ``make_moves``; one without ``rounds_left``, as it once was, will do."""
    if not _takes(make_moves, 1, 1, 1, 1) and _takes(make_moves, 1, 1, 1):
        return partial(_get_mover, lambda owner, _, owners, numbers: make_moves(owner, owners, numbers))
    return partial(_get_mover, make_moves)


def _get_mover(
    make_moves: MakeMoves,
    owner: Any = None,
    owners: Any = None,
    numbers: Any = None,
    turn_order: Any = None,
    num_rounds: Any = None,
) -> BasicMover:
    return BasicMover(make_moves, owner, num_rounds)


def asks(get_mover: GetMover, make_moves: MakeMoves) -> bool:
    """Whether it comes from ``get_mover_factory``, and its movers ask just that function."""
    return isinstance(get_mover, partial) and get_mover.func is _get_mover and get_mover.args == (make_moves,)


def as_get_mover(function: Callable[..., Any]) -> GetMover:
    """A ``get_mover`` as it is, and a ``make_moves`` as one: once that was a player itself."""
    is_get_mover = _takes(function, owner=1, owners=1, numbers=1, turn_order=1, num_rounds=1)
    return function if is_get_mover else get_mover_factory(function)


def _takes(function: Callable[..., Any], *arguments: int, **named: int) -> bool:
    """Whether it can be called like this, as far as anybody can tell."""
    try:
        signature(function).bind(*arguments, **named)
    except TypeError:
        return False
    except ValueError:  # it does not say what it takes
        return True
    return True
