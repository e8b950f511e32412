"""What a table does by itself: bots play, clocks run out, and a bot takes over for whoever stays away.

One process runs each table. Where several serve the same tables, it is the one that holds the table's lease. The term
of the lease goes with everything that it writes: a process that has lost the lease can change nothing.
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
class Schedule:
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
    """Runs the tables of this process."""

    def __init__(self, store: Store, bots: BotService, deadlines: Deadlines, background: Background) -> None:
        self.store = store
        self.bots = bots
        self.deadlines = deadlines
        self.clock = deadlines.clock
        self.background = background
        self._schedules: dict[str, Schedule] = {}

    def wake(self, room: Room) -> None:
        """Do what is due at the table, or set a timer for it. Called after every change, so it is cheap."""
        schedule = self._schedules.get(room.id)
        if schedule is None:
            schedule = self._schedules[room.id] = Schedule(is_patient=self.deadlines.least(room.table) >= LOOK)
        if schedule.is_busy or self._is_soon_enough(room.table, schedule):
            return
        try:
            wait = self._due_in(room, schedule)
        except Exception:
            wait = NOW  # the task meets the same error, logs it and tries again
        if wait == NOW:
            schedule.stop_timer()
            schedule.task = self.background.spawn(self._run(room, schedule), f"work at table {room.id}")
        else:
            self._later(room, schedule, wait)

    def _is_soon_enough(self, table: Table, schedule: Schedule) -> bool:
        """Whether nothing can be due before the timer ends. So it is after almost every move."""
        if schedule.timer is None or not schedule.is_patient or not self._is_ours(schedule):
            return False
        return table.to_move is not None and table.player is None

    def must_keep(self, room: Room) -> bool:
        """Whether the table has to stay in memory: something is being done, or becomes due before long.

        Where a table's time stands still while no process has it in memory, what it waits for would never happen.
        """
        schedule = self._schedules.get(room.id, Schedule())
        return schedule.is_busy or (schedule.timer is not None and not self.deadlines.runs_on(room.table))

    def term(self, room: Room) -> int | None:
        """The term of this process's lease on the table, if it holds one."""
        return self._schedules.get(room.id, Schedule()).term

    def forget(self, rooms: list[Room]) -> list[str]:
        """These tables leave the memory; returns those whose leases this process holds."""
        schedules = {room.id: self._schedules.pop(room.id, Schedule()) for room in rooms}
        for schedule in schedules.values():
            schedule.stop_timer()
            if schedule.task is not None:
                schedule.task.cancel()
        return [table_id for table_id, schedule in schedules.items() if schedule.term is not None]

    def _later(self, room: Room, schedule: Schedule, seconds: float | None) -> None:
        """Look at the table again in so many seconds, or never. A timer that ends sooner is kept."""
        loop = asyncio.get_running_loop()
        if seconds is not None and schedule.timer is not None and schedule.timer.when() <= loop.time() + seconds:
            return
        schedule.stop_timer()
        if seconds is not None:
            schedule.timer = loop.call_later(seconds, self._ring, room, schedule)

    def _ring(self, room: Room, schedule: Schedule) -> None:
        schedule.timer = None
        self.wake(room)

    async def _run(self, room: Room, schedule: Schedule) -> None:
        """Do what is due; then set the timer for what comes next. Whatever goes wrong, it is tried again."""
        try:
            wait = await self._do_what_is_due(room, schedule)
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
        if self._schedules.get(room.id) is schedule:
            self._later(room, schedule, wait)

    def _due_in(self, room: Room, schedule: Schedule) -> float | None:
        """In how many seconds to look at the table again: NOW if something is due, None if nothing will be."""
        table = room.table
        if table.phase != "playing" and not table.is_revealing:
            return None
        if not self._is_ours(schedule):
            if self.clock.now() >= schedule.ask_at:
                return NOW
            return LOOK if room.is_watched else None  # the sweep takes it up if its process dies
        if table.is_revealing:
            return max(NOW, table.turn_began + REVEAL_WITHIN - self.clock.now())
        if table.is_left_to_bots and not room.is_watched:
            return None  # bots play on when somebody looks
        if not table.spec.seats or table.player is not None:
            return NOW
        deadline = self.deadlines.next(table, room.presence, room.loaded)
        if deadline is None:
            return None
        # Who comes by HTTP does not say when they go: look again before long.
        return max(NOW, min(deadline.at - self.clock.now(), LOOK))

    async def _do_what_is_due(self, room: Room, schedule: Schedule) -> float | None:
        """Returns after how many seconds to look again, if at all."""
        while (wait := self._due_in(room, schedule)) == NOW:
            if not self._is_ours(schedule):
                await self._ask_for_lease(room, schedule)
            elif room.table.is_revealing:
                await self._write(room, schedule, lambda: proposals.start_without(room.table, self.clock.now()))
            elif not room.table.spec.seats:
                await self._play_by_itself(room, schedule)
                return max(PACE, room.playing.wait(room.payers))
            elif room.table.player is not None:
                await self._play_bot(room, schedule)
            elif (deadline := self.deadlines.next(room.table, room.presence, room.loaded)) is not None:
                await self._take_over(room, schedule, deadline)
        return wait

    def _is_ours(self, schedule: Schedule) -> bool:
        """Whether this process runs the table: by a lease, where there are other processes."""
        return schedule.term is not None or not self.store.is_shared

    async def _ask_for_lease(self, room: Room, schedule: Schedule) -> None:
        schedule.ask_at = self.clock.now() + ASK_EVERY
        schedule.term = await self.store.ask(self.store.processes.acquire, room.id)
        if schedule.term is not None:
            async with room.lock:
                await room.catch_up()  # what the last owner did

    async def _play_by_itself(self, room: Room, schedule: Schedule) -> None:
        """A match in which nobody has a seat goes on at a pace that people can follow."""
        match = room.table.match
        assert match is not None

        def act() -> Proposal | None:
            if room.table.match is not match:
                return None
            return proposals.bot_acts(room.table, match.legal()[0], self.clock.now())

        await self._write(room, schedule, act)

    async def _play_bot(self, room: Room, schedule: Schedule) -> None:
        match, seat, bot, question = room.table.match, room.table.bot_to_move, room.table.player, room.table.question
        assert match is not None
        assert seat is not None
        assert bot is not None
        chosen = await self.bots.choose(room.id, bot, match, seat, room.owner or room.id)
        await self._leave_time(room, schedule)
        metrics.BOT_ACTIONS.inc()

        def act() -> Proposal | None:
            table = room.table
            is_same = table.question is question and table.bot_to_move == seat and table.player == bot
            return proposals.bot_acts(room.table, chosen.action, self.clock.now(), chosen.excuse) if is_same else None

        await self._write(room, schedule, act)

    async def _leave_time(self, room: Room, schedule: Schedule) -> None:
        """Wait until people have seen what happened last, unless all hurry; and until the payers have time left."""
        table = room.table
        if schedule.began is None or bot_pauses.begins_round(table):
            schedule.began = table.turn_began
        pause = bot_pauses.pause(
            table, room.presence, self.deadlines.config.bot_pause, schedule.began, self.clock.now()
        )
        if not bot_pauses.may_be_skipped(table, room.presence):
            await asyncio.sleep(pause)
        elif pause:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(room.presence.all_hurry.wait(), pause)
        await asyncio.sleep(room.playing.wait(room.payers))

    async def _take_over(self, room: Room, schedule: Schedule, deadline: Deadline) -> None:
        seat, question = deadline.seat, room.table.question
        if deadline.reason == "absent" and await self._is_seen_elsewhere(room, seat):
            return

        def replace() -> Proposal | None:
            if room.table.question is not question or room.table.player is not None:
                return None
            still = self.deadlines.next(room.table, room.presence, room.loaded)
            if still is None or still.seat != seat or still.at > self.clock.now():
                return None  # they have come back in between
            return proposals.take_over(room.table, seat, still.reason, self.clock.now(), room.spent(seat))

        await self._write(room, schedule, replace)

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

    async def _write(self, room: Room, schedule: Schedule, propose: Callable[[], Proposal | None]) -> None:
        """Write under the lease; write nothing if the match has moved on since."""

        def under_lease() -> Proposal | None:
            proposal = propose()
            if proposal is not None:
                proposal.term = schedule.term
            return proposal

        try:
            await room.attempt(under_lease)
        except Fenced:
            schedule.term = None  # another process runs this table now
            async with room.lock:
                await room.catch_up()
