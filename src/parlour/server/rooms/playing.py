"""The processor time that playing takes: whom it counts for, and what leaves the event loop since it may take long.

Rules, pictures and choices are plain Python. For most tables that is done in a millisecond, here and now. What is done
for tables of large games is done in threads, so that nobody at another table waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.server.basics.background import Threads
from parlour.server.basics.limiter import processor_time
from parlour.server.people.limits import RateLimits
from parlour.server.tables.table import Table, TableSpec

LARGE = 4096  # bytes of a position: Choccer has 216, mazerunner 1,700, game17 12,700
SLOW = 0.004  # seconds of processor time: a kind of table that takes more on average leaves the event loop
LATEST = 0.1  # the weight of the latest piece of work in that average: one slow piece changes little
KINDS = 1000  # of tables, of which the average is known
THREADS = 2  # so that one that takes seconds does not hold up all other large tables
SENDING = 20e-6  # seconds that it takes to send one message, once it is written: 17 µs, 390 sockets at one table

Result = TypeVar("Result")
Payers = tuple[str, ...]  # whom processor time counts for: an address, a seat
_Kind = tuple[str, tuple[tuple[str, int], ...]]


class Playing:
    """Does what matches take."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self._threads = Threads(THREADS, "playing")
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._large: dict[str, bool] = {}  # by game
        self._usual: dict[_Kind, float] = {}  # seconds that a piece of work has taken lately, on average

    def wait(self, payers: Payers) -> float:
        """In how many seconds something may be done for these; 0 is at once."""
        return max((self.limits.playing.take(payer, 0.0) for payer in payers), default=0.0)

    def check(self, payers: Payers) -> None:
        """Refuse those who have used up their time."""
        for payer in payers:
            what = "your moves take the server more time than it has for you"
            self.limits.check(self.limits.playing, payer, what, 0.0)

    def is_large(self, table: Table) -> bool:
        """Whether what is done for this table leaves the event loop."""
        return self._is_large_game(table.spec.game) or self._usual.get(_kind(table.spec), 0.0) > SLOW

    def turn(self, table: Table, payers: Payers) -> AbstractAsyncContextManager[object]:
        """Of what one person does at large tables, one thing at a time: others are not to wait for all of it.

        Wait for it before taking the room's lock: otherwise everybody at the table would wait, too.
        """
        return self._turns.setdefault(payers[0], asyncio.Lock()) if self.is_large(table) else nullcontext()

    async def do(self, table: Table, payers: Payers, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work, which must not change anything that others see; its processor time counts for these.

        Whoever calls it at a large table holds the room's lock: the table stays as it is.
        """
        if not self.is_large(table):
            return self._timed(table.spec, payers, work, *arguments)
        in_context = copy_context().run  # the language is in it
        todo = (in_context, self._timed, table.spec, payers, work, *arguments)
        return await asyncio.get_running_loop().run_in_executor(self._threads, *todo)

    def charge_sending(self, payers: Payers, messages: int) -> None:
        """So many messages are sent."""
        self.charge(payers, messages * SENDING)

    def _timed(self, spec: TableSpec, payers: Payers, work: Callable[..., Result], *arguments: Any) -> Result:
        with processor_time(partial(self.charge, payers), partial(self._note, _kind(spec))):
            return work(*arguments)

    def charge(self, payers: Payers, seconds: float) -> None:
        """So much processor time counts for these."""
        for payer in payers:
            self.limits.playing.charge(payer, seconds)

    def _note(self, kind: _Kind, seconds: float) -> None:
        if kind not in self._usual and len(self._usual) >= KINDS:
            self._usual.clear()
        usual = self._usual.get(kind, 0.0)
        self._usual[kind] = usual + LATEST * (seconds - usual)

    def _is_large_game(self, name: str) -> bool:
        if (known := self._large.get(name)) is None:
            try:
                known = registry.get(name).layout.size > LARGE
            except ParlourError:  # it is not here any more, and nobody plays it
                return False
            self._large[name] = known
        return known

    @property
    def in_hand(self) -> int:
        """How many jobs wait or are being done."""
        return self._threads.in_hand

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _kind(spec: TableSpec) -> _Kind:
    return spec.game, tuple(spec.options.items())
