"""Actions as text: ``D3e2`` sends two pieces from D3 east, ``end`` ends the turn, ``go`` lets the zombies play."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.games.game17 import GAME
from parlour.games.game17.reasons import why_not
from parlour.games.game17.rules import END, GO, order_pieces, order_way
from parlour.games.game17.state.names import counted, name_of
from parlour.games.game17.state.reach import even_squares, ordered_to, weaker_squares
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
    goal, pieces = neighbour(state.edge, square, direction), order_pieces(action)
    sent = GAME.said("send {pieces} from {square} {direction} to {goal}").format(
        pieces=counted(pieces, "piece", GAME.said),
        square=name_of(state, square),
        direction=GAME.said(DIRECTION_NAMES[direction]),
        goal=name_of(state, goal),
    )
    return f"{sent}: {_outcome(state, goal, pieces)}"


def _outcome(state: State, goal: int, pieces: int) -> str:
    """What comes of it if so many more arrive there, as clauses 8 and 9 say."""
    arrivals, defenders = pieces + ordered_to(state, goal), state.pieces[goal]
    if state.owner[goal] == state.to_move:
        return GAME.said("they join your own")
    if not defenders:
        return GAME.said("nobody is there")
    words = {1: "{arrivals} against {defenders} wins", 0: "{arrivals} against {defenders} is a coin toss"}
    text = words.get((arrivals > defenders) - (arrivals < defenders), "{arrivals} against {defenders} loses")
    return GAME.said(text).format(arrivals=arrivals, defenders=defenders)


def prompt(state: State) -> str:
    """Where nobody plays, there is nothing to decide."""
    if not state.seats:
        return ""
    if any(state.leaving):
        return GAME.said("more orders, or end the turn")
    if weaker_squares(state):
        return GAME.said("pick a square of yours, then where to")
    if even_squares(state):
        return GAME.said("nobody beside you is weaker: wait, or toss a coin")
    is_alone = state.squares_of[state.to_move] == 1
    words = "nobody beside you is weaker: better wait" if is_alone else "nobody beside you is weaker: gather, or wait"
    return GAME.said(words)


def usual(state: State) -> int | None:
    """Once something is ordered, or where all beside one's only square are stronger, to end the turn."""
    if sum(state.leaving):
        return END
    has_one = state.seats and state.squares_of[state.to_move] == 1
    return END if has_one and not weaker_squares(state) and not even_squares(state) else None


NOTATION = Notation(write=write, describe=describe, prompt=prompt, usual=usual, why_not=why_not)
