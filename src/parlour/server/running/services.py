"""The parts of one server process, put together, begun and ended in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
from pathlib import Path

import msgspec

from parlour.engine import folders, looks, registry
from parlour.engine.game import Game
from parlour.protocol import TableLine
from parlour.server.basics import garbage, logs, metrics
from parlour.server.basics.background import Background, Threads
from parlour.server.basics.config import WATCHED, Config
from parlour.server.basics.errors import StoreFailed
from parlour.server.basics.shared_work import SharedWork
from parlour.server.basics.steady import SteadyClock
from parlour.server.bots.service import BotService
from parlour.server.bots.warming import Warming
from parlour.server.cluster.bus import Bus, Signal
from parlour.server.cluster.placement import Placement, placement
from parlour.server.people.limits import RateLimits
from parlour.server.people.restrictions import Restrictions
from parlour.server.previews.pictures import Pictures
from parlour.server.rooms import keeper
from parlour.server.rooms.commands import Commands
from parlour.server.rooms.deadlines import Deadlines
from parlour.server.rooms.keeper import Keeper
from parlour.server.rooms.lobby import EVERY, Lobby
from parlour.server.rooms.opener import Opener
from parlour.server.rooms.playing import Playing
from parlour.server.rooms.room import Room, Shared
from parlour.server.rooms.rooms import Rooms
from parlour.server.rooms.scheduler import Scheduler
from parlour.server.rooms.turn_messages import TurnMessages
from parlour.server.rooms.upgrades import DRAW_EVERY, Upgrades
from parlour.server.running.housekeeping import BEAT, POLL, SWEEP, Housekeeping
from parlour.server.running.readiness import Readiness
from parlour.server.running.workshop import LOOK_EVERY, Watched, Workshop
from parlour.server.store import Filter, Store
from parlour.server.store.store import SHARED_PACE
from parlour.server.tables.sizes import Sizes
from parlour.server.tables.table import Table
from parlour.server.telling import examples
from parlour.server.telling.drawing import Drawing
from parlour.server.telling.finished import Finished

LOG = logging.getLogger("parlour.server")
EXPOSE_EVERY = 1.0  # seconds for which what Prometheus is told holds
LOOK_FOR_STRANDED = 600.0  # seconds: processes of before an upgrade may still have served some


class Services:
    """All that a process needs to serve tables."""

    def __init__(self, config: Config, clock: SteadyClock | None = None, folder: Path | None = None) -> None:
        process = secrets.token_hex(8)
        self.config = config
        self.clock = clock or SteadyClock()
        self.store = Store(config.database_url, process, self.clock, is_shared=config.is_shared)
        self.store.on_group = metrics.note_commit
        if config.workers > 1:
            self.store.pace = SHARED_PACE
        self.restrictions = Restrictions(config.hash_key if config.hash_addresses else "")
        self.limits = RateLimits(config, folder, self.restrictions, self.clock)
        self.drawing = Drawing(self.limits)
        self.finished = Finished(self.store, self.drawing)
        self.previews = Pictures(self.drawing)
        self.background = Background()
        self.threads = Threads()
        self.bots = BotService(config.bot_processes, Warming(is_on=config.warm, folder=folder))
        self.bots.warming.on_news = self._tell_of_bots
        self.bus = Bus(config.redis, process, self._hear)
        self.lobby = Lobby(self._lines, self.clock)
        deadlines = Deadlines(config, self.clock)
        self.scheduler = Scheduler(self.store, self.bots, deadlines, self.background)
        self.upgrades = Upgrades(self.store, self.clock)
        self.keeper = Keeper(self.store)
        self.playing = Playing(self.limits)
        shared = Shared(self.store, deadlines, self.playing, observer=self)
        self.rooms = Rooms(shared, self.scheduler, self.upgrades, self.keeper)
        self._placement = placement(config.workers, str(folder)) if folder else Placement()
        self.sizes = Sizes(config.largest)
        self.opener = Opener(self.rooms, self.bots, self._placement, self.sizes)
        self.turn_messages = TurnMessages(self.store, config, self.background)
        self.commands = Commands(self.opener, self.turn_messages)
        self.housekeeping = Housekeeping(self.rooms, self.bus, self.lobby, self.background)
        self.readiness = Readiness(self.store)
        self.exposition = SharedWork(self._expose, EXPOSE_EVERY)
        self.workshop = self._workshop()
        self.is_open = False

    def _workshop(self) -> Workshop | None:
        """Follows the game that is being written, where the command line has asked for it."""
        if WATCHED not in os.environ:
            return None
        watched = msgspec.json.decode(os.environ[WATCHED], type=Watched)
        return Workshop(watched, self.store, self.rooms, self.bots, lambda: self.housekeeping.announce(self.notice))

    def tell_of_picture(self, game: Game, error: Exception) -> None:
        """A game's picture is broken: it is played on its board of the terminal meanwhile."""
        why = f"the picture of {game.name} cannot be drawn, a plain one is shown: {folders.told(error)}"
        LOG.error("%s", why)
        if self.workshop is not None:
            self.workshop.note(why)

    async def open(self) -> None:
        looks.tell_trouble.set(self.tell_of_picture)  # for all that is begun here; for requests ``app`` sets it
        asyncio.get_running_loop().set_default_executor(self.threads)
        for why in registry.bad_games().values():
            LOG.warning("%s: its tables wait until it can be", why)
        await asyncio.to_thread(self.store.open)
        self.bus.key = await self.store.ask(self.store.processes.shared_key)
        await self.housekeeping.begin_to_follow()
        self.bus.open()
        self.background.repeat("the sweep", self.housekeeping.sweep, SWEEP)
        self.background.repeat("the lobby", self.lobby.tell, EVERY)
        self.background.repeat("the sign of life", self.housekeeping.beat, BEAT)
        if self.config.is_shared:
            self.background.repeat("the look at the store", self.housekeeping.poll, POLL)
        self.background.repeat("what the operator does", self.housekeeping.follow_operator, 1.0)
        self.background.repeat("the metrics", self.note_metrics, 1.0)
        self.background.repeat("the log", logs.tell_left_out, 1.0)
        self.background.repeat("the garbage", garbage.look_at_everything, garbage.EVERY)
        if self.workshop is not None:
            self.workshop.begin()
            self.background.repeat("the workshop", self.workshop.look, LOOK_EVERY)
        if self.config.drain:
            self.background.repeat("the drain", self.housekeeping.drain, SWEEP)
        self.turn_messages.open()
        self.background.repeat("the snapshots", self.keeper.keep, keeper.EVERY)
        self.background.repeat("the albums", self.upgrades.draw_when_idle, DRAW_EVERY)
        self.background.spawn(self.upgrades.end_stranded(), "ending matches of other rules")
        self.background.repeat("ending matches of other rules", self.upgrades.end_stranded, LOOK_FOR_STRANDED)
        self.background.spawn(metrics.watch_lag(), "the lag of the event loop")
        self.background.spawn(asyncio.to_thread(examples.draw_all), "the first pictures")
        if self.config.warm and not self.config.drain:
            self.background.spawn(self.bots.begin(), "making bots ready")
        self.is_open = True

    async def close(self) -> None:
        """Finish what is being written, and let others go on."""
        self.is_open = False
        if self.workshop is not None:
            self.workshop.close()
        await self.background.close()
        for room in list(self.rooms.in_memory.values()):
            async with room.lock:  # whatever is being written
                pass
        await self.keeper.close()
        await self.upgrades.close(list(self.rooms.in_memory.values()))
        await self.bus.close()
        with contextlib.suppress(StoreFailed):
            await self.store.ask(self.store.processes.leave)
        self.bots.close()
        self.drawing.close()
        self.playing.close()
        self.rooms.close()
        self.turn_messages.close()
        await asyncio.to_thread(self.store.close)

    async def note_metrics(self) -> None:
        metrics.note_now(
            tables=len(self.rooms.in_memory),
            sockets=self.limits.sockets.total(),
            redis_up=self.bus.is_up if self.config.redis else None,
            drift=self.store.processes.drift,
            standing_still=self._placement.standing_still(),
        )
        metrics.note_jobs(
            {
                "bots": self.bots.turns.in_hand,
                "hints": self.bots.hints.in_hand,
                "drawing": self.drawing.in_hand,
                "loading": self.rooms.loading,
                "playing": self.playing.in_hand,
                "reads": self.store.reads,
                "writes": self.store.writes,
                "threads": self.threads.in_hand,
            }
        )

    async def _expose(self) -> bytes:
        """What Prometheus is told. To gather the counts of all workers takes a while."""
        await self.note_metrics()
        return await asyncio.to_thread(metrics.exposition)

    # What rooms tell: see ``parlour.server.rooms.room.Observer``.

    def changed(self, room: Room) -> None:
        self.lobby.has_changed = True
        self.bus.tell(room.id, room.table.number)
        self.keeper.note(room)
        self.turn_messages.note(room)
        self.attended(room)

    @property
    def notice(self) -> str:
        written = self.workshop.notice if self.workshop is not None else ""
        return self.restrictions.maintenance or written

    def warming(self, table: Table) -> list[int]:
        if table.phase == "over" or not self.bots.warming.is_busy:
            return []
        players = [(seat, chair.player) for seat, chair in enumerate(table.chairs)]
        return [seat for seat, bot in players if bot and self.bots.warming.is_awaited(table.game, bot)]

    def _tell_of_bots(self, game: str) -> None:
        """Bots of this game are being made ready, or have become so, or never will be."""
        if not self.is_open:
            return
        for room in list(self.rooms.in_memory.values()):
            if room.table.spec.game == game and room.presence.listeners:
                room.tell_presence()

    def attended(self, room: Room) -> None:
        if self.rooms.in_memory.get(room.id) is room:  # not one that has been let go: another may stand in its place
            self.scheduler.wake(room)

    async def _hear(self, signal: Signal) -> None:
        await self.housekeeping.hear(signal)

    async def _lines(self, since: float, wanted: Filter) -> list[TableLine]:
        return await self.store.ask(self.store.lists.lobby, since, wanted)
