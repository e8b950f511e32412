"""There is one thing to do in the Game of the Goose."""

from __future__ import annotations

from parlour.engine import State


def write(state: State, action: int) -> str:
    return "roll"


def describe(state: State, action: int) -> str:
    return "throw both dice"
