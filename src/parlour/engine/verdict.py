"""Who has won by the rules, in words: the same in the story, at the table, in lists and in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from parlour.engine.match import Match

FEW = 4  # winners that are named


class Rival(Struct, frozen=True):
    """Winners that have no seat, such as zombies: in words (``2 zombies``), how many, and the score of each."""

    words: str
    count: int
    score: int


def verdict(match: Match, name: Callable[[int], str]) -> str:
    """How a match ended that the rules have ended, in the language of the reader where the game tells it."""
    if not seats_tell(match):
        return _last_words(match, name)
    names = [name(seat) for seat in match.winners]
    if len(names) == 1:
        return f"{names[0]} wins"
    return f"{len(names)} seats win" if len(names) > FEW else f"{', '.join(names[:-1])} and {names[-1]} win"


def seats_tell(match: Match) -> bool:
    """Whether the seats that have won tell all. Where others have won, or nobody, the game has the last word."""
    return bool(match.winners) and not match.game.rivals(match.state)


def _last_words(match: Match, name: Callable[[int], str]) -> str:
    told = match.plies[-1].events if match.plies else match.opening
    return told[-1].tell(name) if told else "nobody wins"
