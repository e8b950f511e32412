"""How many courses a match of mazerunner can take, counted by hand and by the rules."""

from __future__ import annotations

import pytest

from mazerunner_positions import opened
from parlour.engine import State
from parlour.games.mazerunner import GAME


class Lowest:
    """Chance that always says the lowest: walls are open, every new block holds a rat, all dice show their least."""

    def below(self, n: int) -> int:
        return 0

    def roll(self, sides: int) -> int:
        return 1


def courses(state: State, depth: int) -> int:
    """How many sequences of that many actions there are."""
    if depth == 0:
        return 1
    total = 0
    for action in GAME.legal_actions(state):
        after = state.copy()
        GAME.play(after, action, Lowest())
        total += courses(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("depth", "count"),
    [
        (1, 2),  # heal, move
        (2, 2 * 16),  # any of the 16 sets of four dice again
        (3, (1 + 15 * 16) + (4 + 15 * 16)),  # all kept: end, or four entrances; else 16 sets again
        # after healing: the next seat's two choices, or the end; else an entrance, where a rat drives the
        # runner of power 1 back to the base: there are two half steps left for any of the four, or for the way back
        (4, (2 + 15 * 16) + (4 * 5 + 15 * 16 * 4)),
    ],
)
def test_count_of_courses(depth: int, count: int) -> None:
    assert courses(opened(), depth) == count
