"""Tuples of numbers that rules name, as arrays in the device's memory.

Numba would make a tree of branches of every look into a tuple.
"""

from __future__ import annotations

import hashlib
import operator

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.core.imputils import RefType, iternext_impl
from numba.cuda.core.imputils import builtin_registry as lowering
from numba.cuda.cudadrv import nvvm
from numba.cuda.datamodel import models
from numba.cuda.extending import lower_builtin, register_model, typeof_impl
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate, infer, infer_global

from parlour.engine.cuda.numbers import (
    HIGHEST,
    INT,
    LOWEST,
    WIDE,
    as_index,
    index_type,
    is_number,
    narrow,
    number,
    template,
)


class LookupTable(tuple):
    """A tuple of whole numbers."""


class TableType(types.Type):
    def __init__(self, values):
        self.values = values
        self.is_wide = not all(LOWEST <= value <= HIGHEST for value in values)
        super().__init__(f"table {values}")


class TableIterator(types.SimpleIteratorType):
    def __init__(self, table):
        self.table = table
        super().__init__(f"iterator of {table}", number(table.is_wide))


@register_model(TableType)
class TableModel(models.OpaqueModel):
    pass


@register_model(TableIterator)
class TableIteratorModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.int64))])


@typeof_impl.register(LookupTable)
def typeof_table(value, context):
    return TableType(tuple(value))


@lowering.lower_constant(TableType)
def table_constant(context, builder, kind, value):
    return context.get_dummy_value()


@infer_global(operator.getitem)
class TableGet(AbstractTemplate):
    def generic(self, args, kws):
        table, index = args
        if isinstance(table, TableType) and is_number(index):
            return signature(number(table.is_wide), table, index_type(index))
        return None


@infer
class TableIterate(AbstractTemplate):
    key = "getiter"

    def generic(self, args, kws):
        return signature(TableIterator(args[0]), args[0]) if isinstance(args[0], TableType) else None


def look_up(builder, table, index):
    """A number of the table, from an array of constants in the device's memory."""
    low, high = min(table.values), max(table.values)
    bits = next(bits for bits in (8, 16, 32, 64) if -(1 << bits - 1) <= low and high < 1 << bits - 1)
    kind = ir.ArrayType(ir.IntType(bits), len(table.values))
    name = f"parlour_table_{hashlib.sha256(repr(table.values).encode()).hexdigest()[:16]}"
    found = builder.module.globals.get(name)
    if found is None:
        found = cgutils.add_global_variable(builder.module, kind, name, nvvm.ADDRSPACE_GLOBAL)
        found.linkage, found.global_constant, found.align = "internal", True, bits // 8
        found.initializer = ir.Constant(kind, list(table.values))
    value = builder.load(builder.gep(found, [ir.Constant(WIDE, 0), index]))
    wide = ir.IntType(64 if table.is_wide else 32)
    return value if bits == wide.width else builder.sext(value, wide)


@lower_builtin(operator.getitem, TableType, types.Any)
def get_from_table(context, builder, sig, args):
    return look_up(builder, sig.args[0], as_index(builder, args[1], sig.args[1]))


@lower_builtin(len, TableType)
def table_length(context, builder, sig, args):
    return ir.Constant(INT, len(sig.args[0].values))


@lower_builtin("getiter", TableType)
def iterate_table(context, builder, sig, args):
    iterator = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    iterator.index = cgutils.alloca_once_value(builder, ir.Constant(WIDE, 0))
    return iterator._getvalue()


@lower_builtin("iternext", TableIterator)
@iternext_impl(RefType.UNTRACKED)
def next_of_table(context, builder, sig, args, result):
    kind = sig.args[0]
    iterator = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    index = builder.load(iterator.index)
    is_valid = builder.icmp_signed("<", index, ir.Constant(WIDE, len(kind.table.values)))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        result.yield_(look_up(builder, kind.table, index))
        builder.store(builder.add(index, ir.Constant(WIDE, 1)), iterator.index)


template(len, lambda *args: signature(narrow, *args) if isinstance(args[0], TableType) else None)
