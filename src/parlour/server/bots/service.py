"""Bots at the server's tables, and hints for people. Each has its own pool of processes: neither waits."""

from __future__ import annotations

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
WARM_SECONDS = 20.0  # that somebody who asks for a hint waits until it can be thought about
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
        """Have a process in which a bot can choose at once; then have bots made ready."""
        with contextlib.suppress(BotFailed, QueueFull):
            await self.turns.run("", None, bot_jobs.begin)
        await self.warming.make_all_ready()

    def renew(self) -> None:
        """A game has been changed: no process knows it."""
        self.turns.renew()
        self.hints.renew()

    async def choose(self, table_id: str, bot: str, match: Match, owner: str) -> BotChoice:
        """The bot's action. If the bot keeps failing, a random action, so that the match goes on. Raises QueueFull."""
        trouble = ""
        seen = match.seen_by(match.to_move)
        may_stand_in = self.warming.may_be_awaited(match.game, bot)
        job = (table_id, match.to_move, bot, match.game.name, seen.shown.pack(), seen.actions, may_stand_in)
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

    async def hint(self, match: Match, owner: str) -> list[tuple[int, int, float]]:
        """The best actions, how often each was tried, and its estimated chance.

        Where what that needs is still to be compiled, whoever asks waits a moment for it, and then has to ask again.
        """
        found: list[tuple[int, int, float]] | None
        may_wait = self.warming.may_be_awaited(match.game, warmth.HINT)
        found = await self._ask(match, owner, bot_jobs.hint, may_wait)
        if found is None and await self.warming.wait(match.game, warmth.HINT, owner, WARM_SECONDS):
            found = await self._ask(match, owner, bot_jobs.hint, False)
        if found is None:
            raise Refusal("busy", "hints for this game are being made ready: ask again in a moment")
        return found

    async def plan(self, match: Match, owner: str) -> list[int]:
        """How the rest of the turn could be played."""
        may_stand_in = self.warming.may_be_awaited(match.game, warmth.HINT)
        found: bot_jobs.Planned = await self._ask(match, owner, bot_jobs.plan, may_stand_in)
        if not found.is_ready:
            self.warming.ask_again(match.game, warmth.HINT, owner)
        return found.actions

    async def _ask(self, match: Match, owner: str, job: Callable[..., Any], *more: Any) -> Any:
        """Have it thought about, for somebody whose turn it is."""
        seen = match.seen_by(match.to_move)
        try:
            return await self.hints.run(owner, None, job, match.game.name, seen.shown.pack(), seen.actions, *more)
        except QueueFull:
            raise Refusal("busy", "too many people ask for hints just now: try again in a moment") from None
        except BotFailed as error:
            LOG.error("a hint failed in %s: %s", match.game.name, error)
            raise Refusal("busy", "no hint was found just now") from error

    def close(self) -> None:
        self.warming.close()
        self.turns.close()
        self.hints.close()
