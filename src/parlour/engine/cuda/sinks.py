"""Where a batch's ``legal`` puts actions and ``observe`` puts features: straight into the caller's arrays, or nowhere.

A rule may put an action at a place and then another at the same place, before it goes on to the next one: the last
counts, and only those at places below the number that it returns.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.datamodel import models
from numba.cuda.extending import intrinsic, lower_builtin, register_model
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate, infer_global

from parlour.engine.cuda.actions import counter, picker
from parlour.engine.cuda.numbers import INT, WIDE, as_index, index_type, is_number, narrow, number, resized

BYTE = ir.IntType(8)
NOWHERE = ir.Constant(INT, -1)


class SinkType(types.Type):
    """What takes actions."""


class CheckerType(SinkType):
    """Looks whether an action is among them."""

    def __init__(self):
        super().__init__("checker of an action")


class MaskerType(SinkType):
    """Marks them in a mask. The one that came last waits until the next comes, for it may be replaced."""

    def __init__(self):
        super().__init__("masker of actions")


class FillerType(SinkType):
    """Lists them."""

    def __init__(self):
        super().__init__("list of actions")


class FeaturesType(types.Type):
    """The features of a row."""

    def __init__(self, bits):
        self.bits = bits
        super().__init__(f"features of {bits} bits")


checker, masker, filler = CheckerType(), MaskerType(), FillerType()
INT_POINTER = types.EphemeralPointer(types.int32)


@register_model(CheckerType)
class CheckerModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("wanted", types.int32), ("found_at", INT_POINTER)])


@register_model(MaskerType)
class MaskerModel(models.StructModel):
    def __init__(self, manager, kind):
        members = [("mask", types.voidptr), ("waiting_at", INT_POINTER), ("waiting", INT_POINTER)]
        super().__init__(manager, kind, members)


@register_model(FillerType)
class FillerModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("room", types.voidptr), ("size", types.int32)])


@register_model(FeaturesType)
class FeaturesModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("room", types.voidptr)])


def opened(context, builder, kind, value):
    return cgutils.create_struct_proxy(kind)(context, builder, value=value)


def address_in(context, builder, kind, array, first):
    """The address of an item of an array."""
    data = opened(context, builder, kind, array).data
    return builder.bitcast(builder.gep(data, [first]), BYTE.as_pointer())


@intrinsic
def new_checker(typingctx, action):
    def codegen(context, builder, sig, args):
        made = cgutils.create_struct_proxy(checker)(context, builder)
        made.wanted = args[0]
        made.found_at = cgutils.alloca_once_value(builder, NOWHERE)
        return made._getvalue()

    return signature(checker, narrow), codegen


@intrinsic
def has_found(typingctx, made, count):
    """Whether the action was among the first so many."""

    def codegen(context, builder, sig, args):
        at = builder.load(opened(context, builder, checker, args[0]).found_at)
        return builder.icmp_unsigned("<", at, args[1])

    return signature(types.boolean, checker, narrow), codegen


@intrinsic
def new_masker(typingctx, mask, first):
    def codegen(context, builder, sig, args):
        made = cgutils.create_struct_proxy(masker)(context, builder)
        made.mask = address_in(context, builder, sig.args[0], *args)
        made.waiting_at = cgutils.alloca_once_value(builder, NOWHERE)
        made.waiting = cgutils.alloca_once_value(builder, ir.Constant(INT, 0))
        return made._getvalue()

    return signature(masker, mask, types.int64), codegen


def mark_waiting(builder, made, condition):
    with builder.if_then(condition):
        place = builder.gep(made.mask, [builder.sext(builder.load(made.waiting), WIDE)])
        builder.store(ir.Constant(BYTE, 1), place)


@intrinsic
def finish_mask(typingctx, made, count):
    """No more actions come; there were so many."""

    def codegen(context, builder, sig, args):
        made = opened(context, builder, masker, args[0])
        mark_waiting(builder, made, builder.icmp_unsigned("<", builder.load(made.waiting_at), args[1]))
        return context.get_dummy_value()

    return signature(types.void, masker, narrow), codegen


@intrinsic
def new_filler(typingctx, actions, first, size):
    """Takes so many: what comes behind them is put there for nothing."""

    def codegen(context, builder, sig, args):
        made = cgutils.create_struct_proxy(filler)(context, builder)
        made.room = address_in(context, builder, sig.args[0], *args[:2])
        made.size = args[2]
        return made._getvalue()

    return signature(filler, actions, types.int64, narrow), codegen


@infer_global(operator.setitem)
class SinkSet(AbstractTemplate):
    def generic(self, args, kws):
        sink, index, value = args
        if isinstance(sink, SinkType) and is_number(index) and is_number(value):
            return signature(types.void, sink, narrow, narrow)
        return None


@lower_builtin(operator.setitem, CheckerType, types.Any, types.Any)
def check_action(context, builder, sig, args):
    made = opened(context, builder, checker, args[0])
    is_wanted = builder.icmp_signed("==", args[2], made.wanted)
    note_place(builder, made, args[1], args[1], is_wanted)


def note_place(builder, made, start, place, is_wanted):
    """Actions were put at places from ``start`` on; at ``place`` the one that is wanted, if it was among them."""
    at = builder.load(made.found_at)
    replaced = builder.icmp_signed(">=", at, start)
    earlier = builder.select(replaced, NOWHERE, at)
    is_new = builder.and_(is_wanted, builder.icmp_signed("<", earlier, ir.Constant(INT, 0)))
    builder.store(builder.select(is_new, place, earlier), made.found_at)


@lower_builtin(operator.setitem, MaskerType, types.Any, types.Any)
def mask_action(context, builder, sig, args):
    mask_one(builder, opened(context, builder, masker, args[0]), args[1], args[2])


def mask_one(builder, made, index, action):
    mark_waiting(builder, made, is_apart(builder, builder.load(made.waiting_at), index))
    builder.store(index, made.waiting_at)
    builder.store(action, made.waiting)


def is_apart(builder, at, index):
    """Whether one waits, and for another place."""
    waits = builder.icmp_signed(">=", at, ir.Constant(INT, 0))
    return builder.and_(waits, builder.icmp_signed("!=", at, index))


@lower_builtin(operator.setitem, FillerType, types.Any, types.Any)
def list_action(context, builder, sig, args):
    put_in_list(builder, opened(context, builder, filler, args[0]), args[1], args[2])


def put_in_list(builder, made, index, action):
    with builder.if_then(builder.icmp_signed("<", index, made.size)):
        room = builder.bitcast(made.room, INT.as_pointer())
        builder.store(action, builder.gep(room, [builder.sext(index, WIDE)]))


# Runs: actions that follow each other, all at once.


@intrinsic
def put_run(typingctx, actions, count, first, length):
    """So many actions from ``first`` up, behind the ``count`` that are there."""

    def codegen(context, builder, sig, args):
        kind, (made, count, first, length) = sig.args[0], args
        if kind is not counter:
            RUNS[kind](builder, opened(context, builder, kind, made), count, first, length)
        return builder.add(count, length)

    if actions not in (*RUNS, counter):
        return None
    return signature(narrow, actions, narrow, narrow, narrow), codegen


def pick_from_run(builder, made, count, first, length):
    place = builder.sub(made.wanted, count)
    is_there = builder.icmp_unsigned("<", place, length)
    builder.store(builder.select(is_there, builder.add(first, place), builder.load(made.action)), made.action)


def check_run(builder, made, count, first, length):
    place = builder.sub(made.wanted, first)
    note_place(builder, made, count, builder.add(count, place), builder.icmp_unsigned("<", place, length))


def mask_run(builder, made, count, first, length):
    with cgutils.for_range(builder, length, intp=INT) as loop:
        mask_one(builder, made, builder.add(count, loop.index), builder.add(first, loop.index))


def fill_run(builder, made, count, first, length):
    with cgutils.for_range(builder, length, intp=INT) as loop:
        put_in_list(builder, made, builder.add(count, loop.index), builder.add(first, loop.index))


RUNS = {picker: pick_from_run, checker: check_run, masker: mask_run, filler: fill_run}


# Features.


@intrinsic
def features_at(typingctx, features, first):
    """The features that begin there."""
    kind = FeaturesType(features.dtype.bitwidth)

    def codegen(context, builder, sig, args):
        made = cgutils.create_struct_proxy(kind)(context, builder)
        made.room = address_in(context, builder, sig.args[0], *args)
        return made._getvalue()

    return signature(kind, features, types.int64), codegen


@infer_global(operator.setitem)
class FeatureSet(AbstractTemplate):
    def generic(self, args, kws):
        features, index, value = args
        if isinstance(features, FeaturesType) and is_number(index) and is_number(value):
            return signature(types.void, features, index_type(index), number(features.bits == 64))
        return None


@infer_global(operator.getitem)
class FeatureGet(AbstractTemplate):
    def generic(self, args, kws):
        features, index = args
        if isinstance(features, FeaturesType) and is_number(index):
            return signature(number(features.bits == 64), features, index_type(index))
        return None


def feature_address(context, builder, sig, args):
    kind = sig.args[0]
    room = opened(context, builder, kind, args[0]).room
    room = builder.bitcast(room, ir.IntType(kind.bits).as_pointer())
    return builder.gep(room, [as_index(builder, args[1], sig.args[1])])


@lower_builtin(operator.setitem, FeaturesType, types.Any, types.Any)
def set_feature(context, builder, sig, args):
    bits = sig.args[0].bits
    value = args[2] if args[2].type.width == bits else builder.trunc(args[2], ir.IntType(bits))
    builder.store(value, feature_address(context, builder, sig, args))


@lower_builtin(operator.getitem, FeaturesType, types.Any)
def get_feature(context, builder, sig, args):
    bits = sig.args[0].bits
    found = builder.load(feature_address(context, builder, sig, args))
    return resized(builder, found, getattr(types, f"int{bits}"), sig.return_type)
