"""What the seat to move could take this turn."""

from __future__ import annotations

from parlour.engine import State
from parlour.games.game17.state.squares import neighbour

OPPOSITE = (1, 0, 3, 2)  # north, south, east, west


def ordered_to(state: State, goal: int) -> int:
    """How many pieces are ordered to the square."""
    ways = [(neighbour(state.edge, goal, way), OPPOSITE[way]) for way in range(4)]
    return sum([state.ordered[square * 4 + way] for square, way in ways])


def weaker_squares(state: State) -> list[int]:
    """The squares of others that fewer pieces stand on than could be sent there, those on their way included."""
    return sorted(goal for goal, most in _at_hand(state).items() if most > state.pieces[goal])


def even_squares(state: State) -> list[int]:
    """Those that just as many stand on, so that a coin would decide."""
    return sorted(goal for goal, most in _at_hand(state).items() if most == state.pieces[goal])


def _at_hand(state: State) -> dict[int, int]:
    """How many pieces the seat to move could send to each square of others that its pieces stand next to."""
    edge, found = state.edge, dict[int, int]()
    for square in range(edge * edge):
        if state.owner[square] == state.to_move and state.pieces[square]:
            goals = [neighbour(edge, square, way) for way in range(4)]
            for goal in set(goals):
                if state.owner[goal] != state.to_move:
                    sent = sum([state.ordered[square * 4 + way] for way in range(4) if goals[way] == goal])
                    found[goal] = found.get(goal, 0) + state.pieces[square] - state.leaving[square] + sent
    return found
