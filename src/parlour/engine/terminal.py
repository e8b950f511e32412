"""The terminal: a position as coloured text, and what boards of several games have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rich.text import Text

from parlour.engine.state import State

SEAT_STYLES = ("bold white on red", "bold white on blue", "bold black on green", "bold black on yellow")


class Board(Protocol):
    """A function that draws a position."""

    def __call__(self, state: State, *, ascii: bool = False) -> Text: ...


@dataclass(frozen=True, kw_only=True)
class Terminal:
    """A game in a terminal. A game's terminal module ends with ``TERMINAL = Terminal(board=board)``.

    board(state, *, ascii=False)  the position as rich ``Text``, at most 80 columns wide; in ASCII where asked
    """

    board: Board


def in_ascii(drawn: Text, signs: Mapping[int, int | str | None]) -> Text:
    """The same board in plain characters. ``signs`` (of ``str.maketrans``) has one for one, so styles stay in place."""
    return Text(drawn.plain.translate(signs), spans=drawn.spans)


def badge(seat: int, words: str) -> Text:
    """Words in the colours of a seat."""
    return Text(words, style=SEAT_STYLES[seat])


def is_choosing(state: State, seat: int) -> bool:
    """Whether the match waits for this seat."""
    return not state.over and seat == state.to_move


def seat_line(state: State, seat: int, name: str, width: int) -> Text:
    """How the line of a seat begins: a pointer if it is to move, its badge, and its name in so many columns."""
    pointer = "▶ " if is_choosing(state, seat) else "  "
    return Text.assemble((pointer, "bold"), badge(seat, f" {name[0]} "), f" {name:<{width}}")
