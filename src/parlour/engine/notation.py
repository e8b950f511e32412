"""Notation: how actions are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parlour.engine.errors import BadNotation, nearest
from parlour.engine.state import State


def _no_words(state: State, action: int) -> str:
    return ""


def _no_prompt(state: State) -> str:
    return ""


def _nothing_usual(state: State) -> int | None:
    return None


def _none_listed(state: State, action: int) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How people write a game's actions. A game's notation module ends with ``NOTATION = Notation(...)``.

    write(state, action)     the action as people type it: short, and another text for every legal action
    describe(state, action)  optional: the action in words, where its notation alone would not tell
    prompt(state)            optional: what the seat to move has to decide now, in words
    usual(state)             optional: the action that most would choose, which is then offered before all others
    listed(state, action)    optional: whether the action is offered in words, too, though it can be picked on the board
    """

    write: Callable[[State, int], str]
    describe: Callable[[State, int], str] = _no_words
    prompt: Callable[[State], str] = _no_prompt
    usual: Callable[[State], int | None] = _nothing_usual
    listed: Callable[[State, int], bool] = _none_listed


def find_action(text: str, written: Mapping[str, int]) -> int:
    """The action that the text names, of those that are written so. Case and spaces do not matter."""
    plain = {_plain(known): action for known, action in written.items()}
    action = plain.get(_plain(text))
    if action is None:
        example = f"; for example {next(iter(written))!r}" if written else ""
        raise BadNotation(f"{text!r} is no legal action here{nearest(_plain(text), plain) or example}")
    return action


def _plain(text: str) -> str:
    return "".join(text.split()).lower()
