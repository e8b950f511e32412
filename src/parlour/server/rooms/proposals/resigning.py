"""Resigning: a bot plays on."""

from __future__ import annotations

from parlour.bots import usual
from parlour.protocol import AnyEntry, Resigned
from parlour.server.rooms.proposals.proposal import playing
from parlour.server.tables.table import Table


def resign(table: Table, seat: int) -> list[AnyEntry]:
    playing(table)
    return [Resigned(seat=seat, bot=usual(table.game))]
