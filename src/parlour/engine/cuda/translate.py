"""Rules as functions of the device: the same code, with the constants and functions that it names put into forms that
compile well there. Whole numbers become numbers of 32 bits, tuples become tables, ``below`` and ``roll`` draw from
lanes of 32 bits, and every function becomes a device function that is inlined where it is called.
"""

from __future__ import annotations

import builtins
import sys
from types import CellType, FunctionType, ModuleType

from numba import cuda

from parlour.engine.chance import below, draw_below, roll
from parlour.engine.cuda.numbers import HIGHEST, LOWEST, Narrow, narrowed, widened
from parlour.engine.cuda.sinks import put_run
from parlour.engine.cuda.tables import LookupTable
from parlour.engine.rule import is_rule
from parlour.engine.turns import list_run


class Translator:
    """Makes device functions of plain ones, each once."""

    def __init__(self):
        self._made = {}
        draw = self.function(draw_below)
        self._made[below] = _device(lambda chance, n: narrowed(draw(chance, widened(n))))
        self._made[list_run] = _device(_list_run)
        self._made[roll] = _device(lambda chance, sides=6: narrowed(draw(chance, widened(sides)) + 1))

    def function(self, function):
        """The device function of a rule."""
        if function not in self._made:
            code, closed = function.__code__, function.__closure__ or ()
            world = {"__builtins__": builtins, "__name__": function.__module__}
            cells = tuple(CellType() for _ in closed)
            twin = code.replace(co_consts=tuple(map(_constant, code.co_consts)))
            twin = FunctionType(twin, world, function.__name__, function.__defaults__, cells)
            self._made[function] = _device(twin)
            for name in _names(function):  # only now: functions may name each other
                world[name] = self._value(function.__globals__[name], code)
            for cell, original in zip(cells, closed, strict=True):
                cell.cell_contents = self._value(original.cell_contents, code)
        return self._made[function]

    def _value(self, value, code):
        if value in (below, roll) or (isinstance(value, FunctionType) and is_rule(value)):
            return self.function(value)
        if isinstance(value, ModuleType) and not _is_foreign(value):
            twin = ModuleType(value.__name__)
            for name in code.co_names:
                if hasattr(value, name):
                    setattr(twin, name, self._value(getattr(value, name), code))
            return twin
        return _constant(value)


def _list_run(actions, count, first, length):
    return put_run(actions, narrowed(count), narrowed(first), narrowed(length))


def _device(function):
    return cuda.jit(device=True, forceinline=True)(function)


def _names(function):
    return [name for name in function.__code__.co_names if name in function.__globals__]


def _is_foreign(module):
    root = module.__name__.partition(".")[0]
    return root in sys.stdlib_module_names or root in ("numba", "numpy")


def _constant(value):
    if type(value) is int and LOWEST <= value <= HIGHEST:
        return Narrow(value)
    if type(value) is tuple and value and all(type(item) is int for item in value):
        return LookupTable(value)
    return value
