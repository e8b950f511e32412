"""What a command would add to a table's log, and what every command looks at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from parlour.engine.match import Match
from parlour.protocol import AnyEntry, Chat, Draw, Rematch, TableCommand, Undo
from parlour.server.basics.errors import Refusal
from parlour.server.tables.table import Table

if TYPE_CHECKING:
    from parlour.server.store import Append


@dataclass
class Proposal:
    """Entries to be stored, and what is stored along with them: all of it or nothing."""

    entries: Sequence[AnyEntry]
    played: Match | None = None  # the match as they leave it, where working them out has played it
    tokens: dict[str, int] = field(default_factory=dict)  # hashes of tokens that are new, and their seats
    revoked: list[int] = field(default_factory=list)  # seats whose tokens end
    also: list[Append] = field(default_factory=list)  # at other tables
    term: int | None = None  # of the lease under which this is done, where only its holder may do it


def numbered(table: Table, drafts: Sequence[AnyEntry], at: float, cid: str | None = None) -> list[AnyEntry]:
    """The drafts as entries that follow the table's last. The last answers the command, if none says that it does."""
    entries = [
        msgspec.structs.replace(draft, number=number, at=at) for number, draft in enumerate(drafts, table.number + 1)
    ]
    if cid is not None and all(draft.cid is None for draft in drafts):
        entries[-1] = msgspec.structs.replace(entries[-1], cid=cid)
    return entries


def playing(table: Table) -> Match:
    if table.phase != "playing" or table.match is None:
        raise Refusal("not_playing", "the match is over" if table.ending else "the match has not begun")
    return table.match


def check_open(table: Table) -> None:
    """Whether who sits where may still change. Not once nonces are revealed: whoever came then would know them."""
    if table.phase != "open":
        raise Refusal("not_open", "the match has begun already")
    if table.is_revealing:
        raise Refusal("not_open", "the match is about to begin")


def check_ply(table: Table, ply: int) -> None:
    if ply != table.ply:
        raise Refusal("stale", f"the match is at ply {table.ply}, not {ply}")


def check_right(table: Table, command: TableCommand, seat: int) -> None:
    """Check what a person may do while a bot plays for their seat.

    Whoever was only absent may act, which brings them back, or come back, leave or resign. Whoever has given the seat
    up, or used up a bank of time, may do nothing more in this match. Everybody may talk, and ask for a rematch.
    """
    away = table.chairs[seat].away
    if away is None or table.phase != "playing" or isinstance(command, Chat | Rematch):
        return
    if table.is_gone(seat):
        why = "your time is used up" if away == "time" else f"you have {away}"
        raise Refusal("forbidden", f"{why}: a bot plays on in your place")
    if isinstance(command, Undo | Draw):
        raise Refusal("forbidden", "a bot plays in your place: come back first")
