"""Notation: how actions are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from parlour.engine.errors import BadNotation, nearest
from parlour.engine.explanation import Explanation
from parlour.engine.state import State


def _no_words(state: State, action: int) -> str:
    return ""


def _no_prompt(state: State) -> str:
    return ""


def _nothing_usual(state: State) -> int | None:
    return None


def _none_listed(state: State, action: int) -> bool:
    return False


def _no_reason(state: State, tried: Sequence[str]) -> Explanation | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How people write a game's actions. A game's notation module ends with ``NOTATION = Notation(...)``.

    write(state, action)     the action as people type it: short, and another text for every legal action
    describe(state, action)  optional: the action in words, where its notation alone would not tell
    prompt(state)            optional: what the seat to move has to decide now, in words
    usual(state)             optional: the action that most would choose, which is then offered before all others
    listed(state, action)    optional: whether the action is offered in words, too, though it can be picked on the board
    depends_on(state, action)
                             optional, for games with many choices: all of the position that has a part in how the
                             action is written, described, listed, and picked on the board. Where it is the same again,
                             what was made before is told again. None: make it anew
    why_not(state, tried)    optional: why the seat to move cannot do that now, and the clause that says so; None if the
                             game knows no reason. ``tried`` are the spots that were picked, in order, or the words
                             that were typed. It knows the position alone, so that it cannot tell what dice will fall
    """

    write: Callable[[State, int], str]
    describe: Callable[[State, int], str] = _no_words
    prompt: Callable[[State], str] = _no_prompt
    usual: Callable[[State], int | None] = _nothing_usual
    listed: Callable[[State, int], bool] = _none_listed
    depends_on: Callable[[State, int], Hashable | None] | None = None
    why_not: Callable[[State, Sequence[str]], Explanation | None] = _no_reason


def words_of(text: str) -> tuple[str, ...]:
    """What was typed, as words: ``D3-E3`` is D3 and E3."""
    return tuple(re.findall(r"\w+", text)[:20])


def find_action(text: str, written: Mapping[str, int]) -> int:
    """The action that the text names, of those that are written so. Case and spaces do not matter."""
    plain = {_plain(known): action for known, action in written.items()}
    action = plain.get(_plain(text))
    if action is None:
        example = f"; for example {next(iter(written))!r}" if written else ""
        raise BadNotation(f"{text!r} is not a legal action here{nearest(_plain(text), plain) or example}")
    return action


def _plain(text: str) -> str:
    return "".join(text.split()).lower()
