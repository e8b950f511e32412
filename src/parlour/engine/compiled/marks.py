"""Where a batch's ``legal`` puts actions when a game has few of them: a bit for each, in a register, and no list.

A rule may put an action at a place and then another at the same place, before it goes on to the next one: the last
counts, and only those at places below the number that it returns.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model

MOST_MARKS = 64  # bits of a register
WORD = ir.IntType(64)


class MarksType(types.Type):
    def __init__(self):
        super().__init__("marks of actions")


marks = MarksType()


@register_model(MarksType)
class MarksModel(models.StructModel):
    """The marks of all actions but the last; that of the last; and the place behind it."""

    def __init__(self, manager, kind):
        word = types.EphemeralPointer(types.int64)
        super().__init__(manager, kind, [("kept", word), ("last", word), ("free", word)])


@intrinsic
def new_marks(typingctx):
    """No action is there."""

    def codegen(context, builder, sig, args):
        made = cgutils.create_struct_proxy(marks)(context, builder)
        for part in ("kept", "last", "free"):
            room = cgutils.alloca_once(builder, WORD)
            builder.store(ir.Constant(WORD, 0), room)
            setattr(made, part, room)
        return made._getvalue()

    return signature(marks), codegen


@intrinsic
def marked(typingctx, made, count):
    """The bits of the first ``count`` actions."""

    def codegen(context, builder, sig, args):
        found = cgutils.create_struct_proxy(marks)(context, builder, value=args[0])
        counts = builder.icmp_signed("<=", builder.load(found.free), args[1])
        return builder.or_(builder.load(found.kept), _if(builder, counts, builder.load(found.last)))

    return signature(types.int64, marks, types.int64), codegen


@infer_global(operator.setitem)
class MarkAction(AbstractTemplate):
    def generic(self, args, kws):
        made, place, action = args
        if isinstance(made, MarksType) and isinstance(place, types.Integer) and isinstance(action, types.Integer):
            return signature(types.void, made, types.int64, types.int64)
        return None


@lower_builtin(operator.setitem, MarksType, types.int64, types.int64)
def mark_action(context, builder, sig, args):
    """Where this place was free, the action before is certain."""
    made = cgutils.create_struct_proxy(marks)(context, builder, value=args[0])
    _, place, action = args
    is_free = builder.icmp_signed(">=", place, builder.load(made.free))
    certain = builder.or_(builder.load(made.kept), _if(builder, is_free, builder.load(made.last)))
    builder.store(certain, made.kept)
    bit = builder.and_(action, ir.Constant(WORD, MOST_MARKS - 1))
    builder.store(builder.shl(ir.Constant(WORD, 1), bit), made.last)
    builder.store(builder.add(place, ir.Constant(WORD, 1)), made.free)


def _if(builder, condition, word):
    return builder.select(condition, word, ir.Constant(WORD, 0))
