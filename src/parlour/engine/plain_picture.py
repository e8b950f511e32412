"""The picture of a game that draws none of its own: its terminal board, and every action a button."""

from __future__ import annotations

from html import escape
from typing import Any

from rich.color import Color
from rich.console import Console
from rich.terminal_theme import MONOKAI

from parlour.engine.picture import number, tag

COLUMN, ROW = 8.4, 18.0
INK, PAPER = "#e8e6df", "#1d2126"


def draw(board: Any) -> tuple[tuple[float, float], str]:
    """A board that is rich ``Text``: the picture's size, and the picture."""
    console = Console(color_system="truecolor", force_terminal=True)
    lines = board.split("\n")
    size = ((max(line.cell_len for line in lines) + 2) * COLUMN, (len(lines) + 1) * ROW)
    parts = [tag("rect", width=size[0], height=size[1], rx=8.0, fill=PAPER)]
    for row, line in enumerate(lines):
        column = 1
        for segment in line.render(console):
            style, width = segment.style, segment.cell_length
            if style is not None and style.bgcolor is not None:
                parts.append(_ground(column, row, width, _hex(style.bgcolor, foreground=False)))
            if segment.text.strip():
                ink = _hex(style.color) if style is not None and style.color is not None else INK
                parts.append(_words(segment.text, column, row, ink, bold=bool(style and style.bold)))
            column += width
    return size, "".join(parts)


def _hex(color: Color, *, foreground: bool = True) -> str:
    return str(color.get_truecolor(MONOKAI, foreground=foreground).hex)


def _ground(column: int, row: int, width: int, fill: str) -> str:
    return tag("rect", x=column * COLUMN, y=(row + 0.5) * ROW, width=width * COLUMN, height=ROW, fill=fill)


def _words(text: str, column: int, row: int, ink: str, *, bold: bool) -> str:
    return tag(
        "text",
        escape(text.replace(" ", "\N{NO-BREAK SPACE}")),
        x=column * COLUMN,
        y=(row + 1.2) * ROW,
        fill=ink,
        font_size=14,
        font_family="ui-monospace, 'DejaVu Sans Mono', monospace",
        font_weight="bold" if bold else None,
        textLength=number(len(text) * COLUMN),
    )
