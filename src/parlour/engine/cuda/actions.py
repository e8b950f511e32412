"""Where ``legal`` puts the actions. To count them, nothing need be kept; to pick one, only that one."""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.datamodel import models
from numba.cuda.extending import intrinsic, lower_builtin, register_model
from numba.cuda.typing import signature
from numba.cuda.typing.templates import AbstractTemplate, infer_global

from parlour.engine.cuda.numbers import INT, is_number, narrow


class CounterType(types.Type):
    def __init__(self):
        super().__init__("counter of actions")


class PickerType(types.Type):
    def __init__(self):
        super().__init__("picker of an action")


counter, picker = CounterType(), PickerType()


@register_model(CounterType)
class CounterModel(models.OpaqueModel):
    pass


@register_model(PickerType)
class PickerModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("wanted", types.int32), ("action", types.EphemeralPointer(types.int32))])


@intrinsic
def new_counter(typingctx):
    return signature(counter), lambda context, builder, sig, args: context.get_dummy_value()


@intrinsic
def new_picker(typingctx, wanted):
    """Keeps the action at that place of the list."""

    def codegen(context, builder, sig, args):
        made = cgutils.create_struct_proxy(picker)(context, builder)
        made.wanted = args[0]
        made.action = cgutils.alloca_once_value(builder, ir.Constant(INT, 0))
        return made._getvalue()

    return signature(picker, narrow), codegen


@intrinsic
def picked(typingctx, made):
    """The action that a picker has kept."""

    def codegen(context, builder, sig, args):
        return builder.load(cgutils.create_struct_proxy(picker)(context, builder, value=args[0]).action)

    return signature(narrow, picker), codegen


@infer_global(operator.setitem)
class ActionSet(AbstractTemplate):
    def generic(self, args, kws):
        actions, index, value = args
        if isinstance(actions, CounterType | PickerType) and is_number(index) and is_number(value):
            return signature(types.void, actions, narrow, narrow)
        return None


@lower_builtin(operator.setitem, CounterType, types.Any, types.Any)
def count_action(context, builder, sig, args):
    return context.get_dummy_value()


@lower_builtin(operator.setitem, PickerType, types.Any, types.Any)
def pick_action(context, builder, sig, args):
    made = cgutils.create_struct_proxy(picker)(context, builder, value=args[0])
    is_wanted = builder.icmp_signed("==", args[1], made.wanted)
    builder.store(builder.select(is_wanted, args[2], builder.load(made.action)), made.action)
