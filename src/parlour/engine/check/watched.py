"""States that notice what compiled code would not: a number too large for its field, an index outside its array.

Compiled, the number would wrap around, and the index would read or write something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from parlour.engine.state import Field, Layout, State


class WatchedList(list[int]):
    """An array of a state, as rules see it while they are checked."""

    __slots__ = ("_field", "_name")

    def __init__(self, name: str, field: Field, values: Iterable[int]) -> None:
        super().__init__(values)
        self._name, self._field = name, field

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        check_value(self._name, self._field, value)
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise IndexError(f"{self._name}[{index}] is not one of its {len(self)} places, which count from 0")


def check_value(name: str, field: Field, value: Any) -> None:
    """A field takes whole numbers in its range."""
    if not isinstance(value, int):
        raise TypeError(f"{name} takes whole numbers, not {value!r}")
    if not field.low <= value <= field.high:
        raise OverflowError(f"{name} cannot hold {value}: it is declared for {field.low} to {field.high}")


@cache
def _watched_class(layout: Layout) -> type[State]:
    def checked(state: State, name: str, value: Any) -> None:
        field = layout.fields.get(name)
        if field is None:
            raise AttributeError(f"the state has no field {name!r}")
        if field.length is None:
            check_value(name, field, value)
        elif not isinstance(value, WatchedList):
            raise TypeError(f"{name} is an array, and is filled item by item: compiled, it cannot be replaced")
        object.__setattr__(state, name, value)

    return type("WatchedState", (type(layout.blank()),), {"__slots__": (), "__setattr__": checked})


def watch(state: State) -> State:
    """The same position, watched."""
    watched = _watched_class(state.layout)()
    for name, field in state.layout.fields.items():
        value = getattr(state, name)
        setattr(watched, name, value if field.length is None else WatchedList(name, field, value))
    return watched


def watch_actions(room: int) -> WatchedList:
    """The buffer that ``legal`` fills."""
    return WatchedList("actions", Field(32), [0] * room)


def watch_features(size: int, field: Field) -> WatchedList:
    """The array that ``observe`` fills."""
    return WatchedList("features", field, [0] * size)


def unwatch(watched: State) -> State:
    """The position as an ordinary state."""
    state = watched.layout.blank()
    for name, field in state.layout.fields.items():
        value = getattr(watched, name)
        setattr(state, name, value if field.length is None else list(value))
    return state
