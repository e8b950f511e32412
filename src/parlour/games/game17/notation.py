"""Actions as text: ``D3e2`` sends two pieces from D3 east, ``end`` ends the turn, ``go`` lets the zombies play."""

from __future__ import annotations

from parlour.engine import State
from parlour.games.game17.events import counted
from parlour.games.game17.rules import END, GO, order_pieces, order_way
from parlour.games.game17.squares import DIRECTION_NAMES, DIRECTIONS, neighbour, square_name


def write(state: State, action: int) -> str:
    if action == END:
        return "end"
    if action == GO:
        return "go"
    square, direction = divmod(order_way(action), 4)
    return f"{name_of(state, square)}{DIRECTIONS[direction]}{order_pieces(action)}"


def describe(state: State, action: int) -> str:
    if action == END:
        moving = sum(state.leaving)
        return f"end the turn: {counted(moving, 'piece')} on the move" if moving else "end the turn; nothing moves"
    if action == GO:
        return "let the zombies play to the end of the round"
    square, direction = divmod(order_way(action), 4)
    goal = name_of(state, neighbour(state.edge, square, direction))
    pieces = counted(order_pieces(action), "piece")
    return f"send {pieces} from {name_of(state, square)} {DIRECTION_NAMES[direction]} to {goal}"


def name_of(state: State, square: int) -> str:
    """The name of a square, ``D3``."""
    return square_name(*divmod(square, state.edge))
