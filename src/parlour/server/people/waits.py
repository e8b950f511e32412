"""Requests that wait for news: so many for each address, and so many in all, which addresses have to share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from parlour.server.basics.errors import Refusal


class Waiting(Protocol):
    """A connection whose request waits."""

    is_ending: bool
    end_wait: Callable[[], None] | None


class Waits:
    """Each waiting request keeps a connection to itself, so together they may take only a part of all connections."""

    def __init__(self, each: int, most: int) -> None:
        """``each`` is how many an address may have, ``most`` how many there may be."""
        self.each = each
        self.most = most
        self._open: dict[str, dict[asyncio.Timeout, None]] = {}  # by address, the longest waiting first
        self._count = 0

    @asynccontextmanager
    async def turn(self, address: str, seconds: float, connection: Waiting | None = None) -> AsyncIterator[None]:
        """Wait inside this, for so long at most; less if others need the place. Raises Refusal if there is none.

        The wait also ends when the ``connection`` is lost, or the server is told to stop.
        """
        if connection is not None and connection.is_ending:
            seconds = 0.0
        own = self._open.setdefault(address, {})
        try:
            self._check_room(len(own))
            async with asyncio.timeout(seconds) as limit:
                own[limit] = None
                self._count += 1
                if connection is not None:
                    connection.end_wait = lambda: _end(limit)
                try:
                    yield
                finally:
                    self._forget(own, limit)
                    if connection is not None:
                        connection.end_wait = None
        except TimeoutError:
            pass
        finally:
            if not own and self._open.get(address) is own:
                del self._open[address]

    def _forget(self, own: dict[asyncio.Timeout, None], limit: asyncio.Timeout) -> None:
        if limit in own:
            del own[limit]
            self._count -= 1

    def _check_room(self, mine: int) -> None:
        """Where all places are taken, the longest wait of the address that has most ends as if its time were over."""
        if mine >= self.each:
            raise Refusal("too_many", "too many requests of your address wait already")
        if self._count < self.most:
            return
        greediest = max(self._open.values(), key=len)
        if len(greediest) <= mine + 1:
            raise Refusal("too_many", "too many requests wait just now")
        longest = next(iter(greediest))
        self._forget(greediest, longest)
        _end(longest)


def _end(limit: asyncio.Timeout) -> None:
    if not limit.expired():
        limit.reschedule(asyncio.get_running_loop().time())
