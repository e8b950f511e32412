"""Bots at the server's tables: they think in processes of their own, never on the event loop."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections import OrderedDict
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from parlour.bots import Bot, Decision, roster
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.server.errors import Refused

LOG = logging.getLogger("parlour.server")
DEADLINE = 60.0  # seconds after which a bot's turn is played by chance
REMEMBERED = 256  # bots that a process keeps, with what they have thought so far


def check_bot(game: Game, name: str) -> str:
    """The bot's name, if it may sit at a table of the server: built in, and bounded in what it costs."""
    known = roster.names(game)
    if name not in known:
        raise Refused("bad_option", f"nobody called {name!r} plays {game.name} here (there are: {', '.join(known)})")
    return name


class Opponents:
    """The processes in which bots think."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def warm(self, game: Game, bot: str) -> None:
        """Have what the bot needs ready before its first turn: its search may have to be compiled."""
        try:
            self._executor().submit(_warm, game.name, bot)
        except BrokenExecutor:  # its process has died: the next who needs it begins a new one
            self._pool = None

    async def choose(self, table: str, bot: str, match: Match) -> int:
        """The bot's action. One that fails or takes too long plays by chance: a match goes on."""
        try:
            job = (table, match.to_move, bot, match.game.name, match.state.pack(), match.actions)
            action: int = await self._run(_choose, *job)
            if action in match.legal():
                return action
            LOG.error("bot %s chose illegal action %s in %s", bot, action, match.game.name)
        except Exception as error:  # whatever a bot does wrong
            LOG.error("bot %s failed in %s: %s", bot, match.game.name, error or type(error).__name__)
        return secrets.choice(match.legal())

    async def hint(self, match: Match) -> list[tuple[int, int, float]]:
        """The best actions, how often each was tried, and its estimated chance."""
        try:
            found: list[tuple[int, int, float]] = await self._run(
                _hint, match.game.name, match.state.pack(), match.actions
            )
            return found
        except Exception as error:
            raise Refused("busy", "there is no hint to be had just now") from error

    async def _run(self, job: Any, *arguments: Any) -> Any:
        executor = self._executor()
        try:
            future = asyncio.get_running_loop().run_in_executor(executor, job, *arguments)
            return await asyncio.wait_for(future, DEADLINE)
        except (TimeoutError, BrokenExecutor):
            if self._pool is executor:  # a process that hangs or has died: begin with new ones
                self._pool = None
                _kill(executor)
            raise

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), initializer=_begin)
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            _kill(self._pool)


def _kill(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


# What follows runs in the processes.

_BOTS: OrderedDict[tuple[str, int, str], Bot] = OrderedDict()


def _begin() -> None:
    """People come first."""
    import signal

    os.nice(5)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when to end


def _decision(game: str, packed: bytes, actions: list[int]) -> Decision:
    rules = registry.get(game)
    state = rules.layout.unpack(packed)
    chance = Chance.at(secrets.randbits(127), 0)
    return Decision(rules, state, rules.legal_actions(state), chance, actions=actions)


def _choose(table: str, seat: int, bot: str, game: str, packed: bytes, actions: list[int]) -> int:
    key = table, seat, bot
    player = _BOTS.pop(key, None) or roster.make_bot(registry.get(game), bot)
    _BOTS[key] = player
    if len(_BOTS) > REMEMBERED:
        _BOTS.popitem(last=False)
    return int(player.choose(_decision(game, packed, actions)))


def _hint(game: str, packed: bytes, actions: list[int]) -> list[tuple[int, int, float]]:
    decision = _decision(game, packed, actions)
    return roster.hint(decision.game, decision)


def _warm(game: str, bot: str) -> None:
    rules = registry.get(game)
    match = Match(rules)
    if not match.over:
        roster.make_bot(rules, bot).choose(_decision(game, match.state.pack(), []))
