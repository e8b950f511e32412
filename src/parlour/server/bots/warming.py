"""Compiles what bots need, in the background: in a process of its own with the lowest priority.

From the start of the server, one game after the other. Until a bot is ready, a simpler one plays in its place: see
``parlour.bots.warmth``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from parlour.bots import roster, warmth
from parlour.engine import registry
from parlour.engine.game import Game
from parlour.server.bots import jobs as bot_jobs
from parlour.server.bots.pool import BotDied, BotFailed, BotPool, QueueFull

LOG = logging.getLogger("parlour.server")
SECONDS = 1800.0  # for which one compilation may go on: it has the time that nobody else wants
NICE = 19
RETRY = 30.0  # seconds
TRIES = 3  # at what its process did not survive
LOCK = "warming.lock"  # in the folder of all workers: one of them compiles for all

Kind = tuple[str, str]  # a game, and what of it: see ``warmth.kind``


class Warming:
    """What is being made ready, and what has been."""

    def __init__(self, *, is_on: bool, folder: Path | None = None) -> None:
        self.is_on = is_on
        self.on_news: Callable[[str], None] = lambda game: None  # bots of this game are being made ready, or no more
        self._folder = folder
        self._pool = BotPool(1, seconds=SECONDS, most_waiting=1000, most_of_one=100, nice=NICE)
        self._tasks: dict[Kind, asyncio.Task[None]] = {}
        self._failed: set[Kind] = set()
        self._died: Counter[Kind] = Counter()  # how often the process died
        self._done: set[Kind] = set()
        self._has_begun = False  # whether all that is made ready from the start is done
        self._lock = ExitStack()  # held by the worker that compiles for all

    @property
    def is_busy(self) -> bool:
        return bool(self._tasks)

    def is_awaited(self, game: Game, bot: str) -> bool:
        """Whether the bot is being made ready just now."""
        return (game.name, warmth.kind(bot)) in self._tasks

    def may_be_awaited(self, game: Game, bot: str) -> bool:
        """Whether another may play until the bot is ready; not where it never will be."""
        return self.is_on and (game.name, warmth.kind(bot)) not in self._failed

    def ask(self, game: Game, bot: str, owner: str) -> None:
        """Have the bot made ready next, for this owner, unless that has been done."""
        if (game.name, warmth.kind(bot)) not in self._done:
            self.ask_again(game, bot, owner)

    def ask_again(self, game: Game, bot: str, owner: str) -> None:
        """The same for a bot that is known not to be ready: what was compiled may have been removed since."""
        what = game.name, warmth.kind(bot)
        if not self.is_on or what in self._tasks or warmth.needs_nothing(game, bot):
            return
        task = self._tasks[what] = asyncio.create_task(self._make_ready(what, bot, owner))
        task.add_done_callback(lambda _: self._end(what))
        self.on_news(game.name)

    async def wait(self, game: Game, bot: str, owner: str, seconds: float) -> bool:
        """Have it made ready, and wait for that; whether it came about within so many seconds."""
        self.ask_again(game, bot, owner)
        task = self._tasks.get((game.name, warmth.kind(bot)))
        return task is None or bool((await asyncio.wait([task], timeout=seconds))[0])

    async def make_all_ready(self) -> None:
        """Make ready what people meet, one game after the other: the bots they meet unasked first, small games first.

        Where several workers serve, one does so.
        """
        if not self.is_on or not self._is_first():
            self._has_begun = True
            return
        all_kinds = [(game, bot) for game in registry.all_games() for bot in warmth.kinds(game)]
        for game, bot in sorted(all_kinds, key=_when):
            self.ask(game, bot, "")
            if task := self._tasks.get((game.name, bot)):
                await asyncio.wait([task])
        self._has_begun = True
        self._rest()

    def _rest(self) -> None:
        """The process ends once nothing is left to do."""
        if self._has_begun and not self._tasks:
            self._pool.rest()

    async def _make_ready(self, what: Kind, bot: str, owner: str) -> None:
        try:
            await self._pool.run(owner, what, bot_jobs.warm, what[0], bot)
            self._done.add(what)
        except QueueFull as error:
            LOG.warning("%s of %s waits to be made ready: %s", bot, what[0], error)
            await asyncio.sleep(RETRY)  # whoever needs it asks again
        except BotFailed as error:
            is_death = isinstance(error, BotDied)
            self._died[what] += is_death
            if is_death and self._died[what] < TRIES:
                LOG.warning("%s of %s is made ready later: %s", bot, what[0], error)
                await asyncio.sleep(RETRY)
                return
            self._failed.add(what)
            LOG.warning("%s of %s cannot be made ready: %s", bot, what[0], error)

    def _end(self, what: Kind) -> None:
        self._tasks.pop(what, None)
        self._rest()
        self.on_news(what[0])

    def _is_first(self) -> bool:
        if self._folder is None:
            return True
        with contextlib.suppress(ImportError):  # where files cannot be locked, each compiles or waits for another
            import fcntl

            try:
                file = self._lock.enter_context((self._folder / LOCK).open("w"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return False
        return True

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._lock.close()
        self._pool.close()


def _when(what: tuple[Game, str]) -> tuple[bool, int]:
    game, bot = what
    return bot != warmth.kind(roster.usual(game)), game.layout.size
