"""What is added to a table in one go, and why it may not be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from parlour.protocol import AnyEntry, TableLine
from parlour.server.tables.table import TableSpec

LISTED = 8  # seats of a table that lists name; with hundreds of long names at each, none could be sent

Seek = Callable[[], str | None]  # blocks, as the methods of the store do


class Quota(NamedTuple):
    """So many tables at most, of those that are not over and where something has happened since."""

    most: int
    since: float


class Conflict(Exception):
    """Another process was faster: the log has entries that this one has not seen."""


class Gone(Exception):
    """The table has been deleted."""


class Waits(Exception):
    """A table was not opened, since somebody waits at one that will do."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class TooMany(Exception):
    """A table was not opened, since whoever wished for it has as many as they may."""


class Fenced(Exception):
    """Another process runs this table now: this one's lease has ended."""


@dataclass
class Append:
    """Entries to add to a table, with what is to be written along with them: all or nothing."""

    table_id: str
    entries: list[AnyEntry]
    line: TableLine | None  # how the table then stands, for whoever looks for tables; None: that has just been written
    wake: float | None  # is written with the line
    sitting: int | None = None  # the entry by which whoever gives the command sat down
    tokens: dict[str, int] = field(default_factory=dict)  # hashes and seats of tokens that are new
    revoked: list[int] = field(default_factory=list)  # seats whose tokens end
    seating: list[int] = field(default_factory=list)  # then, the new seat of each old one, if lots were drawn
    term: int | None = None  # the lease under which this is done, where only its holder may do it
    opened: TableSpec | None = None  # the table is new
    opener: str = ""  # the address that it then counts for
    quota: Quota | None = None  # how many tables its opener may have
    unless: Seek | None = None  # finds a table that is as good: then it is not opened
    also: list[Append] = field(default_factory=list)  # at other tables, in the same transaction

    @property
    def is_plain(self) -> bool:
        """One entry and nothing else, as when somebody plays."""
        more = self.tokens or self.revoked or self.seating or self.opened or self.also or self.is_last
        return len(self.entries) == 1 and self.term is None and not more

    @property
    def is_last(self) -> bool:
        """Whether the match is over with it."""
        return self.line is not None and self.line.phase == "over"

    def row(self, entry: AnyEntry) -> dict[str, Any]:
        """One of its entries as it is stored."""
        return {
            "table_id": self.table_id,
            "number": entry.number,
            "at": entry.at,
            "kind": entry.kind,
            "seat": entry.seat,
            "cid": entry.cid,
            "body": msgspec.json.encode(entry.body),
            "sitting": self.sitting if entry.cid is not None else None,
        }

    def table_row(self) -> dict[str, Any]:
        """The columns of the table's row after it, for lists and searches; nothing, where they were just written."""
        line = self.line
        if line is None:
            return {}
        listed = replace(line, names=line.names[:LISTED], who=line.who[:LISTED])
        return {
            "phase": line.phase,
            "changed": line.changed,
            "line": msgspec.json.encode(listed),
            # A match of one person against bots is nothing for others, however public it is.
            "listed": line.free != 0 or line.seats - line.bots != 1,
            "search": "\n".join(line.names).casefold(),
            "bots": line.bots > 0,
            "wake": self.wake,
        }
