"""States as Numba compiles them for a GPU: each field where ``storage`` puts it."""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadrv import nvvm
from numba.cuda.datamodel import models
from numba.cuda.extending import (
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    register_model,
)
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global

from parlour.engine.cuda.numbers import INT, WIDE, as_index, index_type, is_number, narrow, number, resized, template
from parlour.engine.cuda.storage import COLUMN, CONSTANT, LOCAL, PACKED, SCALAR, SHARED, SPREAD, shared_bytes

BYTE = ir.IntType(8)


def pointer(builder, address, bits):
    """An address as that of a number of so many bits."""
    return builder.bitcast(address, ir.IntType(bits).as_pointer())


def new_register(builder, bits):
    return builder.bitcast(cgutils.alloca_once(builder, ir.IntType(bits)), BYTE.as_pointer())


class StateType(types.Type):
    """A state of these slots."""

    def __init__(self, name, slots, threads):
        self.slots, self.threads = slots, threads
        self.slot = {slot.name: slot for slot in slots}
        super().__init__(f"state of {name}, {threads} threads: {slots}")


class FieldType(types.Type):
    """An array of a state."""

    def __init__(self, slot, threads):
        self.slot, self.threads = slot, threads
        super().__init__(f"field, {threads} threads: {slot}")


def member(name):
    """What the address of a field is called, so that no field's name is in the way."""
    return f"at_{name}"


@register_model(StateType)
class StateModel(models.StructModel):
    def __init__(self, manager, kind):
        members = [(member(slot.name), types.voidptr) for slot in kind.slots]
        super().__init__(manager, kind, [*members, ("stride", types.int64)])


@register_model(FieldType)
class FieldModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("address", types.voidptr), ("stride", types.int64)])


@infer_getattr
class StateAttributes(AttributeTemplate):
    key = StateType

    def generic_resolve(self, state, name):
        slot = state.slot.get(name)
        if slot is None:
            return None
        return number(slot.is_wide) if slot.place in (CONSTANT, SCALAR) else FieldType(slot, state.threads)


@lower_getattr_generic(StateType)
def get_field(context, builder, kind, value, name):
    slot = kind.slot[name]
    width = 64 if slot.is_wide else 32
    if slot.place == CONSTANT:
        return ir.Constant(ir.IntType(width), slot.value)
    state = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    if slot.place == SCALAR:
        return builder.load(pointer(builder, getattr(state, member(name)), width))
    field = cgutils.create_struct_proxy(FieldType(slot, kind.threads))(context, builder)
    field.address, field.stride = getattr(state, member(name)), state.stride
    return field._getvalue()


@lower_setattr_generic(StateType)
def set_field(context, builder, sig, args, name):
    kind, given = sig.args
    state = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    slot = kind.slot[name]
    if slot.place == SCALAR:
        value = resized(builder, args[1], given, number(slot.is_wide))
        builder.store(value, pointer(builder, getattr(state, member(name)), 64 if slot.is_wide else 32))


def item_address(builder, slot, threads, field, index):
    """Where an item of an array in memory is: those of the threads of a block, or of the rows of a batch, alternate."""
    base = pointer(builder, field.address, slot.bits)
    if slot.place == SHARED:
        index = builder.mul(index, ir.Constant(WIDE, threads))
    elif slot.place == COLUMN:
        index = builder.mul(index, field.stride)
    return builder.gep(base, [index])


def read_item(builder, slot, threads, field, index):
    """One item of an array, as many bits as it has."""
    item = ir.IntType(slot.bits)
    if slot.place == PACKED:
        width = register_bits(slot)
        word = builder.load(pointer(builder, field.address, width))
        return builder.trunc(builder.lshr(word, shift(builder, slot, index)), item)
    if slot.place == SPREAD:
        base = pointer(builder, field.address, slot.bits)
        found = builder.load(builder.gep(base, [ir.Constant(WIDE, 0)]))
        for place in range(1, slot.length):
            other = builder.load(builder.gep(base, [ir.Constant(WIDE, place)]))
            found = builder.select(builder.icmp_signed("==", index, ir.Constant(WIDE, place)), other, found)
        return found
    return builder.load(item_address(builder, slot, threads, field, index))


def write_item(builder, slot, threads, field, index, value):
    if slot.place == PACKED:
        width, by = register_bits(slot), shift(builder, slot, index)
        place = pointer(builder, field.address, width)
        word = ir.IntType(width)
        mask = builder.shl(ir.Constant(word, (1 << slot.bits) - 1), by)
        kept = builder.and_(builder.load(place), builder.not_(mask))
        builder.store(builder.or_(kept, builder.shl(builder.zext(value, word), by)), place)
    elif slot.place == SPREAD:
        base = pointer(builder, field.address, slot.bits)
        for place in range(slot.length):
            address = builder.gep(base, [ir.Constant(WIDE, place)])
            is_it = builder.icmp_signed("==", index, ir.Constant(WIDE, place))
            builder.store(builder.select(is_it, value, builder.load(address)), address)
    else:
        builder.store(value, item_address(builder, slot, threads, field, index))


def register_bits(slot):
    return 32 if slot.bits * slot.length <= 32 else 64


def shift(builder, slot, index):
    word = ir.IntType(register_bits(slot))
    index = builder.trunc(index, word) if word.width < 64 else index
    return builder.mul(index, ir.Constant(word, slot.bits))


@infer_global(operator.getitem)
class FieldGet(AbstractTemplate):
    def generic(self, args, kws):
        field, index = args
        if isinstance(field, FieldType) and is_number(index):
            return signature(number(field.slot.is_wide), field, index_type(index))
        return None


@infer_global(operator.setitem)
class FieldSet(AbstractTemplate):
    def generic(self, args, kws):
        field, index, value = args
        if isinstance(field, FieldType) and is_number(index) and is_number(value):
            return signature(types.void, field, index_type(index), number(field.slot.is_wide))
        return None


@lower_builtin(operator.getitem, FieldType, types.Any)
def get_item(context, builder, sig, args):
    kind = sig.args[0]
    field = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    found = read_item(builder, kind.slot, kind.threads, field, as_index(builder, args[1], sig.args[1]))
    wide = ir.IntType(64 if kind.slot.is_wide else 32)
    return found if found.type.width == wide.width else builder.sext(found, wide)


@lower_builtin(operator.setitem, FieldType, types.Any, types.Any)
def set_item(context, builder, sig, args):
    kind = sig.args[0]
    field = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    value, item = args[2], ir.IntType(kind.slot.bits)
    value = value if value.type.width == item.width else builder.trunc(value, item)
    write_item(builder, kind.slot, kind.threads, field, as_index(builder, args[1], sig.args[1]), value)


template(len, lambda *args: signature(narrow, *args) if isinstance(args[0], FieldType) else None)


@lower_builtin(len, FieldType)
def field_length(context, builder, sig, args):
    return ir.Constant(INT, sig.args[0].slot.length)


def state_functions(kind):
    """``new_state()``: room for a state of this type. ``clear(state)``: all its fields zero."""

    @intrinsic
    def new_state(typingctx):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder)
            area = shared_area(builder, kind)
            for slot in kind.slots:
                setattr(state, member(slot.name), room(builder, kind, slot, area))
            state.stride = ir.Constant(WIDE, 0)
            return state._getvalue()

        return signature(kind), codegen

    @intrinsic
    def clear(typingctx, state):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
            for slot in kind.slots:
                clear_slot(context, builder, kind, slot, state)
            return context.get_dummy_value()

        return signature(types.void, kind), codegen

    return new_state, clear


def shared_area(builder, kind):
    """The block's shared memory for states, if it has any."""
    size = shared_bytes(kind.slots) * kind.threads
    if not size:
        return None
    area = cgutils.add_global_variable(
        builder.module, ir.ArrayType(BYTE, size), "parlour_states", nvvm.ADDRSPACE_SHARED
    )
    area.linkage, area.align, area.initializer = "internal", 8, ir.Constant(area.type.pointee, ir.Undefined)
    return builder.addrspacecast(area, ir.PointerType(area.type.pointee), "generic")


def room(builder, kind, slot, area):
    """The address of a slot's first item."""
    if slot.place == SHARED:
        thread = thread_in_block(builder)
        here = builder.mul(builder.zext(thread, WIDE), ir.Constant(WIDE, slot.bits // 8))
        here = builder.add(here, ir.Constant(WIDE, slot.offset * kind.threads))
        return builder.gep(builder.bitcast(area, BYTE.as_pointer()), [here])
    if slot.place == SCALAR:
        return new_register(builder, 64 if slot.is_wide else 32)
    if slot.place == PACKED:
        return new_register(builder, register_bits(slot))
    if slot.place in (SPREAD, LOCAL):
        made = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(slot.bits), slot.length))
        return builder.bitcast(made, BYTE.as_pointer())
    return ir.Constant(BYTE.as_pointer(), None)


def thread_in_block(builder):
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(INT, ()), "llvm.nvvm.read.ptx.sreg.tid.x")
    return builder.call(function, ())


def clear_slot(context, builder, kind, slot, state):
    if slot.place == CONSTANT:
        return
    address = getattr(state, member(slot.name))
    if slot.place in (SCALAR, PACKED):
        width = register_bits(slot) if slot.place == PACKED else 64 if slot.is_wide else 32
        builder.store(ir.Constant(ir.IntType(width), 0), pointer(builder, address, width))
        return
    field = cgutils.create_struct_proxy(FieldType(slot, kind.threads))(context, builder)
    field.address, field.stride = address, state.stride
    zero = ir.Constant(ir.IntType(slot.bits), 0)
    if slot.place == SPREAD:
        for place in range(slot.length):
            builder.store(zero, builder.gep(pointer(builder, address, slot.bits), [ir.Constant(WIDE, place)]))
        return
    with cgutils.for_range(builder, ir.Constant(WIDE, slot.length)) as loop:
        builder.store(zero, item_address(builder, slot, kind.threads, field, loop.index))


def row_functions(kind):
    """``bind(columns, capacity, row)``: the state in that row of a batch. ``keep(state, columns, capacity, row)`` puts
    back what is in registers; larger arrays are used where they are.
    """

    @intrinsic
    def bind(typingctx, columns, capacity, row):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder)
            base, capacity, row = opened_columns(context, builder, sig, args)
            for slot in kind.slots:
                setattr(state, member(slot.name), bound(builder, kind, slot, base, capacity, row))
            state.stride = capacity
            return state._getvalue()

        return signature(kind, columns, types.int64, types.int64), codegen

    @intrinsic
    def keep(typingctx, state, columns, capacity, row):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
            base, capacity, row = opened_columns(context, builder, signature(types.void, *sig.args[1:]), args[1:])
            for slot in kind.slots:
                put_back(builder, slot, getattr(state, member(slot.name)), base, capacity, row)
            return context.get_dummy_value()

        return signature(types.void, kind, columns, types.int64, types.int64), codegen

    return bind, keep


def opened_columns(context, builder, sig, args):
    array = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    return builder.bitcast(array.data, BYTE.as_pointer()), args[1], args[2]


def column_address(builder, slot, base, capacity, row, place):
    """Where a row has an item of an array, or its scalar."""
    start = builder.gep(base, [builder.mul(capacity, ir.Constant(WIDE, slot.offset))])
    index = builder.add(builder.mul(capacity, ir.Constant(WIDE, place)), row)
    return builder.gep(pointer(builder, start, slot.bits), [index])


def bound(builder, kind, slot, base, capacity, row):
    """The address of a slot's first item: in its column, or in registers that hold what is there."""
    if slot.place == COLUMN:
        return builder.bitcast(column_address(builder, slot, base, capacity, row, 0), BYTE.as_pointer())
    made = room(builder, kind, slot, None)
    if slot.place == SCALAR:
        value = builder.load(column_address(builder, slot, base, capacity, row, 0))
        builder.store(to_width(builder, value, slot), pointer(builder, made, 64 if slot.is_wide else 32))
    elif slot.place == PACKED:
        word = ir.IntType(register_bits(slot))
        packed = ir.Constant(word, 0)
        for place in range(slot.length):
            item = builder.zext(builder.load(column_address(builder, slot, base, capacity, row, place)), word)
            packed = builder.or_(packed, builder.shl(item, ir.Constant(word, place * slot.bits)))
        builder.store(packed, pointer(builder, made, word.width))
    elif slot.place == SPREAD:
        for place in range(slot.length):
            value = builder.load(column_address(builder, slot, base, capacity, row, place))
            builder.store(value, builder.gep(pointer(builder, made, slot.bits), [ir.Constant(WIDE, place)]))
    return made


def to_width(builder, value, slot):
    """An item as wide as the register of its slot."""
    width = 64 if slot.is_wide else 32
    if slot.bits == width:
        return value
    return (builder.trunc if slot.bits > width else builder.sext)(value, ir.IntType(width))


def put_back(builder, slot, address, base, capacity, row):
    if slot.place == SCALAR:
        value = builder.load(pointer(builder, address, 64 if slot.is_wide else 32))
        item = ir.IntType(slot.bits)
        if value.type.width != slot.bits:
            value = (builder.sext if value.type.width < slot.bits else builder.trunc)(value, item)
        builder.store(value, column_address(builder, slot, base, capacity, row, 0))
    elif slot.place == PACKED:
        word = builder.load(pointer(builder, address, register_bits(slot)))
        for place in range(slot.length):
            item = builder.trunc(builder.lshr(word, ir.Constant(word.type, place * slot.bits)), ir.IntType(slot.bits))
            builder.store(item, column_address(builder, slot, base, capacity, row, place))
    elif slot.place == SPREAD:
        for place in range(slot.length):
            item = builder.load(builder.gep(pointer(builder, address, slot.bits), [ir.Constant(WIDE, place)]))
            builder.store(item, column_address(builder, slot, base, capacity, row, place))
