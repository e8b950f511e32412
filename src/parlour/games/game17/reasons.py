"""Why something cannot be done. Clause numbers are those of rulebook.md."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.game17 import GAME
from parlour.games.game17.seats import owner_name
from parlour.games.game17.state.names import counted, name_of
from parlour.games.game17.state.squares import DIRECTION_NAMES, DIRECTIONS, neighbour

ORDER = re.compile(r"([a-x])(\d{1,2})(?:([nsew])(\d{0,6}))?")


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    """Of a square, of a square and where its pieces should go, or of an order as it is written."""
    orders = [ORDER.fullmatch(word.lower()) for word in tried]
    squares = [square_of(state, *found.group(1, 2)) if found else None for found in orders]
    if not orders or squares[0] is None or orders[0] is None:
        return _said("An order is a square of yours and a neighbour: D3e2 sends two pieces from D3 east.", 5)
    square, (direction, count) = squares[0], orders[0].group(3, 4)
    if found := _not_yours(state, square):
        return found
    if direction:
        return _no_order(state, square, DIRECTIONS.index(direction), int(count or 0))
    return _no_goal(state, square, tried[1], squares[1]) if len(tried) > 1 else _nobody_free(state, square)


def square_of(state: State, column: str, row: str) -> int | None:
    """The square of that column and row, if the board has it."""
    across, down = ord(column) - ord("a"), int(row)
    return down * state.edge + across if across < state.edge and down < state.edge else None


def _said(words: str, clause: int, **names: object) -> Explanation:
    return Explanation(GAME.said(words).format(**names), clause)


def _free(state: State, square: int) -> int:
    return int(state.pieces[square] - state.leaving[square])


def _not_yours(state: State, square: int) -> Explanation | None:
    owner = state.owner[square]
    if owner == state.to_move:
        return None
    name = owner_name(owner, state.seats, GAME.said)
    return _said(
        "{square} belongs to {owner}. Order pieces from your own squares.", 5, square=name_of(state, square), owner=name
    )


def _nobody_free(state: State, square: int) -> Explanation | None:
    name = name_of(state, square)
    if not state.pieces[square]:
        return _said("{square} is yours, but nobody is there to be sent.", 6, square=name)
    if not _free(state, square):
        return _said("All pieces on {square} have their orders already.", 6, square=name)
    return None


def _no_order(state: State, square: int, direction: int, count: int) -> Explanation | None:
    """Clause 6: one order in each direction, for pieces that have none yet."""
    name, free = name_of(state, square), _free(state, square)
    if state.ordered[square * 4 + direction]:
        way = GAME.said(DIRECTION_NAMES[direction])
        return _said(
            "{square} has an order {direction} already. Take it back to change it.", 6, square=name, direction=way
        )
    if not 1 <= count <= free:
        pieces = counted(free, "piece", GAME.said)
        return _said(
            "{square} has {pieces} without an order: send at least one, and no more.", 6, square=name, pieces=pieces
        )
    return None


def _no_goal(state: State, square: int, name: str, goal: int | None) -> Explanation | None:
    """Clauses 2, 5 and 6: pieces go to one of the four neighbours."""
    around = [neighbour(state.edge, square, direction) for direction in range(4)]
    over_edge = name.lower().startswith(name_of(state, square).lower()) and name[-1:].lower() in DIRECTIONS
    if over_edge:
        return _nobody_free(state, square) or _no_order(state, square, DIRECTIONS.index(name[-1].lower()), 1)
    if goal not in around:
        return _said("Pieces go to one of the four neighbours: north, south, east or west.", 5)
    return _nobody_free(state, square) or _no_order(state, square, around.index(goal), 1)
