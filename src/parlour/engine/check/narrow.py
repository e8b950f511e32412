"""A check of what rules compute on a GPU: there, most numbers have 32 bits, and arrays are gone through item by item.

On the device, fields of fewer than 64 bits, constants, dice and actions are numbers of 32 bits, and what is made of
such numbers alone stays one; ``parlour.engine.cuda.numbers`` says how. Elsewhere all numbers have 64 bits. So the same
rules could give different games where a number outgrows 32 bits. Here they are played with numbers that notice it.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterator
from types import CellType, FunctionType, ModuleType
from typing import Any

from parlour.engine.chance import POLICY_STREAM, Chance, below, roll
from parlour.engine.check.matches import trials
from parlour.engine.game import Game
from parlour.engine.rule import is_rule
from parlour.engine.state import HEADER, State
from parlour.engine.turns import advance, begin

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
PLIES = 25


class Narrow(int):
    """A number of 32 bits. With another it makes a third one; with a wide number, which is any other, a wide one."""


def fitting(value: int) -> Narrow:
    if not LOWEST <= value <= HIGHEST:
        raise OverflowError(
            f"a number of 32 bits becomes {value} here, so that a GPU would play another game: "
            "let a field of 64 bits take part in it"
        )
    return Narrow(value)


def _is_narrow(value: object) -> bool:
    return type(value) is Narrow or type(value) is bool


def _binary(compute: Callable[[int, int], int], *, swapped: bool = False) -> Callable[[int, Any], Any]:
    def of_both(self: int, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        value = compute(int(other), int(self)) if swapped else compute(int(self), int(other))
        return fitting(value) if _is_narrow(other) else value

    return of_both


def _unary(compute: Callable[[int], int]) -> Callable[[int], Any]:
    return lambda self: fitting(compute(int(self)))


for name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor"):
    function = getattr(operator, f"{name}_" if name in ("and", "or") else name)
    setattr(Narrow, f"__{name}__", _binary(function))
    setattr(Narrow, f"__r{name}__", _binary(function, swapped=True))
for name in ("neg", "invert", "abs", "pos"):
    setattr(Narrow, f"__{name}__", _unary(getattr(operator, name)))
# What is shifted to the left may go anywhere, and so is wide; to the right it stays what it was.
SHIFTS: dict[str, Callable[[int, int], int]] = {
    "__lshift__": lambda self, by: int(self) << int(by),
    "__rshift__": lambda self, by: Narrow(int(self) >> int(by)),
}
for name, shifted in SHIFTS.items():
    setattr(Narrow, name, shifted)


def _value(value: Any, *, is_wide: bool) -> Any:
    return int(value) if is_wide else Narrow(value)


class Items:
    """An array of a state, or a table of constants."""

    def __init__(self, held: Any, *, is_wide: bool) -> None:
        self._held, self._is_wide = held, is_wide

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return Items(self._held[place], is_wide=self._is_wide)
        return _value(self._held[place], is_wide=self._is_wide)

    def __setitem__(self, place: int, value: int) -> None:
        self._held[place] = int(value)

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Any]:
        return (_value(item, is_wide=self._is_wide) for item in self._held)


class NarrowState:
    """A state whose fields are read as on a GPU."""

    def __init__(self, state: State, wide: frozenset[str]) -> None:
        self.__dict__.update(_state=state, _wide=wide)

    def __getattr__(self, name: str) -> Any:
        value, is_wide = getattr(self._state, name), name in self._wide
        return Items(value, is_wide=is_wide) if isinstance(value, list) else _value(value, is_wide=is_wide)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._state, name, int(value))


def _of_numbers(compute: Callable[..., Any]) -> Callable[..., Any]:
    def computed(*given: Any) -> Any:
        if len(given) == 1 and isinstance(given[0], Items):
            raise TypeError(f"a GPU knows no {compute.__name__}(…) of a whole array: go through its items in a loop")
        return compute(*given)

    return computed


BUILTINS = {
    **vars(builtins),
    **{compute.__name__: _of_numbers(compute) for compute in (max, min, sum)},
    "range": lambda *given: (
        _value(number, is_wide=not all(map(_is_narrow, given))) for number in range(*map(int, given))
    ),
    "len": lambda held: Narrow(len(held)),
    "int": lambda value: value if _is_narrow(value) else int(value),
}


class Twins:
    """Rules with their constants as the GPU has them, each made once."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {
            below: lambda chance, n: Narrow(below(chance, n)),
            roll: lambda chance, sides=6: Narrow(roll(chance, sides)),
        }

    def of(self, rule: Any) -> Any:
        if rule not in self._made:
            code, closed = rule.__code__, rule.__closure__ or ()
            world: dict[str, Any] = {"__builtins__": BUILTINS, "__name__": rule.__module__}
            cells = tuple(CellType() for _ in closed)
            twin = code.replace(co_consts=tuple(map(_constant, code.co_consts)))
            self._made[rule] = FunctionType(twin, world, rule.__name__, rule.__defaults__, cells)
            for name in (name for name in code.co_names if name in rule.__globals__):
                world[name] = self._named(rule.__globals__[name])
            for cell, original in zip(cells, closed, strict=True):
                cell.cell_contents = self._named(original.cell_contents)
        return self._made[rule]

    def _named(self, value: Any) -> Any:
        if value in (below, roll) or (isinstance(value, FunctionType) and is_rule(value)):
            return self.of(value)
        if isinstance(value, ModuleType):
            return _Part(value, self._named)
        return _constant(value)


class _Part:
    """A module that rules name things in."""

    def __init__(self, module: ModuleType, named: Callable[[Any], Any]) -> None:
        self._module, self._named = module, named

    def __getattr__(self, name: str) -> Any:
        return self._named(getattr(self._module, name))


def _constant(value: Any) -> Any:
    if type(value) is int and LOWEST <= value <= HIGHEST:
        return Narrow(value)
    if type(value) is tuple and value and all(type(item) is int for item in value):
        return Items(value, is_wide=not all(LOWEST <= item <= HIGHEST for item in value))
    return value


def check_narrow(game: Game) -> None:
    """No number of 32 bits outgrows them in random matches, so that a GPU plays the games of the CPU."""
    twins = Twins()
    wide = frozenset(name for name, field in game.layout.fields.items() if field.bits == 64 and name not in HEADER)
    for trial in trials(game, 3):
        with trial:
            state = game.blank(trial.setting.seats, **trial.setting.options)
            _play(game, twins, state, wide, trial.seed)


def _play(game: Game, twins: Twins, state: State, wide: frozenset[str], seed: int) -> None:
    chance, policy = Chance.of_game(seed, 0), Chance.of_game(seed, 0, POLICY_STREAM)
    held: Any = NarrowState(state, wide)
    twins.of(begin)(twins.of(game.setup), held, chance, None)
    while not state.over and state.ply < PLIES:
        actions = [0] * game.max_actions
        count = int(twins.of(game.legal)(held, actions))
        action = Narrow(actions[policy.below(count)])
        twins.of(advance)(twins.of(game.apply), held, action, chance, None)
        for seat in range(state.seats):
            twins.of(game.score)(held, seat)
            twins.of(game.won)(held, seat)
    if state.seats:
        twins.of(game.observe)(held, int(state.to_move), [0] * game.observation_size)
