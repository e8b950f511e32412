"""What a table does by itself: bots play, clocks run out, and a bot takes over for whoever stays away.

One process minds each table. Where several serve the same ones, that is whoever holds its lease; its term goes with
everything that it writes, so that a process which lost the lease without noticing can change nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

from parlour.server.basics import metrics
from parlour.server.basics.background import Background
from parlour.server.basics.errors import Refusal, StoreFailed
from parlour.server.bots import pauses as bot_pauses
from parlour.server.bots.pool import QueueFull
from parlour.server.bots.service import BotService
from parlour.server.rooms import proposals
from parlour.server.rooms.deadlines import REVEAL_WITHIN, Deadline, Deadlines
from parlour.server.rooms.proposals import Proposal
from parlour.server.rooms.room import Room
from parlour.server.store import Fenced, Store
from parlour.server.tables.table import Table

LOG = logging.getLogger("parlour.server")
NOW = 0.0
LOOK = 15.0  # seconds between looks at a table that waits for somebody
PACE = 1.0  # seconds between two actions of a match in which nobody has a seat
ASK_EVERY = 5.0  # seconds between two questions for a lease that another process holds
RETRY = 2.0  # seconds until another try at what could not be done
SEEN_FOR = 30.0  # seconds for which another process's word counts that somebody is there


@dataclass
class Duty:
    """The work for one table: the task that does it now, or the timer until it is due."""

    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    term: int | None = None  # of the lease, where this process holds it
    ask_at: float = 0.0  # when to ask for the lease again, where another process holds it
    began: float | None = None  # when bots began to play: since then, people wait for their turn
    is_patient: bool = False  # whether nothing becomes due within LOOK after a person's turn has begun

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Scheduler:
    """Minds the tables of this process."""

    def __init__(self, store: Store, bots: BotService, deadlines: Deadlines, background: Background) -> None:
        self.store = store
        self.bots = bots
        self.deadlines = deadlines
        self.clock = deadlines.clock
        self.background = background
        self._duties: dict[str, Duty] = {}

    def tend(self, room: Room) -> None:
        """Do what is due at the table, or set a timer for it. This is called after every change, so it is cheap."""
        duty = self._duties.get(room.id)
        if duty is None:
            duty = self._duties[room.id] = Duty(is_patient=self.deadlines.least(room.table) >= LOOK)
        if duty.is_busy or self._is_soon_enough(room.table, duty):
            return
        try:
            wait = self._due_in(room, duty)
        except Exception:
            wait = NOW  # whoever minds the table runs into it as well, says so and tries again
        if wait == NOW:
            duty.stop_timer()
            duty.task = self.background.spawn(self._mind(room, duty), f"minding table {room.id}")
        else:
            self._later(room, duty, wait)

    def _is_soon_enough(self, table: Table, duty: Duty) -> bool:
        """Whether nothing can be due at the table before its timer ends, as is so after almost every move."""
        if duty.timer is None or not duty.is_patient or not self._is_ours(duty):
            return False
        return table.to_move is not None and table.player is None

    def is_minding(self, room: Room) -> bool:
        """Whether the table has to stay in memory: something is being done, or becomes due before long.

        Where time stands still while a table is in nobody's memory, what it waits for would never come about.
        """
        duty = self._duties.get(room.id, Duty())
        return duty.is_busy or (duty.timer is not None and not self.deadlines.runs_on(room.table))

    def term(self, room: Room) -> int | None:
        """The term of this process's lease on the table, if it holds one."""
        return self._duties.get(room.id, Duty()).term

    def forget(self, rooms: list[Room]) -> list[str]:
        """These tables leave the memory; returns those whose leases this process holds."""
        duties = {room.id: self._duties.pop(room.id, Duty()) for room in rooms}
        for duty in duties.values():
            duty.stop_timer()
            if duty.task is not None:
                duty.task.cancel()
        return [table_id for table_id, duty in duties.items() if duty.term is not None]

    def _later(self, room: Room, duty: Duty, seconds: float | None) -> None:
        """Tend the table again then, or never. A timer that ends sooner stays: the table is looked at once more."""
        loop = asyncio.get_running_loop()
        if seconds is not None and duty.timer is not None and duty.timer.when() <= loop.time() + seconds:
            return
        duty.stop_timer()
        if seconds is not None:
            duty.timer = loop.call_later(seconds, self._ring, room, duty)

    def _ring(self, room: Room, duty: Duty) -> None:
        duty.timer = None
        self.tend(room)

    async def _mind(self, room: Room, duty: Duty) -> None:
        """Do what is due; then set the timer for what comes next. Whatever goes wrong, it is tried again."""
        try:
            wait = await self._do_what_is_due(room, duty)
        except (Refusal, StoreFailed, QueueFull) as error:
            LOG.warning("table %s: %s; trying again", room.id, error)
            wait = RETRY
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            LOG.error("table %s: something that it waited for was cancelled; trying again", room.id)
            wait = RETRY
        except Exception:
            LOG.exception("table %s: unexpected error; trying again", room.id)
            wait = LOOK
        if self._duties.get(room.id) is duty:
            self._later(room, duty, wait)

    def _due_in(self, room: Room, duty: Duty) -> float | None:
        """In how many seconds to look at the table again: NOW if something is due, None if nothing will be."""
        table = room.table
        if table.phase != "playing" and not table.is_revealing:
            return None
        if not self._is_ours(duty):
            if self.clock.now() >= duty.ask_at:
                return NOW
            return LOOK if room.is_watched else None  # the sweep looks again, should its process die
        if table.is_revealing:
            return max(NOW, table.turn_began + REVEAL_WITHIN - self.clock.now())
        if not table.people and not room.is_watched:
            return None  # bots play on when somebody looks
        if not table.spec.seats or table.player is not None:
            return NOW
        deadline = self.deadlines.next(table, room.presence, room.loaded)
        if deadline is None:
            return None
        # Somebody who comes and goes by HTTP says no goodbye: look again before long.
        return max(NOW, min(deadline.at - self.clock.now(), LOOK))

    async def _do_what_is_due(self, room: Room, duty: Duty) -> float | None:
        """Returns after how many seconds to look again, if at all."""
        while (wait := self._due_in(room, duty)) == NOW:
            if not self._is_ours(duty):
                await self._ask_for_lease(room, duty)
            elif room.table.is_revealing:
                await self._write(room, duty, lambda: proposals.start_without(room.table, self.clock.now()))
            elif not room.table.spec.seats:
                await self._play_by_itself(room, duty)
                return max(PACE, room.playing.wait(room.payers))
            elif room.table.player is not None:
                await self._play_bot(room, duty)
            elif (deadline := self.deadlines.next(room.table, room.presence, room.loaded)) is not None:
                await self._take_over(room, duty, deadline)
        return wait

    def _is_ours(self, duty: Duty) -> bool:
        """Whether this process minds the table, by a lease where there are others."""
        return duty.term is not None or not self.store.is_shared

    async def _ask_for_lease(self, room: Room, duty: Duty) -> None:
        duty.ask_at = self.clock.now() + ASK_EVERY
        duty.term = await self.store.ask(self.store.processes.acquire, room.id)
        if duty.term is not None:
            async with room.lock:
                await room.catch_up()  # what the last owner did

    async def _play_by_itself(self, room: Room, duty: Duty) -> None:
        """A match in which nobody has a seat goes on at a pace that people can follow."""
        match = room.table.match
        assert match is not None

        def act() -> Proposal | None:
            if room.table.match is not match:
                return None
            return proposals.bot_acts(room.table, match.legal()[0], self.clock.now())

        await self._write(room, duty, act)

    async def _play_bot(self, room: Room, duty: Duty) -> None:
        match, bot = room.table.match, room.table.player
        assert match is not None
        assert bot is not None
        chosen = await self.bots.choose(room.id, bot, match, room.owner or room.id)
        await self._leave_time(room, duty)
        metrics.BOT_ACTIONS.inc()

        def act() -> Proposal | None:
            is_same = room.table.match is match and room.table.player == bot
            return proposals.bot_acts(room.table, chosen.action, self.clock.now(), chosen.excuse) if is_same else None

        await self._write(room, duty, act)

    async def _leave_time(self, room: Room, duty: Duty) -> None:
        """Wait until people have seen what happened last, and until more may be played here. A hurry ends the first."""
        table = room.table
        if duty.began is None or bot_pauses.begins_round(table):
            duty.began = table.turn_began
        pause = bot_pauses.pause(table, room.presence, self.deadlines.config.bot_pause, duty.began, self.clock.now())
        if not bot_pauses.may_be_skipped(table, room.presence):
            await asyncio.sleep(pause)
        elif pause:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(room.presence.all_hurry.wait(), pause)
        await asyncio.sleep(room.playing.wait(room.payers))

    async def _take_over(self, room: Room, duty: Duty, deadline: Deadline) -> None:
        seat, match = deadline.seat, room.table.match
        if deadline.reason == "absent" and await self._is_seen_elsewhere(room, seat):
            return

        def replace() -> Proposal | None:
            if room.table.match is not match or room.table.player is not None:
                return None
            still = self.deadlines.next(room.table, room.presence, room.loaded)
            if still is None or still.at > self.clock.now():
                return None  # they have come back in between
            return proposals.take_over(room.table, seat, still.reason, self.clock.now(), room.spent(seat))

        await self._write(room, duty, replace)

    async def _is_seen_elsewhere(self, room: Room, seat: int) -> bool:
        if not self.store.is_shared or seat in room.presence.here():
            return False
        seen = await self.store.ask(self.store.processes.last_seen, room.id, seat)
        if seen is None:
            return False
        if self.clock.now() - seen >= SEEN_FOR:
            room.presence.note_gone(seat, seen)
            return False
        room.presence.hear_of(seat, SEEN_FOR)
        return True

    async def _write(self, room: Room, duty: Duty, propose: Callable[[], Proposal | None]) -> None:
        """Write under the lease; write nothing if the match has moved on since."""

        def under_lease() -> Proposal | None:
            proposal = propose()
            if proposal is not None:
                proposal.term = duty.term
            return proposal

        try:
            await room.attempt(under_lease)
        except Fenced:
            duty.term = None  # another process minds this table
            async with room.lock:
                await room.catch_up()
