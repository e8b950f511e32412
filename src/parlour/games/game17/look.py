"""How owners look in a terminal: seats have capital letters and bright colours, zombies small letters and dark ones."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass

from rich.style import Style

from parlour.engine import State

MARKED_ZOMBIES = 6
INK, PALE = "#101010", "#c4c4c4"
# fmt: off
SEAT_COLOURS = (
    "#f0645a", "#5b9bff", "#4cc26a", "#f2c14e", "#bb86f0", "#f5923e",
    "#3fc9d1", "#f08cbc", "#a9b83c", "#cf9a66", "#a3c4ff", "#dedede",
)
# fmt: on


@dataclass(frozen=True)
class Signs:
    """The characters that a board is drawn with."""

    arrows: str  # north, south, east, west, several ways
    empty: str
    up: str
    between: str


UNICODE = Signs(arrows="↑↓→←*", empty="·", up="▶", between=" · ")
ASCII = Signs(arrows="^v><*", empty=".", up=">", between=" | ")


def is_choosing(state: State, owner: int) -> bool:
    """Whether the owner is the seat whose choice it is."""
    return bool(owner == state.to_move and state.seats_left and not state.over)


def owner_name(owner: int, seats: int, say: Callable[[str], str] = str) -> str:
    """``Seat 1``, ``Zombie 1``, in English unless ``say`` says it otherwise."""
    text, number = ("Seat {number}", owner + 1) if owner < seats else ("Zombie {number}", owner - seats + 1)
    return say(text).format(number=number)


def seat_mark(seat: int) -> str:
    """A for the first seat, Z for the 26th, then AA, AB and so on."""
    return (chr(ord("A") + seat // 26 - 1) if seat >= 26 else "") + chr(ord("A") + seat % 26)


def size(state: State, owner: int) -> tuple[int, int]:
    """How much an owner has: by squares, then by pieces."""
    return state.squares_of[owner], state.pieces_of[owner]


def owner_marks(state: State) -> dict[int, str]:
    """The letters of all seats, and of the zombies with the most squares, from two squares up."""
    zombies = [owner for owner in range(state.seats, state.edge**2) if state.squares_of[owner] > 1]
    zombies.sort(key=lambda owner: size(state, owner), reverse=True)
    seats = {seat: seat_mark(seat) for seat in range(state.seats)}
    return seats | {owner: chr(ord("a") + rank) for rank, owner in enumerate(zombies[:MARKED_ZOMBIES])}


def owner_style(state: State, owner: int) -> Style:
    """A colour for every owner; the seat to move is bold."""
    if owner < state.seats:
        return Style(color=INK, bgcolor=SEAT_COLOURS[owner % len(SEAT_COLOURS)], bold=is_choosing(state, owner))
    # steps of the golden section keep the hues of neighbouring numbers apart
    hue, value = owner * 0.618 % 1, 0.2 + 0.05 * (owner % 4)
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, 0.5, value))
    return Style(color=PALE, bgcolor=f"#{red:02x}{green:02x}{blue:02x}")
