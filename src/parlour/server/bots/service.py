"""Bots at the server's tables, and hints for people. Each has its own pool of processes: neither waits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.bots import warmth
from parlour.engine.match import Match
from parlour.server.basics.errors import Refusal
from parlour.server.bots import jobs as bot_jobs
from parlour.server.bots.pool import BotFailed, BotPool, QueueFull
from parlour.server.bots.warming import Warming

LOG = logging.getLogger("parlour.server")
TRIES = 2  # at a bot's turn, before it is played by chance
BOT_SECONDS = 60.0  # that a bot may think about an action; the first time, its search is compiled as well
HINT_SECONDS = 60.0  # the same for a hint
HINT_PROCESSES = 1
BY_CHANCE = "I cannot think at the moment, so I play by chance."
NO_CACHE = "I play by chance: this server has no folder in which it can keep what I need. Whoever runs it can help."


class BotChoice(NamedTuple):
    action: int
    excuse: str = ""  # what the bot says at the table, where it was not its own choice


def is_about_cache(trouble: str) -> bool:
    """Whether a bot failed because Numba could not write compiled rules to its cache."""
    return trouble.startswith("NoCache") or "cannot cache function" in trouble


class BotService:
    """Chooses actions for bots, and finds hints for people."""

    def __init__(self, processes: int, warming: Warming) -> None:
        self.warming = warming
        self.turns = BotPool(processes, seconds=BOT_SECONDS, most_waiting=10_000, most_of_one=1_000)
        self.hints = BotPool(HINT_PROCESSES, seconds=HINT_SECONDS, most_waiting=20, most_of_one=2)

    async def begin(self) -> None:
        """Have a process in which a bot can choose at once; then one for hints, and have bots made ready."""
        await self._load(self.turns)
        await asyncio.gather(self._load(self.hints), self.warming.make_all_ready())

    async def _load(self, pool: BotPool) -> None:
        with contextlib.suppress(BotFailed, QueueFull):
            await pool.run("", None, bot_jobs.begin)

    def renew(self) -> None:
        """A game has been changed: no process knows it."""
        self.turns.renew()
        self.hints.renew()

    async def choose(self, table_id: str, bot: str, match: Match, seat: int, owner: str) -> BotChoice:
        """The bot's action. If the bot keeps failing, a random action, so that the match goes on. Raises QueueFull."""
        trouble = ""
        seen = match.seen_by(seat)
        may_stand_in = self.warming.may_be_awaited(match.game, bot)
        job = (table_id, seat, bot, match.game.name, seen.position.pack(), seen.played, may_stand_in)
        for _ in range(TRIES):
            try:
                chosen: bot_jobs.Chosen = await self.turns.run(owner, job[:3], bot_jobs.choose, *job)
                if not chosen.is_ready:
                    self.warming.ask_again(match.game, bot, owner)
                if chosen.action in seen.legal:
                    return BotChoice(chosen.action)
                LOG.error("bot %s chose illegal action %s in %s", bot, chosen.action, match.game.name)
            except BotFailed as error:
                trouble = str(error)
                LOG.error("bot %s failed in %s: %s", bot, match.game.name, error)
        return BotChoice(secrets.choice(seen.legal), NO_CACHE if is_about_cache(trouble) else BY_CHANCE)

    async def hint(self, match: Match, seat: int, owner: str) -> list[tuple[int, int, float]]:
        """The best actions, how often each was tried, and its estimated chance."""
        found: list[tuple[int, int, float]] = await self._ask(match, seat, owner, bot_jobs.hint)
        return found

    async def plan(self, match: Match, seat: int, owner: str) -> list[int]:
        """How the rest of the turn could be played."""
        may_stand_in = self.warming.may_be_awaited(match.game, warmth.HINT)
        found: bot_jobs.Planned = await self._ask(match, seat, owner, bot_jobs.plan, may_stand_in)
        if not found.is_ready:
            self.warming.ask_again(match.game, warmth.HINT, owner)
        return found.actions

    async def _ask(self, match: Match, seat: int, owner: str, job: Callable[..., Any], *more: Any) -> Any:
        """Have it thought about, for somebody whose turn it is."""
        seen = match.seen_by(seat)
        try:
            return await self.hints.run(owner, None, job, match.game.name, seen.position.pack(), seen.played, *more)
        except QueueFull:
            raise Refusal("busy", "too many people ask for hints just now: try again in a moment") from None
        except BotFailed as error:
            LOG.error("a hint failed in %s: %s", match.game.name, error)
            raise Refusal("busy", "no hint was found just now") from error

    def close(self) -> None:
        self.warming.close()
        self.turns.close()
        self.hints.close()
