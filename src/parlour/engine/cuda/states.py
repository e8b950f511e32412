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

from parlour.engine.cuda.keeping import BYTE, HOW, address_in_column
from parlour.engine.cuda.numbers import INT, WIDE, as_index, index_type, is_number, narrow, number, template
from parlour.engine.cuda.storage import shared_bytes


class StateType(types.Type):
    """A state of these slots."""

    def __init__(self, name, slots, threads):
        self.slots, self.threads = slots, threads
        self.kept = {slot.name: HOW[slot.place](slot, threads) for slot in slots}
        super().__init__(f"state of {name}, {threads} threads: {slots}")


class FieldType(types.Type):
    """An array of a state."""

    def __init__(self, kept):
        self.kept = kept
        super().__init__(f"field, {kept.threads} threads: {kept.slot}")


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
        kept = state.kept.get(name)
        if kept is None:
            return None
        return number(kept.slot.is_wide) if kept.is_number else FieldType(kept)


@lower_getattr_generic(StateType)
def get_field(context, builder, kind, value, name):
    kept, state = kind.kept[name], cgutils.create_struct_proxy(kind)(context, builder, value=value)
    if kept.is_number:
        return kept.get(builder, getattr(state, member(name)))
    field = cgutils.create_struct_proxy(FieldType(kept))(context, builder)
    field.address, field.stride = getattr(state, member(name)), state.stride
    return field._getvalue()


@lower_setattr_generic(StateType)
def set_field(context, builder, sig, args, name):
    kind, given = sig.args
    state = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    kind.kept[name].set(builder, getattr(state, member(name)), args[1], given)


@infer_global(operator.getitem)
class FieldGet(AbstractTemplate):
    def generic(self, args, kws):
        field, index = args
        if isinstance(field, FieldType) and is_number(index):
            return signature(number(field.kept.slot.is_wide), field, index_type(index))
        return None


@infer_global(operator.setitem)
class FieldSet(AbstractTemplate):
    def generic(self, args, kws):
        field, index, value = args
        if isinstance(field, FieldType) and is_number(index) and is_number(value):
            return signature(types.void, field, index_type(index), number(field.kept.slot.is_wide))
        return None


@lower_builtin(operator.getitem, FieldType, types.Any)
def get_item(context, builder, sig, args):
    kind = sig.args[0]
    field = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    found = kind.kept.read(builder, field.address, field.stride, as_index(builder, args[1], sig.args[1]))
    return kind.kept.widened(builder, found)


@lower_builtin(operator.setitem, FieldType, types.Any, types.Any)
def set_item(context, builder, sig, args):
    kind = sig.args[0]
    field = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    value = kind.kept.narrowed(builder, args[2])
    kind.kept.write(builder, field.address, field.stride, as_index(builder, args[1], sig.args[1]), value)


template(len, lambda *args: signature(narrow, *args) if isinstance(args[0], FieldType) else None)


@lower_builtin(len, FieldType)
def field_length(context, builder, sig, args):
    return ir.Constant(INT, sig.args[0].kept.slot.length)


def state_functions(kind):
    """``new_state()``: room for a state of this type. ``clear(state)``: all its fields zero."""

    @intrinsic
    def new_state(typingctx):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder)
            area = shared_area(builder, kind)
            for name, kept in kind.kept.items():
                setattr(state, member(name), kept.room(builder, area))
            state.stride = ir.Constant(WIDE, 0)
            return state._getvalue()

        return signature(kind), codegen

    @intrinsic
    def clear(typingctx, state):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
            for name, kept in kind.kept.items():
                kept.clear(builder, getattr(state, member(name)), state.stride)
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


def row_functions(kind):
    """``bind(columns, capacity, row)``: the state in that row of a batch. ``keep(state, columns, capacity, row)`` puts
    back what is in registers; larger arrays are used where they are.
    """

    @intrinsic
    def bind(typingctx, columns, capacity, row):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder)
            base, capacity, row = opened_columns(context, builder, sig, args)
            for name, kept in kind.kept.items():
                where = address_in_column(builder, kept.slot, base, capacity, row)
                setattr(state, member(name), kept.fetch(builder, where))
            state.stride = capacity
            return state._getvalue()

        return signature(kind, columns, types.int64, types.int64), codegen

    @intrinsic
    def keep(typingctx, state, columns, capacity, row):
        def codegen(context, builder, sig, args):
            state = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
            base, capacity, row = opened_columns(context, builder, signature(types.void, *sig.args[1:]), args[1:])
            for name, kept in kind.kept.items():
                where = address_in_column(builder, kept.slot, base, capacity, row)
                kept.put_back(builder, getattr(state, member(name)), where)
            return context.get_dummy_value()

        return signature(types.void, kind, columns, types.int64, types.int64), codegen

    return bind, keep


def opened_columns(context, builder, sig, args):
    array = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    return builder.bitcast(array.data, BYTE.as_pointer()), args[1], args[2]
