"""States: named integer fields, declared once.

Interpreted, a state is a plain object whose fields are Python ints and lists: print it, step through it. Compiled,
it is one row of a NumPy structured array with the same fields. ``pack`` and ``unpack`` lead from one to the other.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from parlour.engine.errors import BadGame

if TYPE_CHECKING:
    import numpy as np

    Rows = np.ndarray[Any, np.dtype[np.void]]


@dataclass(frozen=True)
class Field:
    """A field's integer type, and its length where it is a flat array. ``i8[4]`` is four of ``i8``."""

    bits: int
    length: int | None = None

    def __getitem__(self, length: int) -> Field:
        return Field(self.bits, length)

    @property
    def low(self) -> int:
        return -(1 << self.bits - 1)

    @property
    def high(self) -> int:
        return (1 << self.bits - 1) - 1

    def check(self, name: str, value: Any) -> None:
        """Raise OverflowError if this is no value for the field, which has this name."""
        values = (value,) if self.length is None else value
        if self.length is not None and len(values) != self.length:
            raise OverflowError(f"field {name!r} has {len(values)} values; it is declared with {self.length}")
        if values and not (self.low <= min(values) and max(values) <= self.high):
            raise OverflowError(f"field {name!r} holds {value!r}; it is declared for {self.low}..{self.high}")


i8, i16, i32, i64 = Field(8), Field(16), Field(32), Field(64)

CODES = {1: "b", 2: "h", 4: "i", 8: "q"}  # of ``struct``, by the width in bytes
UNKNOWN = -1  # the value of a field, or of a place of it, for whoever may not know it

# Seats are as wide as the numbers that rules compute: narrower ones would have to be widened in every rule.
HEADER: dict[str, Field] = {
    "seats": i64,  # how many seats there are
    "to_move": i64,  # whose choice it is
    "first": i64,  # who began
    "over": i8,  # 1 when the match has ended
    "ply": i32,  # actions played so far
    "turns": i32,  # turns taken so far
}


class State:
    """One position. Made by ``Layout.blank``; every field is an attribute."""

    __slots__: tuple[str, ...] = ()
    layout: ClassVar[Layout]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def copy(self) -> State:
        twin = type(self)()
        for name in self.layout.scalars:
            setattr(twin, name, getattr(self, name))
        for name in self.layout.arrays:
            setattr(twin, name, getattr(self, name)[:])
        return twin

    def pack(self) -> bytes:
        """The state as the bytes of its compiled row. A value that does not fit its field is an error."""
        values: list[int] = []
        for name, field in self.layout.fields.items():
            value = getattr(self, name)
            if field.length is None:
                values.append(value)
            elif len(value) == field.length:
                values += value
            else:
                field.check(name, value)
        try:
            return self.layout.packing.pack(*values)
        except struct.error:
            for name, field in self.layout.fields.items():
                field.check(name, getattr(self, name))
            raise

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.layout, tuple(getattr(self, name) for name in self.layout.fields))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.layout.fields)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.layout.fields)
        return f"State({inside})"


class Layout:
    """The fields of a game's state: the engine's header, the game's options, then the game's own."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        for name in fields:
            if not name.isidentifier() or name.startswith("_"):
                raise BadGame(f"a state cannot have a field called {name!r}: field names are plain identifiers")
            if name in HEADER or name in ("layout", "copy", "pack"):
                raise BadGame(f"a state cannot have a field called {name!r}: the engine uses that name")
        self.fields: dict[str, Field] = {**HEADER, **fields}
        self.scalars = [name for name, field in self.fields.items() if field.length is None]
        self.arrays = [name for name, field in self.fields.items() if field.length is not None]
        self._class: type[State] = type("State", (State,), {"__slots__": tuple(self.fields), "layout": self})

    @classmethod
    def of(cls, fields: Mapping[str, Field]) -> Layout:
        """The layout of these fields. There is one of each, so that its states can be compared."""
        return _layout(tuple(fields.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _layout, (tuple((name, field) for name, field in self.fields.items() if name not in HEADER),)

    def blank(self, **values: int) -> State:
        """A state of zeros but for the scalars given."""
        state = self._class()
        for name, field in self.fields.items():
            setattr(state, name, values.pop(name, 0) if field.length is None else [0] * field.length)
        if values:
            raise BadGame(f"the state has no scalar field {next(iter(values))!r}")
        return state

    @cached_property
    def size(self) -> int:
        """The bytes that a position takes, but for what the compiler leaves empty."""
        return sum(field.bits // 8 * (field.length or 1) for field in self.fields.values())

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        import numpy as np

        spec = [
            (name, f"i{field.bits // 8}") if field.length is None else (name, f"i{field.bits // 8}", (field.length,))
            for name, field in self.fields.items()
        ]
        return np.dtype(spec, align=True)

    @cached_property
    def packing(self) -> struct.Struct:
        """The same as ``dtype``, for packing without NumPy: every field begins at a multiple of its width."""
        form, at, widest = "<", 0, 1
        for field in self.fields.values():
            width = field.bits // 8
            padding = -at % width
            form += f"{padding}x{1 if field.length is None else field.length}{CODES[width]}"
            at += padding + width * (1 if field.length is None else field.length)
            widest = max(widest, width)
        return struct.Struct(f"{form}{-at % widest}x")

    def rows(self, count: int) -> Rows:
        """That many blank compiled states."""
        import numpy as np

        return np.zeros(count, dtype=self.dtype)

    def write(self, state: State, rows: Rows, index: int) -> None:
        """Copy an interpreted state into a compiled row. A value that does not fit its field is an error."""
        for name, field in self.fields.items():
            value = getattr(state, name)
            field.check(name, value)
            rows[name][index] = value

    def read(self, rows: Rows, index: int) -> State:
        """Copy a compiled row into an interpreted state."""
        state = self._class()
        for name in self.fields:
            setattr(state, name, rows[name][index].tolist())
        return state

    def unpack(self, packed: bytes) -> State:
        """The state whose ``pack`` gave these bytes."""
        values, state, at = self.packing.unpack(packed), self._class(), 0
        for name, field in self.fields.items():
            if field.length is None:
                setattr(state, name, values[at])
                at += 1
            else:
                setattr(state, name, list(values[at : at + field.length]))
                at += field.length
        return state


@cache
def _layout(fields: tuple[tuple[str, Field], ...]) -> Layout:
    return Layout(dict(fields))


def _unpickled(layout: Layout, values: tuple[Any, ...]) -> State:
    state = layout.blank()
    for name, value in zip(layout.fields, values, strict=True):
        setattr(state, name, value)
    return state
