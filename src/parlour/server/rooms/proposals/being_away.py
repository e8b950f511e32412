"""A bot plays for who stays away or leaves during the match, and who returns has the seat back."""

from __future__ import annotations

from parlour.bots import usual
from parlour.protocol import AnyEntry, Back, Left, Reason, Replaced, Returned
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.proposal import Proposal, check_open, check_right, numbered, playing
from parlour.server.tables.table import Table


def take_over(table: Table, seat: int, reason: Reason, at: float, spent: float) -> Proposal:
    """A bot plays for a person who stays away."""
    away = Replaced(seat=seat, bot=usual(table.game), reason=reason, spent=round(spent, 3))
    return Proposal(numbered(table, [away], at))


def give_back(table: Table, seat: int, at: float) -> Proposal | None:
    """The person has returned; nothing, if nobody plays in their place or the bot must go on."""
    if table.phase != "playing" or not table.chairs[seat].away:
        return None
    try:
        check_right(table, Back(cid="back"), seat)
    except Refusal:
        return None
    return Proposal(numbered(table, [Returned(seat=seat)], at))


def back(table: Table, seat: int) -> list[AnyEntry]:
    playing(table)
    if not table.chairs[seat].away:
        raise Refusal("forbidden", "nobody plays in your place")
    return [Returned(seat=seat)]


def leave(table: Table, seat: int) -> list[AnyEntry]:
    if table.phase == "open":
        check_open(table)
        return [Left(seat=seat)]
    playing(table)
    return [Replaced(seat=seat, bot=usual(table.game), reason="left")]
