"""What a table does by itself: bots play, clocks run out, and a bot takes over for whoever stays away.

One process minds each table. Where several serve the same ones, that is whoever holds its lease; its term goes with
everything that it writes, so that a process which lost the lease without noticing can change nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from parlour.engine.match import Match
from parlour.server import metrics, proposals
from parlour.server.clocks import SLOW
from parlour.server.config import Config
from parlour.server.errors import Refused
from parlour.server.opponents import Opponents
from parlour.server.proposals import Proposal
from parlour.server.room import Along, Room
from parlour.server.store import Conflict, Fenced, Store, StoreFailed
from parlour.server.table import ABSENT, TIME, Table

LOG = logging.getLogger("parlour.server")
LOOK = 15.0  # seconds between looks at a table that waits for somebody
RETRY = 2.0  # seconds until another try at what could not be done
BOT_WAKE = 10.0  # seconds after which a bot's turn is taken up again, should its process have died
SEEN_FOR = 30.0  # seconds for which another process's word counts that somebody is there


class Due(NamedTuple):
    """By when the seat to move must have acted, on the monotonic clock, and why."""

    at: float
    seat: int
    reason: str


class Duties:
    """Minds the tables of this process."""

    def __init__(self, store: Store, opponents: Opponents, config: Config) -> None:
        self.store = store
        self.opponents = opponents
        self.config = config
        self.tasks: set[asyncio.Task[None]] = set()

    def tend(self, room: Room) -> None:
        """See what the table has to do by itself, now or later. Cheap: it is called after every change."""
        if room.minding is None or room.minding.done():
            self._cancel_timer(room)
            if room.table.phase == "playing":
                room.minding = asyncio.create_task(self._mind(room))
                self.tasks.add(room.minding)
                room.minding.add_done_callback(self.tasks.discard)

    def _cancel_timer(self, room: Room) -> None:
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None

    def _later(self, room: Room, seconds: float) -> None:
        self._cancel_timer(room)
        room.timer = asyncio.get_running_loop().call_later(seconds, self.tend, room)

    async def _mind(self, room: Room) -> None:
        try:
            while room.table.phase == "playing":
                if not await self._is_ours(room):
                    return self._later(room, RETRY)
                if room.table.player is not None:
                    await self._play_bot(room)
                    continue
                due = self.due(room)
                left = due.at - time.monotonic() if due else None
                if due is None or left is None:
                    return None
                if left > 0:
                    # Somebody who comes and goes by HTTP says no goodbye: look again before long.
                    return self._later(room, min(left, LOOK))
                await self._take_over(room, due)
        except (Refused, StoreFailed, Conflict) as error:
            LOG.warning("table %s: %s; trying again", room.id, error or type(error).__name__)
            self._later(room, RETRY)
        return None

    async def _is_ours(self, room: Room) -> bool:
        """Whether this process minds the table, by a lease where there are others."""
        if not self.config.is_shared:
            return True
        if room.term is None:
            room.term = await self.store.ask(self.store.acquire, room.id)
            if room.term is not None:
                async with room.lock:
                    await room.catch_up()  # what the last owner did
        return room.term is not None

    async def _play_bot(self, room: Room) -> None:
        match, bot = room.table.match, room.table.player
        assert match is not None
        assert bot is not None
        action = await self.opponents.choose(room.id, bot, match)
        metrics.BOT_ACTIONS.inc()
        await self._write(room, match, bot, lambda: proposals.bot_acts(room.table, action, time.time()))

    async def _take_over(self, room: Room, due: Due) -> None:
        if due.reason == ABSENT and self.config.is_shared and due.seat not in room.here():
            seen = await self.store.ask(self.store.last_seen, room.id, due.seat)
            if seen is not None and time.time() - seen < SEEN_FOR:
                room.elsewhere[due.seat] = time.monotonic() + SEEN_FOR
                return
        match, spent = room.table.match, room.spent(due.seat)
        await self._write(
            room, match, None, lambda: proposals.take_over(room.table, due.seat, due.reason, time.time(), spent)
        )

    async def _write(
        self, room: Room, match: Match | None, player: str | None, propose: Callable[[], Proposal]
    ) -> None:
        """Write it, unless the match has moved on since, or somebody else is to choose."""
        async with room.lock:
            if room.table.match is not match or room.table.player != player:
                return
            try:
                await room.write(propose(), Along(term=room.term))
            except Fenced:
                room.term = None  # another process minds this table
                await room.catch_up()
            except Conflict:
                await room.catch_up()

    def due(self, room: Room) -> Due | None:
        """By when the person whose turn it is must act."""
        table, seat = room.table, room.table.to_move
        if seat is None:
            return None
        times = []
        allowed = table.clock.allows(seat)
        if allowed is not None:
            times.append(Due(room.turn_began + allowed, seat, TIME))
        here = seat in room.here()
        patience = self._patience(table, here=here)
        if patience is not None:
            left_at = room.turn_began if here else room.gone.get(seat, room.turn_began)
            times.append(Due(max(room.turn_began, left_at) + patience, seat, ABSENT))
        return min(times, default=None)

    def _patience(self, table: Table, *, here: bool) -> float | None:
        """How long others wait for somebody who does nothing; None: for as long as the clock says."""
        if table.clock.is_slow:
            return None
        if len(table.people) == 1:
            return self.config.solo_grace
        if here:
            return self.config.patience if table.facts.clock.kind == "none" else None
        return table.facts.grace

    def grace(self, room: Room) -> dict[int, float]:
        """The seat that others wait for though its person is not here, and the seconds until a bot takes over."""
        due = self.due(room) if room.table.player is None else None
        if due is None or due.seat in room.here():
            return {}
        return {due.seat: round(max(0.0, due.at - time.monotonic()), 1)}

    def wake_at(self, table: Table, now: float) -> float | None:
        """When something is due at a table that may be in nobody's memory by then."""
        if table.phase != "playing" or table.to_move is None:
            return None
        if table.player is not None:
            return now + BOT_WAKE
        limits = [table.clock.allows(table.to_move), self._patience(table, here=False)]
        return table.turn_began + min(limit for limit in limits if limit is not None) + 1

    def counts_while_away(self, table: Table) -> bool:
        """Whether the time counts that passed while the table was in nobody's memory."""
        if table.facts.clock.kind != "none":
            return table.clock.is_slow
        patience = self._patience(table, here=False)
        return patience is not None and patience >= SLOW

    async def close(self) -> None:
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
