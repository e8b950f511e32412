"""The tables in this process's memory: loaded from the store when somebody asks, dropped when nobody looks at them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from heapq import nsmallest

from parlour.protocol import Bye
from parlour.server.basics.errors import Refusal, StoreFailed
from parlour.server.people.restrictions import Restrictions
from parlour.server.people.tokens import hash_token, is_id, new_code
from parlour.server.rooms import proposals
from parlour.server.rooms.keeper import Keeper
from parlour.server.rooms.room import Room, Shared
from parlour.server.rooms.scheduler import Scheduler
from parlour.server.rooms.upgrades import Upgrades
from parlour.server.store import Append, Conflict, Quota, Seek, Stored
from parlour.server.tables.fold import fold
from parlour.server.tables.past import PastTable
from parlour.server.tables.snapshot import Unfit
from parlour.server.tables.table import Table, TableSpec
from parlour.server.telling.broadcast import encode
from parlour.server.telling.drawing import Drawing
from parlour.server.telling.views import table_line

LOG = logging.getLogger("parlour.server")
ATTEMPTS = 5  # at a code that no other table has
FRESH = 5.0  # seconds for which a table that was asked for stays in memory, whatever else is asked for
SHARE = 50  # where the memory is full, one table in so many goes, so that the next ones find room
RULES_CHANGED = (
    "the rules of {title} have changed since its match began, and are still version {rules}: "
    "what happened in it is told by the rules as they are now"
)
FULL_FOR = 1.0  # seconds until another look for tables that may go


class Rooms:
    """Finds and keeps rooms."""

    def __init__(
        self,
        shared: Shared,
        scheduler: Scheduler,
        upgrades: Upgrades,
        keeper: Keeper,
    ) -> None:
        self.shared = shared
        self.store, self.deadlines, self.playing, self._observer = shared
        self.limits = self.playing.limits
        self.scheduler = scheduler
        self.upgrades = upgrades
        self.keeper = keeper
        self.config = self.limits.config
        self.in_memory: dict[str, Room] = {}
        self._loads = Drawing(self.limits, "loading")
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._releasing: set[asyncio.Task[None]] = set()
        self._opening = 0  # tables that are being written to the store
        self._full_until = {False: 0.0, True: 0.0}  # for who only looks, and for who plays

    async def get(self, table_id: str, address: str | None = None, token: str | None = None) -> Room:
        """The room of a table, from memory or from the store.

        ``address`` is who asks: what it takes to bring a table back counts for them. Without one, the server itself
        asks. Where memory is full, it is loaded only for those with a ``token`` of the table, and the server.
        """
        if found := self.in_memory.get(table_id):
            found.touch()
            self._looked_at(found)
            return found
        if not is_id(table_id):
            raise Refusal("not_found", "there is no such table")
        if address is None:
            return await self._loaded(table_id, None, token)
        if table_id not in self._loading:
            self.limits.check(self.limits.loads, address, "too many tables were brought back for your address")
        async with self._loads.reading(address):
            room = await self._loaded(table_id, address, token)
        self._looked_at(room)
        return room

    async def _loaded(self, table_id: str, address: str | None, token: str | None) -> Room:
        """Loads it once for everybody who asks meanwhile."""
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.create_task(self._load(table_id, address, token))
            self._loading[table_id].add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(self._loading[table_id])

    @property
    def loading(self) -> int:
        """How many tables are being brought back, or wait for it."""
        return self._loads.in_hand

    def _looked_at(self, room: Room) -> None:
        """Somebody asks for the table: bots that played for nobody go on."""
        was_watched = room.is_watched
        room.asked = room.clock.now()
        if not was_watched:
            self._observer.attended(room)

    async def _load(self, table_id: str, address: str | None, token: str | None) -> Room:
        if address is not None and token is None:
            self._make_room(is_needed=False)
        try:
            stored = await self._stored(self.store.load, table_id, address)
            past = await self.upgrades.past_table(stored.spec, stored.line)
            if past is not None:  # it may have ended just now: what is known of it is in its entries
                stored = await self._stored(self.store.load_whole, table_id, address)
            room = await self._recalled(stored, past, address)
        except StoreFailed as error:
            LOG.error("table %s cannot be loaded: %s", table_id, error)
            raise Refusal("busy", "the table cannot be reached just now: try again") from error
        if (opened := self.in_memory.get(table_id)) is not None:  # opened just now, and written before it was in memory
            return opened
        holds_a_seat = token is not None and hash_token(token) in stored.tokens
        self._make_room(is_needed=address is None or holds_a_seat)
        self.in_memory[table_id] = room
        self.scheduler.wake(room)
        self.keeper.note(room)
        return room

    async def _stored(self, load: Callable[[str], Stored | None], table_id: str, address: str | None) -> Stored:
        stored: Stored | None = await self.store.ask(self._loads.timed, address, load, table_id)
        if stored is None:
            raise Refusal("not_found", "there is no such table")
        return stored

    async def _recalled(self, stored: Stored, past: PastTable | None, address: str | None) -> Room:
        """The room of a table that was stored. A long match takes a while to play again: others do not wait for it."""
        try:
            return await self._loads.run(address, Room.recall, self.shared, stored, past)
        except Unfit as error:
            LOG.warning("table %s: its snapshot is of no use, all entries are read: %s", stored.spec.id, error)
            await self.store.ask(self.store.snapshots.drop, stored.spec.id)
        stored = await self._stored(self.store.load_whole, stored.spec.id, address)
        return await self._loads.run(address, Room.recall, self.shared, stored)

    # The memory.

    def _make_room(self, *, is_needed: bool) -> None:
        """Have room for one more table: the idlest go, if there are too many. Raises Refusal if none may go.

        If it ``is_needed`` to play, and not only to look, tables that people only watch may go as well.
        """
        if not self._is_full():
            return
        now = self.deadlines.clock.now()
        if now >= self._full_until[is_needed]:
            leased = self._let_go(self._least_important(now, is_needed=is_needed))
            if leased:
                task = asyncio.create_task(self._release(leased))
                self._releasing.add(task)
                task.add_done_callback(self._releasing.discard)
        if self._is_full():
            self._full_until[is_needed] = now + FULL_FOR
            raise Refusal("too_many", "there are too many tables just now: try again later")

    def _is_full(self) -> bool:
        return len(self.in_memory) + self._opening >= self.config.tables_in_memory

    def _least_important(self, now: float, *, is_needed: bool) -> list[Room]:
        rooms = [room for room in self.in_memory.values() if now - room.used > FRESH and not self._is_busy(room)]
        if not rooms and is_needed:
            rooms = [room for room in self.in_memory.values() if self._is_watched_only(room)]
        # Several at once, since looking through all of them takes long.
        return nsmallest(max(1, len(self.in_memory) // SHARE), rooms, key=_importance)

    def _is_busy(self, room: Room) -> bool:
        """Whether somebody is at the table by a socket or waits for it, or work is being done for it."""
        is_asked = room.presence.listeners or room.news.waiting or room.lock.locked()
        return bool(is_asked) or self.scheduler.must_keep(room)

    def _is_watched_only(self, room: Room) -> bool:
        """Whether people look at the table, but nobody sits there by a socket, and no match stops if it goes."""
        if room.lock.locked() or any(listener.seat is not None for listener in room.presence.listeners):
            return False
        return room.table.phase == "over" or room.table.is_left_to_bots or not self.scheduler.must_keep(room)

    def _let_go(self, rooms: list[Room]) -> list[str]:
        """Take these out of memory; returns those of which this process holds the lease."""
        for room in rooms:
            del self.in_memory[room.id]
            room.end(Bye("busy", "there are too many tables just now: come back"))
        self.upgrades.note(rooms)
        return self.scheduler.forget(rooms)

    async def _release(self, leased: list[str]) -> None:
        """Give up the leases of these tables, so that other processes can run them."""
        try:
            await self.store.ask(self.store.processes.release, leased)
        except StoreFailed as error:
            LOG.warning("%d leases could not be given back: %s", len(leased), error)

    async def drop_idle(self) -> None:
        """Let go of tables that nobody looks at."""
        now = self.deadlines.clock.now()
        idle = [room for room in self.in_memory.values() if now - room.used > self.config.idle]
        if leased := self._let_go([room for room in idle if not self._is_busy(room)]):
            await self._release(leased)

    def close(self) -> None:
        self._loads.close()

    # New tables.

    async def add(
        self, spec: TableSpec, bots: dict[int, str], owner: str, quota: Quota, unless: Seek | None = None
    ) -> Room:
        """Open a new table, with bots at some seats.

        Raises TooMany if its owner has all that they may, and Waits if there is a table that ``unless`` finds.
        """
        self._make_room(is_needed=True)
        self._opening += 1
        try:
            table = await self._write_opening(spec, bots, owner, quota, unless)
        except StoreFailed as error:
            LOG.error("table %s cannot be opened: %s", spec.id, error)
            raise Refusal("not_saved", "this could not be saved: try again") from error
        finally:
            self._opening -= 1
        room = self.in_memory.get(spec.id)  # where somebody was fast to look at it
        if room is None:
            room = Room(self.shared, table, {})
            room.owner = self.store.opener(owner)
            self.in_memory[spec.id] = room
        self._observer.changed(room)
        return room

    async def _write_opening(
        self, spec: TableSpec, bots: dict[int, str], owner: str, quota: Quota, unless: Seek | None
    ) -> Table:
        """Store the new table; under another code, should its own be that of another table."""
        for _ in range(ATTEMPTS):
            blank, payers = Table(spec), (owner,)
            async with self.playing.turn(blank, payers):
                table, opening = await self.playing.do(blank, payers, self.opening, spec, bots, {}, owner)
            opening.quota, opening.unless = quota, unless
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

    # What happens to tables from outside.

    async def reload(self, table_id: str) -> None:
        """The table's log has been changed: whoever is there comes back, and finds it as it is now."""
        if loading := self._loading.get(table_id):
            await asyncio.wait([loading])  # it may have read the log before
        room = self.in_memory.pop(table_id, None)
        if room is not None:
            self.scheduler.forget([room])
            room.end(Bye("busy", "this table is being loaded anew: come back"))

    def dismiss_banned(self, restrictions: Restrictions) -> None:
        """Part with whoever is banned now."""
        for room in list(self.in_memory.values()):
            for listener in list(room.presence.listeners):
                try:
                    restrictions.check_address(listener.address, room.clock.now())
                    if listener.seat is not None:
                        restrictions.check_name(room.table.name(listener.seat), room.clock.now())
                except Refusal as refusal:
                    listener.dismiss(encode(Bye(refusal.code, str(refusal))))

    def forget(self, table_id: str) -> None:
        """The table is no more: whoever is there is told so."""
        room = self.in_memory.pop(table_id, None)
        if room is not None:
            self.scheduler.forget([room])
            room.end(Bye("not_found", "this table has been deleted"))


def _importance(room: Room) -> tuple[bool, float]:
    """Of those that may go, finished ones go first, and the idlest of them."""
    return room.table.phase != "over", room.used
