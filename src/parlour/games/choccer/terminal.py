"""Choccer in a terminal: Black's pieces are filled shapes in [square] brackets, White's hollow ones in (round) ones."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from parlour.engine import State
from parlour.engine.terminal import Terminal, is_choosing
from parlour.games.choccer.rules import LAST_TURN
from parlour.games.choccer.seats import BRACKET_STYLES, NAMES, PIECE_STYLES
from parlour.games.choccer.state import (
    BLACK,
    BLUE,
    COLUMNS,
    GEM_NAMES,
    GEM_POINTS,
    KIND_NAMES,
    POINTS,
    RED,
    ROWS,
    WHITE,
    ZONE_OF,
)
from parlour.games.choccer.state.winnings import captured, scored_gems

WIDTH = 5  # columns of a square

PITCH = ("#1e7d2c", "#1f6128")  # light and dark squares, as on a chessboard: a triangle never leaves its colour
LINE = "#7fb98d on #1f6128"
ZONE_STYLES = {BLACK: "#59616b on #363c44", WHITE: "#dfe3e8 on #98a1ab"}
GEM_STYLES = {BLUE: "bold #ffffff on #1d5fd1", RED: "bold #ffffff on #c8202f"}


@dataclass(frozen=True)
class Signs:
    """The characters a board is drawn with."""

    shapes: tuple[str, str]  # Black's and White's circle, triangle, clover and star
    gems: dict[int, str]
    zones: dict[int, str]
    rules: tuple[str, str, str]  # the lines above, between and below the rows of squares: left, inside, cross, right
    bar: str
    to_move: str


UNICODE = Signs(
    shapes=("●▲♣★", "○△♧☆"),
    gems={BLUE: "◇b", RED: "◆r"},
    zones={BLACK: "▒", WHITE: "░"},
    rules=("┌─┬┐", "├─┼┤", "└─┴┘"),
    bar="│",
    to_move="▶",
)
ASCII = Signs(
    shapes=("OTCS", "otcs"),
    gems={BLUE: "*b", RED: "*r"},
    zones={BLACK: "#", WHITE: ":"},
    rules=("+-++", "+-++", "+-++"),
    bar="|",
    to_move=">",
)


def board(state: State, *, ascii: bool = False) -> Text:
    """The position: who is to move, both scores, the pitch, and what the signs mean."""
    signs = ASCII if ascii else UNICODE
    lines = [_headline(state), *(_score_line(state, seat, signs) for seat in (BLACK, WHITE))]
    letters = Text("    " + " ".join(f"{letter:^{WIDTH}}" for letter in "ABCDEFGHIJK"), "bold")
    lines += [letters, *_pitch(state, signs), *_legend(signs)]
    return Text("\n").join(lines)


def _headline(state: State) -> Text:
    if not state.over:
        return Text(f"   Choccer   turn {state.turns + 1} of {LAST_TURN}: {NAMES[state.to_move]} to move", "bold")
    black, white = state.points
    result = "a draw" if black == white else f"{NAMES[BLACK if black > white else WHITE]} wins"
    return Text(f"   Choccer   over after turn {state.turns}: {result}", "bold")


def _score_line(state: State, seat: int, signs: Signs) -> Text:
    """The seat's points, and what they are for."""
    pointer = signs.to_move if is_choosing(state, seat) else " "
    text = Text().append(f" {pointer} ", "bold").append(f" {NAMES[seat]} ", PIECE_STYLES[seat])
    text.append(f"{state.points[seat]:>3}  ", "bold")
    won, scored = captured(state, seat), scored_gems(state, seat)
    text.append("captured " if won else "")
    for kind in won:
        text.append_text(_piece(kind, 1 - seat, signs))
    text.append("  scored" if scored else "")
    for gem in scored:
        text.append(" ").append(signs.gems[gem], GEM_STYLES[gem])
    return text


def _pitch(state: State, signs: Signs) -> list[Text]:
    lines = [_rule(signs.rules[0])]
    for row in range(ROWS):
        line = Text().append(f" {row} ", "bold").append(signs.bar, LINE)
        for column in range(COLUMNS):
            line.append_text(_square(state, row * COLUMNS + column, signs)).append(signs.bar, LINE)
        lines += [line, _rule(signs.rules[1 if row < ROWS - 1 else 2])]
    return lines


def _rule(signs: str) -> Text:
    left, inside, cross, right = tuple(signs)
    return Text("   ").append(left + cross.join([inside * WIDTH] * COLUMNS) + right, LINE)


def _square(state: State, square: int, signs: Signs) -> Text:
    """A piece, a gem, both or neither, on grass or in a zone."""
    piece, gem, zone = state.board[square], state.gem[square], ZONE_OF[square]
    filling, ground = (" ", f"on {PITCH[square % 2]}") if zone < 0 else (signs.zones[zone], ZONE_STYLES[zone])
    middle = _piece(abs(piece), BLACK if piece > 0 else WHITE, signs) if piece else Text()
    if gem:
        middle.append(signs.gems[gem], GEM_STYLES[gem])
    before = (WIDTH - len(middle)) // 2
    return Text(filling * before, ground).append_text(middle).append(filling * (WIDTH - len(middle) - before), ground)


def _piece(kind: int, seat: int, signs: Signs) -> Text:
    left, right = ("[", "]") if seat == BLACK else ("(", ")")
    text = Text(left, BRACKET_STYLES[seat])
    return text.append(signs.shapes[seat][kind - 1], PIECE_STYLES[seat]).append(right, BRACKET_STYLES[seat])


def _legend(signs: Signs) -> list[Text]:
    """What the signs mean, and the points of everything."""
    pieces, gems = Text("   "), Text("   ")
    for kind in range(1, len(KIND_NAMES)):
        for seat in (BLACK, WHITE):
            pieces.append_text(_piece(kind, seat, signs))
        pieces.append(f" {KIND_NAMES[kind]} {POINTS[kind]}   ")
    for gem in (BLUE, RED):
        gems.append(signs.gems[gem], GEM_STYLES[gem]).append(f" {GEM_NAMES[gem]} {GEM_POINTS[gem]}   ")
    for seat in (WHITE, BLACK):
        gems.append(signs.zones[seat] * 2, ZONE_STYLES[seat]).append(f" {NAMES[1 - seat]} scores here   ")
    pieces.rstrip()
    gems.rstrip()
    return [pieces, gems]


TERMINAL = Terminal(board=board)
