"""The rows of a batch on the device: where they are kept, and how they are copied, remembered and sent elsewhere."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, Self

import numpy as np
from numba import cuda

from parlour.engine.batch import Batch
from parlour.engine.chance import seed_words
from parlour.engine.compiled.arrays import row_number, row_numbers
from parlour.engine.compiled.course import Results, payoffs
from parlour.engine.cuda import batch_parts, storage
from parlour.engine.cuda.arrays import Array, is_on_device
from parlour.engine.cuda.batch_kernels import add_up, as_numbers, clear_items, copy_items, make_kernels, set_offsets
from parlour.engine.cuda.batch_parts import THREADS
from parlour.engine.cuda.cache import keep
from parlour.engine.cuda.device import check_device, is_simulated, launch
from parlour.engine.game import Game
from parlour.engine.state import State

FIRST_PLIES = 64  # for which there is room at first, where actions are kept

# What is on the device and belongs to the rows; and what is made anew beside it where a batch is unpickled.
ON_DEVICE = ("_history", "_upcoming", "_columns", "_lanes", "_number")
MADE_AGAIN = (
    *ON_DEVICE,
    "_results",
    "_way",
    "_every_row",
    "states",
    "_kernels",
    "_illegal",
    "_over",
    "_payoffs",
    "_words",
)


@cache
def _kernels(game: Game, constants: tuple[tuple[str, int], ...]) -> Any:
    fixed = dict(constants)
    parts = batch_parts.simulated(game, fixed) if is_simulated() else batch_parts.compiled(game, fixed)
    made = make_kernels(parts, game, fixed["seats"])
    shared = {
        "add_up": add_up,
        "as_numbers": as_numbers,
        "clear_items": clear_items,
        "copy_items": copy_items,
        "set_offsets": set_offsets,
    }
    keep(game, fixed, **vars(made), **shared)
    return made


class Rows(Batch):
    """Matches in the memory of the device, each field of their states in a column of its own."""

    _rows: int
    _upcoming: Any
    _stride: int
    _words: Any

    def _make_rows(self, count: int) -> None:
        check_device()
        self._rows = count
        self._constants = {"seats": self.seats, **self.options}
        self._kernels = _kernels(self.game, tuple(sorted(self._constants.items())))
        self._capacity = max(-(-self._rows // 16) * 16, 16)  # so that every column begins where its items may
        self._make_columns()
        rows, per_seat = (self._rows,), (self._rows, self.seats)
        self._lanes = cuda.device_array(4 * self._capacity, np.uint32)
        self._number = cuda.device_array(self._capacity, np.int64)
        self._over = Array(self.states["over"].flat.view(np.bool_), rows)
        whole = (Array.new(rows, np.bool_), Array.new(rows, np.bool_), Array.new(per_seat, np.float32))
        self._results = Results(*whole, Array.new(per_seat, np.int64), Array.new(per_seat, np.bool_))
        self._payoffs = cuda.to_device(payoffs(self.seats).astype(np.float32).reshape(-1))
        self._illegal = cuda.to_device(np.array([self._rows], np.int64))  # the first row with an illegal action
        self._without_dice = np.zeros(self._rows, np.bool_)
        self._history = cuda.device_array(FIRST_PLIES * self._capacity if self.record else 0, np.int32)
        self._longest = 0  # no match has more plies

    def _make_columns(self) -> None:
        """All states, field by field: those of all rows lie side by side."""
        slots = storage.slots(self.game, self._constants, THREADS, columns=True)
        opening = np.zeros(sum(slot.size for slot in slots) * self._capacity, np.uint8)
        for slot in slots:
            part = opening[slot.offset * self._capacity : (slot.offset + slot.size) * self._capacity]
            part.view(f"i{slot.bits // 8}")[:] = slot.value
        self._columns = cuda.to_device(opening)
        self.states = {slot.name: self._column(slot) for slot in slots}

    def _column(self, slot: storage.Slot) -> Array:
        size, start = slot.bits // 8, slot.offset * self._capacity
        items = self._columns[start : start + slot.size * self._capacity].view(f"i{size}")
        if self.game.layout.fields[slot.name].length is None:
            return Array(items, (self._rows,))
        return Array(items, (self._rows, slot.length), (size, size * self._capacity))

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, rows: Any) -> Self:
        which = row_numbers(on_host(rows), len(self))
        chosen = object.__new__(type(self))
        same = ("game", "options", "seats", "seed", "auto_reset", "record", "threads", "_words", "_stride")
        chosen.__dict__.update({name: self.__dict__[name] for name in same})
        chosen._make_rows(len(which))
        chosen._upcoming = cuda.to_device(np.zeros(chosen._capacity, np.int64))
        chosen._history = cuda.to_device(np.zeros(self._plies * chosen._capacity, np.int32))
        chosen._longest, chosen._without_dice = self._longest, self._without_dice[which]
        self._copy(which, chosen, np.arange(len(which)), with_chance=True)
        return chosen

    def copy_row(self, row: int, to: Any, *, with_chance: bool = False) -> None:
        source = row_number(row, len(self))
        which = row_numbers(on_host(to), len(self))
        which = which[which != source]
        self._without_dice[which] = self._without_dice[source] if with_chance else True
        self._copy(np.full(len(which), source), self, which, with_chance=with_chance)

    @cached_property
    def _way(self) -> Any:
        """In a column, the strides from an item to the next, and from a row to the next."""
        return cuda.to_device(np.array((self._capacity, 1)))

    @cached_property
    def _every_row(self) -> Any:
        return cuda.to_device(np.arange(len(self)))

    def _copy(self, sources: Any, other: Rows, targets: Any, *, with_chance: bool) -> None:
        """Rows of this batch to rows of another, which may be this one; to another, with what they play next."""
        if not len(targets):
            return
        from_rows, to_rows = cuda.to_device(sources.astype(np.int64)), cuda.to_device(targets.astype(np.int64))
        kept = zip(self._kept(), other._kept(), strict=True)
        for (source, strides, length, is_chance, is_next), (target, other_strides, *_) in kept:
            if length and (with_chance or not is_chance) and (other is not self or not is_next):
                ways = cuda.to_device(np.array(strides)), cuda.to_device(np.array(other_strides))
                given = (source, ways[0], from_rows, target, ways[1], to_rows, length)
                launch(copy_items, -(-len(targets) // THREADS), min(THREADS, len(targets)), *given)

    def _kept(self) -> list[tuple[Any, tuple[int, int], int, bool, bool]]:
        """All that there is of rows: the items, their strides, how many a row has; chance is what it goes on with."""
        found = [
            (column.flat, (self._capacity, 1), column.shape[1] if len(column.shape) > 1 else 1, False, False)
            for column in self.states.values()
        ]
        for array in self._results:
            length = array.shape[1] if len(array.shape) > 1 else 1
            found.append((array.flat, (1, length), length, False, False))
        found.append((self._history, (self._capacity, 1), self._plies, False, False))
        found.append((self._lanes, (self._capacity, 1), 4, True, False))
        found.append((self._number, (self._capacity, 1), 1, True, False))
        found.append((self._upcoming, (self._capacity, 1), 1, True, True))
        return found

    def state(self, row: int) -> State:
        at = row_number(row, len(self))
        state = self.game.layout.blank(**self._constants)
        for name, column in self.states.items():
            setattr(state, name, column.numpy()[at].tolist())
        return state

    @property
    def _plies(self) -> int:
        """For how many plies there is room in the history."""
        return int(self._history.size) // self._capacity

    def _story(self, row: int) -> tuple[int, list[int]]:
        plies = int(self.states["ply"].numpy()[row])
        played = self._history.copy_to_host()[row :: self._capacity][:plies]
        return int(self._number.copy_to_host()[row]), played.tolist()

    def __getstate__(self) -> dict[str, Any]:
        """All that there is of it, on the host."""
        kept = {name: value for name, value in self.__dict__.items() if name not in MADE_AGAIN}
        return kept | {"on_device": [array.copy_to_host() for array in self._on_device()]}

    def _on_device(self) -> list[Any]:
        return [*(self.__dict__[name] for name in ON_DEVICE), *(array.flat for array in self._results)]

    def __setstate__(self, kept: dict[str, Any]) -> None:
        arrays = kept.pop("on_device")
        self.__dict__.update(kept)
        self._make_rows(self._rows)
        self.__dict__.update(kept)
        self._words = cuda.to_device(np.array(seed_words(self.seed), np.int64))
        self._history, self._upcoming = map(cuda.to_device, arrays[:2])
        for target, array in zip(self._on_device(), arrays, strict=True):
            if array.size:
                target.copy_to_device(array)

    def _make_ready(self) -> None:
        """The device is asked only where there may be no room."""
        if not self.record:
            return
        if (self._longest + 1) * self._capacity > self._history.size:
            self._longest = int(self.states["ply"].numpy().max(initial=0))
        if (self._longest + 1) * self._capacity > self._history.size:
            self._history = self._with_plies(2 * (self._longest + 1))
        self._longest += 1

    def _with_plies(self, plies: int) -> Any:
        """The history, with room for so many."""
        more = cuda.to_device(np.zeros(plies * self._capacity, np.int32))
        if self._history.size:
            more[: self._history.size].copy_to_device(self._history)
        return more


def copy_positions(source: Rows, rows: Any, target: Rows) -> None:
    """Make the position of each row of ``target`` that of a row of ``source``. ``rows`` has their numbers.

    These are on the device, and the host does not wait. The dice to come stay the target's own.
    """
    for name, column in target.states.items():
        length = column.shape[1] if len(column.shape) > 1 else 1
        given = (source.states[name].flat, source._way, rows, column.flat, target._way, target._every_row, length)
        launch(copy_items, -(-len(target) // THREADS), min(THREADS, len(target)), *given)


def on_host(rows: Any) -> Any:
    """Rows that the caller names, wherever the array of their numbers is."""
    if isinstance(rows, slice):
        return rows
    return Array.of(rows).numpy() if is_on_device(rows) else np.asarray(rows)
