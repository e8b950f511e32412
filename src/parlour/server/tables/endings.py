"""How a match ended by its rules, as everybody is told it, in every language."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine.language import LANGUAGES, speaking
from parlour.engine.match import Match
from parlour.engine.verdict import seats_tell, verdict
from parlour.protocol import Ending, EndingWords


def by_rules(match: Match, name: Callable[[int], str]) -> Ending:
    by_language = {} if seats_tell(match) else {language: _in_language(match, name, language) for language in LANGUAGES}
    return Ending("rules", match.winners, verdict(match, name), by_language)


def _in_language(match: Match, name: Callable[[int], str], language: str) -> EndingWords:
    with speaking(language):
        return EndingWords(verdict(match, name), list(match.game.rivals(match.state)))
