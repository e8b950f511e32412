"""Chance as Numba compiles it for a GPU: four lanes of 32 bits, which are registers."""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.datamodel import models
from numba.cuda.extending import intrinsic, lower_builtin, register_model
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate, infer_global

from parlour.engine.cuda.numbers import INT, WIDE, as_index, index_type


class ChanceType(types.Type):
    def __init__(self):
        super().__init__("chance")


chance = ChanceType()


@register_model(ChanceType)
class ChanceModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, INT.as_pointer())


@intrinsic
def new_chance(typingctx):
    def codegen(context, builder, sig, args):
        made = cgutils.alloca_once(builder, ir.ArrayType(INT, 4))
        return builder.bitcast(made, INT.as_pointer())

    return signature(chance), codegen


@infer_global(operator.getitem)
class LaneGet(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], ChanceType):
            return signature(types.int64, chance, index_type(args[1]))
        return None


@infer_global(operator.setitem)
class LaneSet(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], ChanceType):
            return signature(types.void, chance, index_type(args[1]), types.int64)
        return None


@lower_builtin(operator.getitem, ChanceType, types.Any)
def get_lane(context, builder, sig, args):
    return builder.zext(builder.load(builder.gep(args[0], [as_index(builder, args[1], sig.args[1])])), WIDE)


@lower_builtin(operator.setitem, ChanceType, types.Any, types.Any)
def set_lane(context, builder, sig, args):
    lane = builder.gep(args[0], [as_index(builder, args[1], sig.args[1])])
    builder.store(builder.trunc(args[2], INT), lane)
