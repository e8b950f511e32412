"""How likely each seat of a table is to win: who may know it, and what it is now."""

from __future__ import annotations

import asyncio
import logging

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.win_chances import judged_seats
from parlour.server.tables.past import PastTable
from parlour.server.tables.table import Table

LOG = logging.getLogger("parlour.server")
DIGITS = 4

_ready: dict[str, bool] = {}  # by game, whether its judge could be loaded


def is_judged(table: Table) -> bool:
    """Whether the game comes with a judge that can tell."""
    return not isinstance(table, PastTable) and table.spec.seats in judged_seats(table.game)


def may_be_known(table: Table) -> bool:
    """Whether anybody may be told. During a match it would help whoever plays, who can also watch as a guest."""
    return table.spec.hints or table.ending is not None


async def make_ready(table: Table) -> None:
    """Have the judge loaded before it is asked. That takes a while, so it is done off the event loop."""
    if is_judged(table) and table.spec.game not in _ready:
        _ready[table.spec.game] = await asyncio.to_thread(_is_sound, table.game)


def _is_sound(game: Game) -> bool:
    try:
        return game.players.estimates is not None
    except ParlourError as error:
        LOG.error("%s shows no win chances: %s", game.name, error)
        return False


def of(table: Table) -> list[float] | None:
    """How likely each seat is to win, as somebody who watches could know it; worked out once for each position.

    None before the match, where nobody may know, without a judge, and where ``make_ready`` was not called.
    """
    match = table.match
    if match is None or not may_be_known(table) or not _ready.get(table.spec.game):
        return None
    if table.judged is None or table.judged[0] is not match.state:
        found = match.seen_by(None).chances
        table.judged = match.state, found and [round(chance, DIGITS) for chance in found]
    return table.judged[1]
