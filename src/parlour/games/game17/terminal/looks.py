"""What a board in a terminal is drawn with: its characters, and the colours of owners."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

from rich.style import Style

from parlour.engine import State
from parlour.games.game17.seats import SEAT_COLOURS, is_choosing

INK, PALE = "#101010", "#c4c4c4"


@dataclass(frozen=True)
class Signs:
    """The characters that a board is drawn with."""

    arrows: str  # north, south, east, west, several ways
    empty: str
    up: str
    between: str


UNICODE = Signs(arrows="↑↓→←*", empty="·", up="▶", between=" · ")
ASCII = Signs(arrows="^v><*", empty=".", up=">", between=" | ")


def owner_style(state: State, owner: int) -> Style:
    """A colour for every owner; the seat to move is bold."""
    if owner < state.seats:
        return Style(color=INK, bgcolor=SEAT_COLOURS[owner % len(SEAT_COLOURS)], bold=is_choosing(state, owner))
    # steps of the golden section keep the hues of neighbouring numbers apart
    hue, value = owner * 0.618 % 1, 0.2 + 0.05 * (owner % 4)
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, 0.5, value))
    return Style(color=PALE, bgcolor=f"#{red:02x}{green:02x}{blue:02x}")
