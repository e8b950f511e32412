"""What things in the picture are: pieces and how they move, gems, zones, points, the turn."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.choccer import GAME
from parlour.games.choccer.reasons import MOVE_CLAUSES, MOVES, SQUARE_NAMES
from parlour.games.choccer.rules import LAST_TURN
from parlour.games.choccer.seats import NAMES
from parlour.games.choccer.state import (
    BLACK,
    COLUMN_NAMES,
    GEM_NAMES,
    GEM_POINTS,
    KIND_NAMES,
    POINTS,
    ROWS,
    WHITE,
    ZONE_OF,
    square_of,
)

OTHERS = {"turns", *(f"{thing}-{seat}" for thing in ("points", "won") for seat in (BLACK, WHITE))}
LINES = {*(f"column-{letter}" for letter in COLUMN_NAMES), *(f"row-{row}" for row in range(ROWS))}


def explain(state: State, name: str) -> Explanation | None:
    if name in SQUARE_NAMES:
        return _square(state, square_of(name))
    thing, _, seat = name.partition("-")
    if name in LINES:
        words = "A column of the board. Squares are named by column and row, such as {square}."
        if thing == "row":
            words = "A row of the board. Squares are named by column and row, such as {square}."
        return Explanation(GAME.said(words).format(square=f"{seat}3" if thing == "column" else f"F{seat}"), 1)
    if name not in OTHERS:
        return None
    if thing == "turns":
        words = "Turn {turn} of {last}. After the last one, or when the red gem is scored, more points win."
        return Explanation(GAME.said(words).format(turn=min(state.turns + 1, LAST_TURN), last=LAST_TURN), 16)
    of = GAME.said(NAMES[int(seat)])
    if thing == "points":
        return Explanation(GAME.said("The points of {seat}: captured pieces and scored gems.").format(seat=of), 17)
    return Explanation(GAME.said("What {seat} has captured and scored.").format(seat=of), 17)


def _square(state: State, square: int) -> Explanation:
    piece, gem, zone = state.board[square], state.gem[square], ZONE_OF[square]
    parts, clause = [], 0
    if piece:
        parts += _piece(piece)
        clause = MOVE_CLAUSES[abs(piece)]
    if gem:
        parts.append(_gem(gem, held=piece != 0))
        clause = clause or 11
    if zone >= 0:
        words = GAME.said("This is {seat}'s zone: here the other side scores gems.")
        parts.append(words.format(seat=GAME.said(NAMES[zone])))
        clause = clause or 14
    return Explanation(" ".join(parts) if parts else GAME.said("An empty square."), clause)


def _piece(piece: int) -> list[str]:
    kind = abs(piece)
    seat = GAME.said(NAMES[BLACK if piece > 0 else WHITE])
    name = GAME.said("{seat}'s {kind}.").format(seat=seat, kind=GAME.said(KIND_NAMES[kind]))
    worth = "Captured, it brings 1 point." if POINTS[kind] == 1 else "Captured, it brings 2 points."
    return [name, GAME.said(MOVES[kind]), GAME.said(worth)]


def _gem(gem: int, *, held: bool) -> str:
    name, points = GAME.said(GEM_NAMES[gem]), GEM_POINTS[gem]
    if held:
        words = "It holds the {gem} ({points} points), can pass it to a friend two squares away, and cannot capture."
    else:
        words = "A {gem}, worth {points} points in the opposing zone. A piece that moves here picks it up."
    return GAME.said(words).format(gem=name, points=points)
