"""Where a thread keeps the fields of its state.

What never changes in a match, its seats and options, is a constant of the kernel. Scalars and very small arrays are
registers: an array of at most 64 bits is one, picked from by shifting; one of at most four items is several. Larger
arrays are memory: shared by the threads of a block where they are small enough, the thread's own where they are not,
or the columns of a batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from parlour.engine.game import Game
from parlour.engine.state import HEADER

CONSTANT, SCALAR, PACKED, SPREAD, SHARED, LOCAL, COLUMN = range(7)

FEW = 4
REGISTER = 64  # bits
BLOCK_BYTES = 48 * 1024  # of shared memory that a block can have without asking


class Slot(NamedTuple):
    """A field and where it is kept."""

    name: str
    bits: int
    length: int  # 1 for a scalar
    place: int
    value: int  # of a constant
    offset: int  # in shared memory: the bytes of one thread before it; in a batch: those of one row
    is_wide: bool  # whether rules compute with it in 64 bits

    @property
    def size(self) -> int:
        return self.length * self.bits // 8


def slots(game: Game, constants: Mapping[str, int], threads: int, *, columns: bool = False) -> tuple[Slot, ...]:
    """The fields of the game, for blocks of so many threads."""
    found, shared, before = [], 0, 0
    for name, bits, length in rows(game):
        is_array = game.layout.fields[name].length is not None
        place, size = _place(name, bits, length, constants, is_array=is_array), length * bits // 8
        offset = before
        if place == SHARED and columns:
            place = COLUMN
        elif place == SHARED:
            offset = shared
            if (shared + size) * threads <= BLOCK_BYTES:
                shared += size
            else:
                place = LOCAL
        is_wide = bits == 64 and name not in HEADER
        found.append(Slot(name, bits, length, place, constants.get(name, 0), offset, is_wide))
        before += size
    return tuple(found)


def rows(game: Game) -> list[tuple[str, int, int]]:
    """Name, bits and length of every field, the widest first, so that all are aligned one after the other."""
    fields = game.layout.fields.items()
    return sorted(((name, field.bits, field.length or 1) for name, field in fields), key=lambda field: -field[1])


def shared_bytes(kept: tuple[Slot, ...]) -> int:
    """The shared memory that one thread needs."""
    return sum(slot.size for slot in kept if slot.place == SHARED)


def _place(name: str, bits: int, length: int, constants: Mapping[str, int], *, is_array: bool) -> int:
    if name in constants:
        return CONSTANT
    if not is_array:
        return SCALAR
    if bits * length <= REGISTER and bits < REGISTER:
        return PACKED
    return SPREAD if length <= FEW else SHARED
