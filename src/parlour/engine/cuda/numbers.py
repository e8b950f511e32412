"""Numbers of 32 bits on a GPU, whose arithmetic of 64 bits takes twice the instructions and registers.

Numba computes all whole numbers with 64 bits. On the device, small fields and the constants of rules are of a type
of their own, ``narrow``: narrow with narrow stays narrow, and narrow with a wide number (a field of 64 bits, a set of
bits made by a shift to the left) is wide.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.cuda import types
from numba.cuda.core.imputils import builtin_registry as lowering
from numba.cuda.datamodel import models
from numba.cuda.extending import intrinsic, lower_builtin, lower_cast, register_model, typeof_impl
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate, infer_global

INT = ir.IntType(32)
WIDE = ir.IntType(64)
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


class Narrow(int):
    """A constant of the rules that fits 32 bits."""


class NarrowType(types.Type):
    def __init__(self):
        super().__init__("narrow")

    def unify(self, typingctx, other):
        """What a variable is that holds such a number at one place and another at another."""
        if is_narrow(other):
            return self
        return types.int64 if isinstance(other, types.Integer) else None


narrow = NarrowType()


@register_model(NarrowType)
class NarrowModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, INT)


def is_narrow(kind):
    """Whether a number of this type fits 32 bits."""
    if isinstance(kind, types.IntegerLiteral):
        return LOWEST <= kind.literal_value <= HIGHEST
    if isinstance(kind, types.Integer):
        return kind.bitwidth < 32 or kind == types.int32
    return isinstance(kind, NarrowType | types.Boolean | types.BooleanLiteral)


def is_number(kind):
    return isinstance(kind, NarrowType | types.Integer | types.Boolean)


def common(kinds):
    """The type in which these are computed with; none where they are no affair of ours."""
    if not any(isinstance(kind, NarrowType) for kind in kinds) or not all(map(is_number, kinds)):
        return None
    return narrow if all(map(is_narrow, kinds)) else types.int64


@typeof_impl.register(Narrow)
def typeof_narrow(value, context):
    return narrow


@lowering.lower_constant(NarrowType)
def constant(context, builder, kind, value):
    return ir.Constant(INT, int(value))


@lower_cast(NarrowType, types.Integer)
@lower_cast(NarrowType, types.Boolean)
@lower_cast(types.Integer, NarrowType)
@lower_cast(types.Boolean, NarrowType)
def cast_number(context, builder, fromty, toty, value):
    return resized(builder, value, fromty, toty)


def resized(builder, value, fromty, toty):
    """A number as one of another type."""
    if isinstance(toty, types.Boolean):
        return builder.icmp_signed("!=", value, ir.Constant(value.type, 0))
    bits = 32 if isinstance(toty, NarrowType) else toty.bitwidth
    if value.type.width == bits:
        return value
    if value.type.width > bits:
        return builder.trunc(value, ir.IntType(bits))
    unsigned = isinstance(fromty, types.Boolean) or (isinstance(fromty, types.Integer) and not fromty.signed)
    return (builder.zext if unsigned else builder.sext)(value, ir.IntType(bits))


def number(is_wide):
    """The type of numbers that are wide or not."""
    return types.int64 if is_wide else narrow


def index_type(kind):
    """The type in which a number of that type is an index."""
    return narrow if is_narrow(kind) else types.int64


def as_index(builder, value, kind):
    """An index of 64 bits."""
    return resized(builder, value, kind, types.int64)


def floor_divide(builder, left, right):
    """Quotient and remainder as Python has them: the remainder has the sign of the divisor."""
    quotient, rest = builder.sdiv(left, right), builder.srem(left, right)
    zero = ir.Constant(left.type, 0)
    uneven = builder.icmp_signed("!=", rest, zero)
    opposite = builder.icmp_signed("<", builder.xor(rest, right), zero)
    down = builder.and_(uneven, opposite)
    quotient = builder.sub(quotient, builder.zext(down, left.type))
    return quotient, builder.select(down, builder.add(rest, right), rest)


def shifted_right(builder, value, by):
    """By 32 and more bits, too: then only the sign is left."""
    most = ir.Constant(INT, 31)
    return builder.ashr(value, builder.select(builder.icmp_unsigned("<", by, most), by, most))


ARITHMETIC = {
    (operator.add, operator.iadd): lambda builder, a, b: builder.add(a, b),
    (operator.sub, operator.isub): lambda builder, a, b: builder.sub(a, b),
    (operator.mul, operator.imul): lambda builder, a, b: builder.mul(a, b),
    (operator.and_, operator.iand): lambda builder, a, b: builder.and_(a, b),
    (operator.or_, operator.ior): lambda builder, a, b: builder.or_(a, b),
    (operator.xor, operator.ixor): lambda builder, a, b: builder.xor(a, b),
    (operator.floordiv, operator.ifloordiv): lambda builder, a, b: floor_divide(builder, a, b)[0],
    (operator.mod, operator.imod): lambda builder, a, b: floor_divide(builder, a, b)[1],
}
COMPARISONS = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}
UNARY = {
    operator.neg: lambda builder, a: builder.neg(a),
    operator.invert: lambda builder, a: builder.not_(a),
    operator.pos: lambda builder, a: a,
    int: lambda builder, a: a,
    abs: lambda builder, a: builder.select(builder.icmp_signed("<", a, ir.Constant(INT, 0)), builder.neg(a), a),
}


def template(function, resolve):
    """Tell Numba the types of a function: ``resolve`` gives those of what it takes and returns, or nothing."""

    @infer_global(function)
    class Template(AbstractTemplate):
        prefer_literal = True

        def generic(self, args, kws):
            return None if kws else resolve(*args)


def arithmetic(*args):
    kind = common(args) if len(args) == 2 else None
    return kind and signature(kind, kind, kind)


def comparison(*args):
    kind = common(args) if len(args) == 2 else None
    return kind and signature(types.boolean, kind, kind)


def unary(*args):
    return signature(narrow, narrow) if args == (narrow,) else None


def truth(*args):
    return signature(types.boolean, narrow) if args == (narrow,) else None


def shift_left(*args):
    """A bit may be shifted anywhere, so the outcome is wide."""
    return signature(types.int64, types.int64, types.int64) if common(args) else None


def shift_right(*args):
    if not common(args):
        return None
    kind = narrow if is_narrow(args[0]) else types.int64
    return signature(kind, kind, kind)


def extreme(*args):
    kind = common(args) if len(args) >= 2 else None
    return kind and signature(kind, *[kind] * len(args))


def counting(*args):
    kind = common(args) if len(args) <= 3 else None
    if kind is None:
        return None
    step, state = (types.int32, types.range_state32_type) if kind == narrow else (types.int64, types.range_state64_type)
    return signature(state, *[step] * len(args))


for functions, instruction in ARITHMETIC.items():
    for function in functions:
        template(function, arithmetic)
        lower_builtin(function, narrow, narrow)(
            lambda context, builder, sig, args, instruction=instruction: instruction(builder, *args)
        )
for function, sign in COMPARISONS.items():
    template(function, comparison)
    lower_builtin(function, narrow, narrow)(
        lambda context, builder, sig, args, sign=sign: builder.icmp_signed(sign, *args)
    )
for named, unary_instruction in UNARY.items():
    template(named, unary)
    lower_builtin(named, narrow)(
        lambda context, builder, sig, args, instruction=unary_instruction: instruction(builder, *args)
    )
for tested, sign in ((bool, "!="), (operator.truth, "!="), (operator.not_, "==")):
    template(tested, truth)
    lower_builtin(tested, narrow)(
        lambda context, builder, sig, args, sign=sign: builder.icmp_signed(sign, args[0], ir.Constant(INT, 0))
    )
for function in (operator.lshift, operator.ilshift):
    template(function, shift_left)
for function in (operator.rshift, operator.irshift):
    template(function, shift_right)
    lower_builtin(function, narrow, narrow)(lambda context, builder, sig, args: shifted_right(builder, *args))
for function, sign in ((min, "<"), (max, ">")):
    template(function, extreme)

    @lower_builtin(function, types.VarArg(narrow))
    def narrow_extreme(context, builder, sig, args, sign=sign):
        best = args[0]
        for other in args[1:]:
            best = builder.select(builder.icmp_signed(sign, other, best), other, best)
        return best


template(range, counting)


@intrinsic
def narrowed(typingctx, value):
    """A number that is known to fit 32 bits."""

    def codegen(context, builder, sig, args):
        return resized(builder, args[0], sig.args[0], narrow)

    return signature(narrow, value), codegen


@intrinsic
def widened(typingctx, value):
    """A number of 64 bits."""

    def codegen(context, builder, sig, args):
        return resized(builder, args[0], sig.args[0], types.int64)

    return signature(types.int64, value), codegen
