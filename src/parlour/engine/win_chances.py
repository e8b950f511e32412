"""How likely each seat is to win, as people are shown it: by the judge that comes with the game, where there is one."""

from __future__ import annotations

import importlib
import json
from collections.abc import Collection
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.engine.game import Game
    from parlour.engine.state import State

LONGEST_LINE = 1 << 20


@cache
def judged_seats(game: Game) -> frozenset[int]:
    """The numbers of seats that the game's judges were trained with; none where there is no judge for these rules.

    Their weights are not read, for most who want to know this do not need them. Of a game with secrets nobody can say
    who is winning without telling who holds what.
    """
    if game.has_secrets:
        return frozenset()
    return frozenset[int]().union(*(_trained_with(game, name) for name in game.players.bots.judges))


def _trained_with(game: Game, name: str) -> frozenset[int]:
    try:
        file = resources.files(importlib.import_module(game.package)) / name
        with file.open("rb") as lines:
            lines.readline(LONGEST_LINE)
            about = json.loads(lines.readline(LONGEST_LINE))
        return frozenset(about["record"]["seats"]) if about["rules"] == game.version else frozenset()
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()  # whoever plays against it, or checks the game, is told what is wrong with it


def win_chances(game: Game, state: State) -> list[float] | None:
    """For each seat, from 0 to 1; at the end of a match, its share of the win. None where no judge can tell."""
    if state.seats not in judged_seats(game):
        return None
    if state.over:
        return shares(game.winners(state), int(state.seats))
    judge = game.players.estimates
    return None if judge is None else judge.chances(state)


def shares(winners: Collection[int], seats: int) -> list[float]:
    """What the end is worth to each seat: winners share the win; if nobody has won, all seats do."""
    if not winners:
        return [1 / seats if seats > 1 else 0.0] * seats
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
