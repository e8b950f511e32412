"""A draw: offered, agreed on, declined."""

from __future__ import annotations

from parlour.protocol import AnyEntry, Draw, DrawAgreed, DrawDeclined, DrawOffered
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.proposal import playing
from parlour.server.tables.table import Table


def draw(table: Table, command: Draw, seat: int) -> list[AnyEntry]:
    playing(table)
    if table.spec.seats != 2:
        raise Refusal("forbidden", "a draw can be agreed on only where two play")
    if command.answer == "offer" and table.offer is None:
        if table.chairs[1 - seat].player is not None:
            raise Refusal("forbidden", "a bot does not agree on a draw")
        return [DrawOffered(seat=seat)]
    if table.offer == seat:
        raise Refusal("forbidden", "you have offered a draw already; it is for the other to answer")
    if table.offer is None:
        raise Refusal("forbidden", "nobody has offered you a draw")
    return [DrawDeclined(seat=seat) if command.answer == "decline" else DrawAgreed(seat=seat)]
