"""Why something cannot be done. Clause numbers are those of rulebook.md."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.choccer import GAME
from parlour.games.choccer.rules import RADIUS
from parlour.games.choccer.seats import NAMES
from parlour.games.choccer.state import (
    BLACK,
    CIRCLE,
    CLOVER,
    COLUMNS,
    KIND_NAMES,
    SQUARES,
    STAR,
    square_name,
    square_of,
)

MOVES = (
    "",
    "A circle goes one square up, down, left or right.",
    "A triangle goes one square diagonally.",
    "A clover goes one, two or three squares up, down, left or right.",
    "A star goes one, two or three squares diagonally.",
)
MOVE_CLAUSES = (0, 6, 6, 7, 7)
SQUARE_NAMES = {square_name(square) for square in range(SQUARES)}


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    """Of a piece, or of a piece and where it or its gem should go."""
    squares = [square_of(name.upper()) for name in tried if name.upper() in SQUARE_NAMES]
    if not squares or len(squares) != len(tried):
        return _said("Choose one of your pieces, then where it goes: H3-G3 moves, H3>G4 passes a gem.", 5)
    square, *goals = squares
    return _no_piece(state, square) or (_no_way(state, square, goals[0]) if goals else _stuck(state, square))


def _said(words: str, clause: int, **names: object) -> Explanation:
    return Explanation(GAME.said(words).format(**names), clause)


def _no_piece(state: State, square: int) -> Explanation | None:
    """Clause 5: only pieces of one's own are moved."""
    piece, mine = state.board[square], 1 if state.to_move == BLACK else -1
    if piece == 0:
        return _said("There is no piece on {square}.", 5, square=square_name(square))
    if piece * mine < 0:
        seat = GAME.said(NAMES[1 - state.to_move])
        return _said("The piece on {square} is {seat}'s: move one of yours.", 5, square=square_name(square), seat=seat)
    return None


def _stuck(state: State, square: int) -> Explanation:
    """Clause 8: a piece of one's own that cannot be picked has no way to go."""
    kind = GAME.said(KIND_NAMES[abs(state.board[square])])
    return _said("The {kind} on {square} is shut in: every way is barred.", 8, kind=kind, square=square_name(square))


def _no_way(state: State, square: int, to: int) -> Explanation | None:
    """Clauses 6 to 8 and 12: how the piece goes, and what is in its way."""
    kind, has_gem = abs(state.board[square]), state.gem[square] != 0
    rows, columns = to // COLUMNS - square // COLUMNS, to % COLUMNS - square % COLUMNS
    is_friend = state.board[square] * state.board[to] > 0
    if square == to:
        return Explanation(GAME.said(MOVES[kind]), MOVE_CLAUSES[kind])
    if is_friend and has_gem and state.gem[to] == 0 and max(abs(rows), abs(columns)) > RADIUS:
        return _said("A gem is passed at most two columns and two rows far.", 13)
    if is_friend and has_gem and state.gem[to]:
        return _said("The piece on {square} holds a gem already, and one is the most.", 12, square=square_name(to))
    if not _is_move(kind, rows, columns):
        return Explanation(GAME.said(MOVES[kind]), MOVE_CLAUSES[kind])
    if is_friend:
        return _said("On {square} stands a piece of yours.", 8, square=square_name(to))
    if (barred := _first_between(state, square, rows, columns)) is not None:
        return _said("The piece on {square} is in the way: none moves past another.", 8, square=square_name(barred))
    if has_gem and state.board[to]:
        return _said("Whoever holds a gem cannot capture. It could pass the gem first.", 12)
    if has_gem and state.gem[to]:
        return _said("Whoever holds a gem cannot move onto another.", 12)
    return None


def _is_move(kind: int, rows: int, columns: int) -> bool:
    """Clauses 6 and 7: the direction and the length suit the piece."""
    is_straight, is_aslant = rows == 0 or columns == 0, abs(rows) == abs(columns)
    longest = 3 if kind in (CLOVER, STAR) else 1
    return (is_straight if kind in (CIRCLE, CLOVER) else is_aslant) and max(abs(rows), abs(columns)) <= longest


def _first_between(state: State, square: int, rows: int, columns: int) -> int | None:
    """The first square on the way that has a piece on it."""
    steps = max(abs(rows), abs(columns))
    step = rows // steps * COLUMNS + columns // steps
    between = (square + step * taken for taken in range(1, steps))
    return next((passed for passed in between if state.board[passed]), None)
