"""Actions as text: ``D3e2`` sends two pieces from D3 east, ``end`` ends the turn, ``go`` lets the zombies play."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.games.game17 import GAME
from parlour.games.game17.reasons import why_not
from parlour.games.game17.rules import END, GO, order_pieces, order_way
from parlour.games.game17.state.names import counted, name_of
from parlour.games.game17.state.squares import DIRECTION_NAMES, DIRECTIONS, neighbour


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
        text = "end the turn: {pieces} on the move" if moving else "end the turn; nothing moves"
        return GAME.said(text).format(pieces=counted(moving, "piece", GAME.said))
    if action == GO:
        return GAME.said("let the zombies play to the end of the round")
    square, direction = divmod(order_way(action), 4)
    return GAME.said("send {pieces} from {square} {direction} to {goal}").format(
        pieces=counted(order_pieces(action), "piece", GAME.said),
        square=name_of(state, square),
        direction=GAME.said(DIRECTION_NAMES[direction]),
        goal=name_of(state, neighbour(state.edge, square, direction)),
    )


def prompt(state: State) -> str:
    """Where nobody plays, there is nothing to decide."""
    if not state.seats:
        return ""
    if not any(state.leaving):
        return GAME.said("pick a square of yours, then where to")
    return GAME.said("more orders, or end the turn")


def usual(state: State) -> int | None:
    """Once something is ordered, to end the turn. To end it before is what nobody wants."""
    return END if sum(state.leaving) else None


NOTATION = Notation(write=write, describe=describe, prompt=prompt, usual=usual, why_not=why_not)
