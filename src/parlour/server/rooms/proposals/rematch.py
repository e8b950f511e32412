"""The same table once more."""

from __future__ import annotations

from parlour.protocol import RematchOpened
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.proposal import Proposal, numbered
from parlour.server.tables.table import Table


def rematch(table: Table, other: str, seat: int, at: float, cid: str) -> Proposal:
    """The same table once more, under that id: it is opened along with the entry that says so, or not at all."""
    if table.phase != "over":
        raise Refusal("not_over", "the match is not over yet")
    if table.rematch is not None:
        raise Refusal("stale", "there is a rematch already")
    entries = numbered(table, [RematchOpened(seat=seat, table=other)], at, cid)
    return Proposal(entries)
