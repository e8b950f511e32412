"""What becomes of matches when their rules change: before the upgrade, and after it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict

from parlour.engine import registry
from parlour.protocol import Closed, TableLine
from parlour.server.basics.errors import Refusal, StoreFailed
from parlour.server.basics.steady import SteadyClock
from parlour.server.rooms.room import Room
from parlour.server.store import Store
from parlour.server.tables import album
from parlour.server.tables.fold import STORY_LINES
from parlour.server.tables.past import PastTable, is_newer, known_rules, why_past
from parlour.server.tables.table import TableSpec

LOG = logging.getLogger("parlour.server")
CLOSED_AT_ONCE = 100
WAITING = 200  # matches of which albums are to be drawn; beyond, `parlour upgrade --prepare` draws them
DRAW_EVERY = 1.0  # seconds
DRAW_FOR = 0.1  # seconds of these
BUSY = 0.5  # of a core, above which those who play go first
DRAW_AT_END = 5.0  # seconds, when the process is told to stop


class Upgrades:
    """Keeps albums of matches, and ends those whose rules are no longer here."""

    def __init__(self, store: Store, clock: SteadyClock) -> None:
        self.store = store
        self.clock = clock
        self._waiting: OrderedDict[str, Room] = OrderedDict()
        self._looked = time.monotonic(), time.process_time()

    # Before.

    def note(self, rooms: list[Room]) -> None:
        """Nobody plays at these tables now: their albums are drawn when there is time."""
        for room in rooms[: WAITING - len(self._waiting)]:
            self._waiting[room.id] = room

    async def draw_when_idle(self) -> None:
        """Draw some albums, unless the process has been busy since the last time."""
        (then, used), self._looked = self._looked, (time.monotonic(), time.process_time())
        now, used_now = self._looked
        if used_now - used < BUSY * (now - then):
            await self.draw()

    async def draw(self, seconds: float = DRAW_FOR) -> None:
        """Draw albums that are to be drawn, for so long."""
        end = time.monotonic() + seconds
        while self._waiting and time.monotonic() < end:
            await self._keep(self._waiting.popitem(last=False)[1])

    async def close(self, rooms: list[Room]) -> None:
        """The process ends, and the next one may have other rules: draw what is in memory, the last changed first."""
        for room in sorted(rooms, key=lambda room: room.used):
            self._waiting[room.id] = room
            self._waiting.move_to_end(room.id, last=False)
        await self.draw(DRAW_AT_END)
        if self._waiting:
            LOG.warning("%d albums were not drawn: parlour upgrade --prepare does it", len(self._waiting))

    async def _keep(self, room: Room) -> None:
        table = room.table
        if table.match is None or isinstance(table, PastTable):
            return
        try:
            if await self.store.ask(self.store.albums.number, room.id) < table.number:
                packed = await asyncio.to_thread(album.draw, table.match)
                await self.store.ask(self.store.albums.write, room.id, table.number, packed)
        except StoreFailed as error:
            LOG.warning("table %s: its album could not be kept: %s", room.id, error)
        except Exception:  # whatever a game does wrong in a picture
            LOG.exception("table %s: its album could not be drawn", room.id)

    # After.

    async def end_stranded(self) -> None:
        """End what cannot be played on, some at a time: others are served in between."""
        more = True
        while more:
            bad = registry.bad_games()
            found = await self.store.ask(self.store.closing.stranded, known_rules(), bad, CLOSED_AT_ONCE)
            for line, rules in found:
                await self._end(line.id, why_past(line.game, line.title, rules))
            more = len(found) == CLOSED_AT_ONCE

    async def _end(self, table_id: str, why: str | None) -> None:
        LOG.warning("table %s: ended by an upgrade: %s", table_id, why)
        entry = Closed(at=self.clock.now(), reason="upgrade", text=f"Ended by an upgrade: {why}")
        await self.store.ask(self.store.closing.close, table_id, entry)

    async def past_table(self, spec: TableSpec, line: TableLine) -> PastTable | None:
        """The table as it can be seen, if its rules are no longer here; None if they are.

        It is ended, unless a process from before the upgrade still runs it, or its rules are newer than ours.
        """
        if (why := why_past(spec.game, line.title, spec.rules)) is None:
            return None
        if line.phase != "over":
            if is_newer(spec.game, spec.rules):
                raise Refusal("busy", f"{why}: the match goes on where the newer rules are")
            if self.store.is_shared and await self.store.ask(self.store.processes.acquire, spec.id) is None:
                raise Refusal("busy", "this match is still on a server of the old version: try again")
            await self._end(spec.id, why)
            ended: TableLine | None = await self.store.ask(self.store.closing.line, spec.id)
            line = ended or line
        return PastTable(spec, line, await self.store.ask(self._cover, spec.id), why)

    def _cover(self, table_id: str) -> album.Cover | None:
        packed = self.store.albums.read(table_id)
        return album.read(packed).cover(STORY_LINES) if packed else None
