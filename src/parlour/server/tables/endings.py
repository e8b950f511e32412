"""How a match ended by its rules, as everybody is told it, in every language."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine.language import LANGUAGES, speaking
from parlour.engine.match import Match
from parlour.engine.verdict import seats_tell, verdict
from parlour.protocol import Ending, EndingTold


def by_rules(match: Match, name: Callable[[int], str]) -> Ending:
    told = {} if seats_tell(match) else {language: _told(match, name, language) for language in LANGUAGES}
    return Ending("rules", match.winners, verdict(match, name), told)


def _told(match: Match, name: Callable[[int], str], language: str) -> EndingTold:
    with speaking(language):
        return EndingTold(verdict(match, name), list(match.game.rivals(match.state)))
