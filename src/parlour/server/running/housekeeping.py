"""The chores of a process: signs of life, news of other processes, tables that are due, tables that are old."""

from __future__ import annotations

import logging

from parlour.server.admin.operator import Operator
from parlour.server.basics import metrics, system
from parlour.server.basics.background import Background
from parlour.server.basics.errors import Refusal, StoreFailed
from parlour.server.cluster.bus import Bus, Signal
from parlour.server.rooms.lobby import Lobby
from parlour.server.rooms.room import Room
from parlour.server.rooms.rooms import Rooms
from parlour.server.store.processes import Here

LOG = logging.getLogger("parlour.server")
BEAT = 5.0  # seconds between signs of life, and between looks at the store while Redis is up
POLL = 0.25  # seconds between looks at the store while it is not
SWEEP = 2.0
AT_ONCE = 100  # tables taken up in one sweep
LOOK_AGAIN = 60.0  # seconds until another look at a table that was taken up
PUT_OFF = 3600.0  # seconds until another look at a table that cannot be taken up
ABANDONED = 86400.0  # seconds after which a table is removed at which nobody came to play
DAY = 86400.0


class Housekeeping:
    """Does the chores of one process."""

    def __init__(self, rooms: Rooms, bus: Bus, lobby: Lobby, background: Background) -> None:
        self.rooms, self.store, self.scheduler = rooms, rooms.store, rooms.scheduler
        self.config, self.clock = rooms.config, rooms.deadlines.clock
        self.restrictions = rooms.limits.restrictions
        self.bus = bus
        self.lobby = lobby
        self.background = background
        self._polled = 0.0
        self.operator = Operator(self.store.engine, self.clock, "a server")
        self._followed = 0  # the last line of the audit log that this process knows
        self._waiting = set[str]()  # large tables that are to be followed
        self._noted = set[Here]()  # from where people are here, as the store has it
        self._left: int | None = None  # matches that were played when last counted

    async def beat(self) -> None:
        """Say that this process lives, and who is here by way of it."""
        await self.store.ask(self.store.processes.beat)
        rooms = list(self.rooms.in_memory.values())
        here = {room.id: seats for room in rooms if (seats := room.presence.here_by_this_process())}
        if here:
            seen = [(table_id, seat) for table_id, seats in here.items() for seat in seats]
            await self.store.ask(self.store.processes.note_seen, seen)
        for table_id, seats in here.items():
            if room := self.rooms.in_memory.get(table_id):
                self.bus.tell(table_id, room.table.number, seats)
        await self._note_addresses(rooms)

    async def _note_addresses(self, rooms: list[Room]) -> None:
        """Store from which addresses people are here, for the operator; for as long as they are."""
        shown = self.restrictions.shown
        now = {Here(room.id, seat, shown(address)) for room in rooms for seat, address in room.presence.addresses()}
        come, gone = now - self._noted, self._noted - now
        if come or gone:
            await self.store.ask(self.store.processes.note_addresses, come, gone)
        self._noted = now

    async def hear(self, signal: Signal) -> None:
        """Another process says that a table has moved on, or that seats are there."""
        self.lobby.has_changed = True
        room = self.rooms.in_memory.get(signal.table_id)
        if room is None:
            return
        for seat in signal.here:
            room.presence.hear_of(seat, 3 * BEAT)
        if signal.number <= room.table.number:
            return
        if not room.is_large:
            await self._follow(room)
        elif room.id not in self._waiting:  # that may take long, and other tables' news do not wait for it
            self._waiting.add(room.id)
            self.background.spawn(self._follow_large(room), f"following table {room.id}")

    async def _follow_large(self, room: Room) -> None:
        try:
            await self._follow(room)
        except (StoreFailed, Refusal) as error:  # the next look at the store tells
            LOG.warning("table %s: %s", room.id, error)

    async def _follow(self, room: Room) -> None:
        async with room.lock:
            self._waiting.discard(room.id)  # what is heard from now on may come too late for this
            await room.catch_up()

    async def poll(self) -> None:
        """Look at the store for what other processes did: seldom while signals arrive, often while they do not."""
        now = self.clock.now()
        if self.bus.is_up and now - self._polled < BEAT:
            return
        self._polled = now
        await self._catch_up()

    async def _catch_up(self) -> None:
        """Bring the tables in memory to where the store has them."""
        self.lobby.has_changed = True
        known = list(self.rooms.in_memory)
        newest = await self.store.ask(self.store.newest, known) if known else {}
        for table_id in set(known) - newest.keys():
            self.rooms.forget(table_id)
        for table_id, number in newest.items():
            try:
                await self.hear(Signal("", table_id, number))
            except (StoreFailed, Refusal) as error:
                LOG.warning("table %s: %s", table_id, error)
            except Exception:  # one bad table never harms another
                LOG.exception("table %s cannot catch up", table_id)

    async def sweep(self) -> None:
        """Take up tables where something is due; let go of those that nobody looks at; delete what is old."""
        await self._take_up_due()
        await self.rooms.drop_idle()
        await self._delete_old()

    async def _take_up_due(self) -> None:
        taken, resting, hopeless, now = list[str](), list[str](), list[str](), self.clock.now()
        for table_id in await self.store.ask(self.store.due, now, AT_ONCE):
            try:
                room = self.rooms.in_memory.get(table_id) or await self.rooms.get(table_id)
                self.scheduler.wake(room)
                (resting if self.scheduler.deadlines.wake_at(room.table) is None else taken).append(table_id)
            except Refusal as refusal:
                is_for_now = refusal.is_for_now or refusal.code == "too_many"
                (taken if is_for_now else hopeless).append(table_id)
                LOG.warning("table %s: %s", table_id, refusal)
            except Exception:  # one bad table never harms another
                hopeless.append(table_id)
                LOG.exception("table %s cannot be taken up", table_id)
        # What was taken up runs from memory now: in the store, let others that are due come before it.
        for table_ids, seconds in ((taken, LOOK_AGAIN), (resting, None), (hopeless, PUT_OFF)):
            if table_ids:
                until = None if seconds is None else self.clock.now() + seconds
                await self.store.ask(self.store.put_off, table_ids, now, until)

    async def follow_operator(self) -> None:
        """Follow what the operator has done since the last look, in this process or elsewhere."""
        lines = await self.store.ask(self.operator.audit, self._followed)
        if not lines:
            return
        await self.learn()
        for line in lines:
            for table_id in line.details.get("tables", []):
                await self.rooms.reload(table_id)
                self.lobby.has_changed = True
        for line in lines:
            if line.action == "backup":
                metrics.BACKUP.set(line.at)
        if any(line.action in ("close", "delete") for line in lines):
            await self._catch_up()
        if any(line.action == "ban" for line in lines):
            self.rooms.dismiss_banned(self.restrictions)
            self.lobby.dismiss_banned(self.restrictions)
        self._followed = max(line.id for line in lines)  # what could not be done above is tried again

    async def learn(self) -> None:
        """Who is banned, and whether matches begin."""
        before = self.restrictions.maintenance
        bans = await self.store.ask(self.operator.bans)
        self.restrictions.set(bans, await self.store.ask(self.operator.maintenance))
        if self.restrictions.maintenance != before:
            self.announce(self.restrictions.maintenance or "")

    def announce(self, notice: str) -> None:
        """Tell everybody whose page is open."""
        self.lobby.announce(notice)
        for room in list(self.rooms.in_memory.values()):
            room.tell_presence()

    async def begin_to_follow(self) -> None:
        """Take what the operator did before this process began as given, and follow the rest."""
        last = await self.store.ask(lambda: self.operator.audit(limit=1))
        self._followed = max((line.id for line in last), default=0)
        metrics.BACKUP.set(await self.store.ask(self.operator.last_backup))
        await self.learn()

    async def drain(self) -> None:
        """End the server once no match is played any more."""
        playing = await self.store.ask(self.store.count, "playing")
        if playing != self._left:
            self._left = playing
            LOG.info("draining: %d matches are still played", playing)
        if not playing:
            system.stop_server()

    async def _delete_old(self) -> None:
        keep = self.config.keep * DAY if self.config.keep else float("inf")
        now = self.clock.now()
        abandoned = self.clock.ago(ABANDONED)
        for table_id in await self.store.ask(self.store.delete_old, now - min(keep, now), abandoned):
            self.rooms.forget(table_id)
