"""Stores snapshots of tables now and then, so that they load fast. Off the event loop, and nobody waits for it."""

from __future__ import annotations

import logging

from parlour.server.basics.errors import StoreFailed
from parlour.server.rooms.room import Room
from parlour.server.store import Kept, Store
from parlour.server.tables.past import PastTable
from parlour.server.tables.snapshot import pack
from parlour.server.tables.table import Table

LOG = logging.getLogger("parlour.server")
ENTRIES = 64  # after the last snapshot of a table, until another one: to read so many takes no longer than to unpack it
EVERY = 1.0  # seconds
AT_ONCE = 50  # tables in one transaction
WAITING = 1000


class Keeper:
    """Knows of which tables a snapshot is to be stored."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._waiting: dict[str, Room] = {}

    def note(self, room: Room) -> None:
        """The table has changed, or has come back. This is called after every change, so it is cheap."""
        if room.table.number >= room.kept + ENTRIES and len(self._waiting) < WAITING:
            self._waiting[room.id] = room

    async def close(self) -> None:
        """The process ends: store what waits, which is not much."""
        while self._waiting:
            await self.keep()

    async def keep(self) -> None:
        """Store some."""
        some = [self._waiting.pop(table_id) for table_id in list(self._waiting)[:AT_ONCE]]
        tables = {room.id: room.table for room in some if not isinstance(room.table, PastTable)}
        try:
            await self.store.ask(self._write, tables)
        except StoreFailed as error:
            LOG.warning("%d snapshots could not be stored: %s", len(tables), error)
        for room in some:  # what could not be done is tried again after as many entries
            room.kept = tables[room.id].number if room.id in tables else room.table.number

    def _write(self, tables: dict[str, Table]) -> None:
        packed = dict[str, Kept]()
        for table_id, table in tables.items():
            try:
                packed[table_id] = Kept(table.number, pack(table))
            except Exception:  # one bad table never harms another
                LOG.exception("table %s: no snapshot can be made of it", table_id)
        self.store.snapshots.write(packed)
