"""A game in words: how its actions are written and read, its rulebook and its lesson."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING

from parlour.engine.errors import BadNotation
from parlour.engine.explanation import Explanation
from parlour.engine.notation import Notation, find_action, words_of
from parlour.engine.parts import load
from parlour.engine.state import State

if TYPE_CHECKING:
    from parlour.engine.game import Game
    from parlour.engine.lesson import Lesson


class Words:
    """What people read of a game, and what they type."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def notation(self) -> Notation:
        return load(self._game.name, self._game.notation, Notation)

    @cached_property
    def rulebook(self) -> str:
        """The rules in words: ``rulebook.md`` in the game's folder."""
        return self.rulebook_in("en")

    def rulebook_in(self, language: str) -> str:
        """The rules in words of that language, such as ``rulebook.de.md``; in English where there is no such file."""
        return rulebook(self._game.package, language)

    @cached_property
    def lesson(self) -> Lesson | None:
        """The guided first match: ``lesson.toml`` in the game's folder, if it is there."""
        from parlour.engine import lesson  # most who play have learnt already

        return lesson.load(self._game)

    def write(self, state: State, action: int) -> str:
        """The action in the game's notation."""
        return self.notation.write(state, action)

    def describe(self, state: State, action: int) -> str:
        """The action in words, where the notation alone would not tell; else nothing."""
        return self.notation.describe(state, action)

    def read(self, state: State, text: str) -> int:
        """The legal action that the text names. Case and spaces do not matter."""
        try:
            return find_action(text, {self.write(state, action): action for action in self._game.legal_actions(state)})
        except BadNotation as error:
            raise self.with_reason(error, state, text) from error

    def with_reason(self, error: BadNotation, state: State, text: str) -> BadNotation:
        """The error, with the reason that the game knows why this cannot be played."""
        reason = self.reason(state, text)
        return BadNotation(f"{text!r} is not a legal action here: {reason}") if reason else error

    def reason(self, state: State, text: str) -> str:
        """Why this cannot be played, with the clause; nothing where the game knows no reason."""
        found = self.why_not(state, words_of(text))
        if found is None:
            return ""
        return f"{found.text.rstrip('.')} (clause {found.clause})" if found.clause else found.text.rstrip(".")

    def why_not(self, state: State, tried: Sequence[str]) -> Explanation | None:
        """Why the seat to move cannot do that now; None where the game knows no reason."""
        return self.notation.why_not(state, tried)


@cache
def rulebook(package: str, language: str) -> str:
    folder = resources.files(importlib.import_module(package))
    translated = folder / f"rulebook.{language}.md"
    return (translated if translated.is_file() else folder / "rulebook.md").read_text("utf-8")
