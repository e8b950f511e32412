"""The tables in this process's memory: taken from the store when somebody asks, let go when nobody looks at them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from parlour.protocol import AnyEntry, Bye
from parlour.server import proposals
from parlour.server.admin.standing import Standing
from parlour.server.broadcast import encode
from parlour.server.config import Config
from parlour.server.deadlines import Deadlines
from parlour.server.errors import Refusal
from parlour.server.fold import fold
from parlour.server.room import Observer, Room
from parlour.server.scheduler import Scheduler
from parlour.server.store import Append, Conflict, Seek, Store, StoreFailed
from parlour.server.table import Table, TableSpec
from parlour.server.tokens import is_id, new_code
from parlour.server.upgrades import Upgrades
from parlour.server.views import table_line

LOG = logging.getLogger("parlour.server")
ATTEMPTS = 5  # at a code that no other table has


class Rooms:
    """Finds and keeps rooms."""

    def __init__(
        self,
        store: Store,
        scheduler: Scheduler,
        upgrades: Upgrades,
        deadlines: Deadlines,
        config: Config,
        observer: Observer,
    ) -> None:
        self.store = store
        self.scheduler = scheduler
        self.upgrades = upgrades
        self.deadlines = deadlines
        self.config = config
        self.in_memory: dict[str, Room] = {}
        self._observer = observer
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def get(self, table_id: str) -> Room:
        """The room of a table, from memory or from the store."""
        if found := self.in_memory.get(table_id):
            found.touch()
            self._looked_at(found)
            return found
        if not is_id(table_id):
            raise Refusal("not_found", "there is no such table")
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.create_task(self._load(table_id))
            self._loading[table_id].add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(self._loading[table_id])

    def _looked_at(self, room: Room) -> None:
        """Somebody asks for the table: bots that played for nobody go on."""
        was_watched = room.is_watched
        room.asked = room.clock.now()
        if not was_watched:
            self._observer.attended(room)

    async def _load(self, table_id: str) -> Room:
        try:
            stored = await self._stored(table_id)
            past = await self.upgrades.past_table(stored[0])
            if past is not None:
                stored = await self._stored(table_id)  # it may have been ended just now
        except StoreFailed as error:
            LOG.error("table %s cannot be loaded: %s", table_id, error)
            raise Refusal("busy", "the table cannot be reached just now: try again") from error
        # A long match takes a while to play again, and others are not to wait for it.
        room = await asyncio.to_thread(Room.recall, self.store, stored, self.deadlines, self._observer, past)
        self.in_memory[table_id] = room
        self.scheduler.tend(room)
        return room

    async def _stored(self, table_id: str) -> tuple[TableSpec, list[AnyEntry], dict[str, int]]:
        stored = await self.store.ask(self.store.load, table_id)
        if stored is None:
            raise Refusal("not_found", "there is no such table")
        return stored

    async def add(self, spec: TableSpec, bots: dict[int, str], owner: str, unless: Seek | None = None) -> Room:
        """Open a new table, with bots at some seats. Raises Waits if there is a table that ``unless`` finds."""
        if len(self.in_memory) >= self.config.tables_in_memory:
            raise Refusal("too_many", "there are too many tables just now: try again later")
        try:
            table = await self._write_opening(spec, bots, owner, unless)
        except StoreFailed as error:
            LOG.error("table %s cannot be opened: %s", spec.id, error)
            raise Refusal("not_saved", "this could not be saved: try again") from error
        room = self.in_memory[spec.id] = Room(self.store, table, {}, self.deadlines, self._observer)
        room.owner = owner
        self._observer.changed(room)
        return room

    async def _write_opening(self, spec: TableSpec, bots: dict[int, str], owner: str, unless: Seek | None) -> Table:
        """Store the new table; under another code, should its own be that of another table."""
        for _ in range(ATTEMPTS):
            table, opening = self.opening(spec, bots, {}, owner)
            opening.unless = unless
            try:
                await self.store.append(opening)
            except Conflict:
                spec = replace(spec, code=new_code())
            else:
                return table
        raise Refusal("busy", "no code was found for this table: try again")

    def opening(
        self, spec: TableSpec, bots: dict[int, str], tokens: dict[str, int], opener: str
    ) -> tuple[Table, Append]:
        """A new table with bots at some seats and tokens that hold others, and what opens it in the store."""
        table = Table(spec)
        entries = proposals.open_table(table, bots, spec.created)
        for entry in entries:
            fold(table, entry)
        line, wake = table_line(table, spec.created), self.deadlines.wake_at(table)
        return table, Append(spec.id, entries, line, wake, tokens=tokens, opened=spec, opener=opener)

    async def drop_idle(self) -> None:
        """Let go of tables that nobody looks at, so that other processes may mind them."""
        idle = [room for room in self.in_memory.values() if self._is_idle(room)]
        for room in idle:
            del self.in_memory[room.id]
        self.upgrades.note(idle)
        if leased := self.scheduler.forget(idle):
            await self.store.ask(self.store.processes.release, leased)

    def _is_idle(self, room: Room) -> bool:
        busy = room.presence.listeners or room.waiting or room.lock.locked() or self.scheduler.is_minding(room)
        return not busy and room.clock.now() - room.used > self.config.idle

    async def reload(self, table_id: str) -> None:
        """The table's log has been changed: whoever is there comes back, and finds it as it is now."""
        if loading := self._loading.get(table_id):
            await asyncio.wait([loading])  # it may have read the log before
        room = self.in_memory.pop(table_id, None)
        if room is not None:
            self.scheduler.forget([room])
            for listener in list(room.presence.listeners):
                listener.dismiss(encode(Bye("busy", "this table is being loaded anew: come back")))

    def dismiss_banned(self, standing: Standing) -> None:
        """Part with whoever is banned now."""
        for room in list(self.in_memory.values()):
            for listener in list(room.presence.listeners):
                try:
                    standing.check_address(listener.address, room.clock.now())
                    if listener.seat is not None:
                        standing.check_name(room.table.name(listener.seat), room.clock.now())
                except Refusal as refusal:
                    listener.dismiss(encode(Bye(refusal.code, str(refusal))))

    def forget(self, table_id: str) -> None:
        """The table is no more: whoever is there is told so."""
        room = self.in_memory.pop(table_id, None)
        if room is not None:
            self.scheduler.forget([room])
            for listener in list(room.presence.listeners):
                listener.dismiss(encode(Bye("not_found", "this table has been deleted")))
