"""Win chances in the terminal: one line under the board."""

from __future__ import annotations

from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.seen import Seen
from parlour.engine.win_chances import judged_seats


def check_judged(match: Match) -> None:
    """An error unless the game comes with a judge that can tell."""
    if match.seats not in judged_seats(match.game):
        raise ParlourError(
            f"--chances: {match.game.name} has no judge that can tell win chances of {match.seats} seats"
        )


def chances_line(seen: Seen) -> str:
    """``To win, at a glance: Red 62%, Yellow 38%``; a hint has thought for longer, and may say otherwise."""
    told = (f"{seen.name(seat)} {chance:.0%}" for seat, chance in enumerate(seen.chances or ()))
    return f"To win, at a glance: {', '.join(told)}"
