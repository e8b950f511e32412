"""How a kernel keeps one field of a state: a class for each place that ``storage`` knows.

An address is that of a field's first item. ``where(place)`` is the address of an item in the columns of a batch.
"""

from __future__ import annotations

from functools import partial

from llvmlite import ir
from numba.cuda import cgutils

from parlour.engine.cuda.numbers import INT, WIDE, number, resized
from parlour.engine.cuda.storage import COLUMN, CONSTANT, LOCAL, PACKED, SCALAR, SHARED, SPREAD

BYTE = ir.IntType(8)
NULL = ir.Constant(BYTE.as_pointer(), None)


def pointer(builder, address, kind):
    """An address as that of a number of this type."""
    return builder.bitcast(address, kind.as_pointer())


def new_register(builder, kind):
    return builder.bitcast(cgutils.alloca_once(builder, kind), BYTE.as_pointer())


def address_in_column(builder, slot, base, capacity, row):
    """Where a row has the items of a field."""

    def where(place):
        start = builder.gep(base, [builder.mul(capacity, ir.Constant(WIDE, slot.offset))])
        index = builder.add(builder.mul(capacity, ir.Constant(WIDE, place)), row)
        return builder.gep(pointer(builder, start, ir.IntType(slot.bits)), [index])

    return where


class Kept:
    """A field that is a constant of the kernel: nothing is kept."""

    is_number = True  # and not an array

    def __init__(self, slot, threads):
        self.slot, self.threads = slot, threads
        self.item, self.computed = ir.IntType(slot.bits), ir.IntType(64 if slot.is_wide else 32)

    def widened(self, builder, item):
        """An item as rules compute with it."""
        return item if item.type.width == self.computed.width else builder.sext(item, self.computed)

    def narrowed(self, builder, value):
        """What rules have computed, as an item."""
        return value if value.type.width == self.item.width else builder.trunc(value, self.item)

    def get(self, builder, address):
        return ir.Constant(self.computed, self.slot.value)

    def set(self, builder, address, value, kind):
        """It stays as it is."""

    def room(self, builder, area):
        """A new field's address. ``area`` is the shared memory of the block."""
        return NULL

    def clear(self, builder, address, stride):
        """All zero."""

    def fetch(self, builder, where):
        """The address of a field that is in a batch: in its column, or in registers with what is there."""
        return self.room(builder, None)

    def put_back(self, builder, address, where):
        """What is in registers, into the column."""


class Scalar(Kept):
    """A number in a register."""

    def get(self, builder, address):
        return builder.load(pointer(builder, address, self.computed))

    def set(self, builder, address, value, kind):
        value = resized(builder, value, kind, number(self.slot.is_wide))
        builder.store(value, pointer(builder, address, self.computed))

    def room(self, builder, area):
        return new_register(builder, self.computed)

    def clear(self, builder, address, stride):
        builder.store(ir.Constant(self.computed, 0), pointer(builder, address, self.computed))

    def fetch(self, builder, where):
        made = self.room(builder, None)
        item = builder.load(where(0))
        fits = item.type.width <= self.computed.width
        value = self.widened(builder, item) if fits else builder.trunc(item, self.computed)
        builder.store(value, pointer(builder, made, self.computed))
        return made

    def put_back(self, builder, address, where):
        value = self.get(builder, address)
        fits = value.type.width >= self.item.width
        builder.store(self.narrowed(builder, value) if fits else builder.sext(value, self.item), where(0))


class Packed(Kept):
    """An array in one register, picked from by shifting."""

    is_number = False

    def __init__(self, slot, threads):
        super().__init__(slot, threads)
        self.word = INT if slot.bits * slot.length <= 32 else WIDE

    def _shift(self, builder, index):
        index = builder.trunc(index, self.word) if self.word.width < 64 else index
        return builder.mul(index, ir.Constant(self.word, self.slot.bits))

    def _load(self, builder, address):
        return builder.load(pointer(builder, address, self.word))

    def read(self, builder, address, stride, index):
        return builder.trunc(builder.lshr(self._load(builder, address), self._shift(builder, index)), self.item)

    def write(self, builder, address, stride, index, value):
        by = self._shift(builder, index)
        mask = builder.shl(ir.Constant(self.word, (1 << self.slot.bits) - 1), by)
        kept = builder.and_(self._load(builder, address), builder.not_(mask))
        word = builder.or_(kept, builder.shl(builder.zext(value, self.word), by))
        builder.store(word, pointer(builder, address, self.word))

    def room(self, builder, area):
        return new_register(builder, self.word)

    def clear(self, builder, address, stride):
        builder.store(ir.Constant(self.word, 0), pointer(builder, address, self.word))

    def fetch(self, builder, where):
        made, packed = self.room(builder, None), ir.Constant(self.word, 0)
        for place in range(self.slot.length):
            item = builder.zext(builder.load(where(place)), self.word)
            packed = builder.or_(packed, builder.shl(item, ir.Constant(self.word, place * self.slot.bits)))
        builder.store(packed, pointer(builder, made, self.word))
        return made

    def put_back(self, builder, address, where):
        word = self._load(builder, address)
        for place in range(self.slot.length):
            by = ir.Constant(self.word, place * self.slot.bits)
            builder.store(builder.trunc(builder.lshr(word, by), self.item), where(place))


class Local(Kept):
    """An array in the thread's own memory."""

    is_number = False

    def _at(self, builder, address, stride, index):
        """The address of an item."""
        return builder.gep(pointer(builder, address, self.item), [index])

    def read(self, builder, address, stride, index):
        """One item, as many bits as it has."""
        return builder.load(self._at(builder, address, stride, index))

    def write(self, builder, address, stride, index, value):
        builder.store(value, self._at(builder, address, stride, index))

    def room(self, builder, area):
        made = cgutils.alloca_once(builder, ir.ArrayType(self.item, self.slot.length))
        return builder.bitcast(made, BYTE.as_pointer())

    def clear(self, builder, address, stride):
        with cgutils.for_range(builder, ir.Constant(WIDE, self.slot.length)) as loop:
            builder.store(ir.Constant(self.item, 0), self._at(builder, address, stride, loop.index))


class Shared(Local):
    """An array in the memory of the block, where those of its threads alternate."""

    def _at(self, builder, address, stride, index):
        return super()._at(builder, address, stride, builder.mul(index, ir.Constant(WIDE, self.threads)))

    def room(self, builder, area):
        kind = ir.FunctionType(INT, ())
        thread = builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.nvvm.read.ptx.sreg.tid.x"), ())
        here = builder.mul(builder.zext(thread, WIDE), ir.Constant(WIDE, self.slot.bits // 8))
        here = builder.add(here, ir.Constant(WIDE, self.slot.offset * self.threads))
        return builder.gep(builder.bitcast(area, BYTE.as_pointer()), [here])


class Column(Local):
    """An array in a column of a batch, used where it is: the items of its rows alternate."""

    def _at(self, builder, address, stride, index):
        return super()._at(builder, address, stride, builder.mul(index, stride))

    def room(self, builder, area):
        return NULL

    def fetch(self, builder, where):
        return builder.bitcast(where(0), BYTE.as_pointer())


class Spread(Local):
    """An array of a few registers: all are looked at to find one."""

    def _each(self, builder, address):
        at = partial(super()._at, builder, address, None)
        return [(ir.Constant(WIDE, place), at(ir.Constant(WIDE, place))) for place in range(self.slot.length)]

    def read(self, builder, address, stride, index):
        (_, first), *others = self._each(builder, address)
        found = builder.load(first)
        for place, at in others:
            found = builder.select(builder.icmp_signed("==", index, place), builder.load(at), found)
        return found

    def write(self, builder, address, stride, index, value):
        for place, at in self._each(builder, address):
            is_it = builder.icmp_signed("==", index, place)
            builder.store(builder.select(is_it, value, builder.load(at)), at)

    def clear(self, builder, address, stride):
        for _, at in self._each(builder, address):
            builder.store(ir.Constant(self.item, 0), at)

    def fetch(self, builder, where):
        made = self.room(builder, None)
        for place, (_, at) in enumerate(self._each(builder, made)):
            builder.store(builder.load(where(place)), at)
        return made

    def put_back(self, builder, address, where):
        for place, (_, at) in enumerate(self._each(builder, address)):
            builder.store(builder.load(at), where(place))


HOW = {CONSTANT: Kept, SCALAR: Scalar, PACKED: Packed, SPREAD: Spread, SHARED: Shared, LOCAL: Local, COLUMN: Column}
