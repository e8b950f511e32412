"""``@rule`` marks a function as part of the rules. That is all it does: the function stays plain Python.

Only when the first compiled driver is made does ``prepare`` tell Numba about the marked functions, so that
nothing that merely plays a match ever imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_marked: set[Callable[..., Any]] = set()
_waiting: list[Callable[..., Any]] = []  # those that Numba has not been told of


def rule(function: Function) -> Function:
    """Mark a function over states, so that it can run interpreted and compiled alike."""
    _marked.add(function)
    _waiting.append(function)
    return function


def is_rule(function: Callable[..., Any]) -> bool:
    """Whether the function was marked."""
    return function in _marked


def prepare() -> None:
    """Make every function marked so far compilable."""
    from numba.extending import register_jitable

    # Left to itself, the compiler keeps the larger rules as calls, which cost more than many of them do.
    while _waiting:
        register_jitable(forceinline=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)(_waiting.pop())
