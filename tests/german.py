"""German without gaps, for tests: a text that the game's file lacks is an error instead of English."""

from __future__ import annotations

import pytest

from parlour.engine import Game, language


class Complete(dict[str, str]):
    """A dictionary that must have whatever is looked up."""

    def get(self, text: str, default: object = None) -> str:
        return self[text]


def without_gaps(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    known = Complete(language.dictionary(game.package, "de"))
    monkeypatch.setattr(language, "dictionary", lambda package, tongue: known)
