"""Hints at the table: the best actions, as far as a second of thought can tell."""

from __future__ import annotations

from parlour.server import messages as say
from parlour.server.errors import Refused
from parlour.server.hall import Hall
from parlour.server.limits import Limits
from parlour.server.room import Room

SHOWN = 3


async def best_actions(hall: Hall, limits: Limits, room: Room, seat: int, cid: str) -> say.HintAnswer:
    """What the seat to move might do."""
    table = room.table
    if not table.facts.hints:
        raise Refused("forbidden", "this table is played without hints")
    if table.match is None or table.to_move != seat:
        raise Refused("not_your_turn", "a hint is for whoever is to move")
    limits.check(limits.hints, f"{room.id}:{seat}", "one hint at a time")
    match, ply = table.match, table.ply
    found = await hall.opponents.hint(match)
    best = [
        {"action": action, "text": match.text(action), "tries": tries, "chance": round(chance, 4)}
        for action, tries, chance in found[:SHOWN]
    ]
    return say.HintAnswer(cid, ply, best)
