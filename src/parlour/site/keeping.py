"""Where the tables of a browser are kept: as they were opened, and what has happened since."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from parlour.protocol import AnyEntry, TableLine
from parlour.server.tables.table import TableSpec


class Kept(Struct):
    """A table but for its entries."""

    spec: TableSpec
    tokens: dict[str, int]  # by hash, the seats that they hold
    line: TableLine  # how it stands, for lists


class Conflict(Exception):
    """Another page of the same browser was faster: there are entries that this one has not seen."""


class Keeper(Protocol):
    """Keeps tables. What is written has been kept when it returns."""

    async def write(self, kept: Kept, entries: list[AnyEntry]) -> None:
        """Add entries to a table, which may be new. Raises Conflict."""

    async def read(self, table_id: str) -> Kept | None: ...

    async def since(self, table_id: str, number: int) -> list[AnyEntry]:
        """What has happened after entry ``number``."""

    async def all(self) -> list[Kept]: ...

    async def forget(self, table_id: str) -> None: ...


class InMemory:
    """For tests, and for browsers that keep nothing: all is gone with the page."""

    def __init__(self) -> None:
        self.tables: dict[str, Kept] = {}
        self.entries: dict[str, list[AnyEntry]] = {}

    async def write(self, kept: Kept, entries: list[AnyEntry]) -> None:
        before = self.entries.setdefault(kept.spec.id, [])
        if entries and entries[0].number != len(before) + 1:
            raise Conflict(kept.spec.id)
        before += entries
        self.tables[kept.spec.id] = kept

    async def read(self, table_id: str) -> Kept | None:
        return self.tables.get(table_id)

    async def since(self, table_id: str, number: int) -> list[AnyEntry]:
        return self.entries.get(table_id, [])[number:]

    async def all(self) -> list[Kept]:
        return list(self.tables.values())

    async def forget(self, table_id: str) -> None:
        self.tables.pop(table_id, None)
        self.entries.pop(table_id, None)
