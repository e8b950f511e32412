"""Notation: how actions are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from parlour.engine.state import State


def _no_words(state: State, action: int) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How people write a game's actions. A game's notation module ends with ``NOTATION = Notation(...)``.

    write(state, action)     the action as people type it: short, and another text for every legal action
    describe(state, action)  optional: the action in words, where its notation alone would not tell
    """

    write: Callable[[State, int], str]
    describe: Callable[[State, int], str] = _no_words
