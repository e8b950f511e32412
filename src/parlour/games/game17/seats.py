"""The seats, and the zombies that own the other squares: their names, letters and colours.

Owners are numbered: seats first, and from ``state.seats`` up the zombies.
"""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine import State
from parlour.engine.language import said
from parlour.engine.verdict import Rival
from parlour.games.game17.state.names import zombies_told

PACKAGE = __name__.rpartition(".")[0]
MARKED_ZOMBIES = 6
# fmt: off
SEAT_COLOURS = (
    "#f0645a", "#5b9bff", "#4cc26a", "#f2c14e", "#bb86f0", "#f5923e",
    "#3fc9d1", "#f08cbc", "#a9b83c", "#cf9a66", "#a3c4ff", "#dedede",
)
NAMES = (
    "Red", "Blue", "Green", "Yellow", "Purple", "Orange",
    "Turquoise", "Pink", "Olive", "Brown", "Sky", "Silver",
)
# fmt: on


def owner_name(owner: int, seats: int, translate: Callable[[str], str] = str) -> str:
    """``Red``, ``Seat 13``, ``Zombie 1``, in English unless it is translated."""
    if owner < min(seats, len(NAMES)):
        return translate(NAMES[owner])
    text, number = ("Seat {number}", owner + 1) if owner < seats else ("Zombie {number}", owner - seats + 1)
    return translate(text).format(number=number)


def seat_mark(seat: int) -> str:
    """A for the first seat, Z for the 26th, then AA, AB and so on."""
    return (chr(ord("A") + seat // 26 - 1) if seat >= 26 else "") + chr(ord("A") + seat % 26)


def owner_marks(state: State) -> dict[int, str]:
    """The letters of all seats, and of the zombies with the most squares, from two squares up."""
    zombies = [owner for owner in range(state.seats, state.edge**2) if state.squares_of[owner] > 1]
    zombies.sort(key=lambda owner: size(state, owner), reverse=True)
    seats = {seat: seat_mark(seat) for seat in range(state.seats)}
    return seats | {owner: chr(ord("a") + rank) for rank, owner in enumerate(zombies[:MARKED_ZOMBIES])}


def size(state: State, owner: int) -> tuple[int, int]:
    """How much an owner has: by squares, then by pieces."""
    return state.squares_of[owner], state.pieces_of[owner]


def is_choosing(state: State, owner: int) -> bool:
    """Whether the owner is the seat whose choice it is."""
    return bool(owner == state.to_move and state.seats_left and not state.over)


def winners(state: State) -> list[int]:
    """Clause 18: all owners with the most squares, once the match is over; a zombie may be among them."""
    return [owner for owner in range(state.edge**2) if state.squares_of[owner] == state.most] if state.over else []


def winning_zombies(state: State) -> int:
    return sum(owner >= state.seats for owner in winners(state))


def rivals(state: State) -> list[Rival]:
    """Clause 18: a zombie may win."""
    count = winning_zombies(state)
    return [Rival(zombies_told(count, lambda text: said(text, PACKAGE)), count, state.most)] if count else []
