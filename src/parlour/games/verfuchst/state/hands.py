"""What a seat has taken, as it lies in front of it."""

from __future__ import annotations

from typing import NamedTuple

from parlour.engine import State
from parlour.games.verfuchst.state.tiles import GOAL, MOST_NEGATIVE_FIRST, START, VALUE, is_lucky


class Hand(NamedTuple):
    """A seat's tiles: the lucky ones, those that they turn, and the others, the highest first."""

    lucky: tuple[int, ...]
    turned: tuple[int, ...]
    rest: tuple[int, ...]


def hand_of(state: State, seat: int) -> Hand:
    """Clause 16: each lucky tile turns the most negative tile that is still negative."""
    mine = [tile for tile in range(START + 1, GOAL) if state.taken_by[tile] == seat + 1]
    lucky = tuple(tile for tile in mine if is_lucky(tile))
    negative = [tile for tile in MOST_NEGATIVE_FIRST if tile in mine]
    positive = tuple(tile for tile in mine if VALUE[tile] > 0)
    turned = tuple(negative[: len(lucky)])
    return Hand(lucky, turned, (*positive, *reversed(negative[len(turned) :])))
