"""The list of tables, as those see it who look at it: it comes again whenever it has changed."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from parlour.protocol import LobbyView, TableLine
from parlour.server.broadcast import encode
from parlour.server.listener import Listener

EVERY = 1.0  # seconds between two lists, at most
RECENT = 6 * 3600.0  # a table that has not changed for so many seconds is not shown


class Lobby:
    """Who looks at the list."""

    def __init__(self, lines: Callable[[float], Awaitable[list[TableLine]]]) -> None:
        self._lines = lines
        self._listeners: set[Listener] = set()
        self._last = b""
        self.has_changed = True

    async def join(self, listener: Listener) -> None:
        self._listeners.add(listener)
        listener.push(await self._read())

    def part(self, listener: Listener) -> None:
        self._listeners.discard(listener)

    async def tell(self) -> None:
        """Send the list to everybody, if it is another than before."""
        if not self._listeners or not self.has_changed:
            return
        self.has_changed = False
        before, message = self._last, await self._read()
        if message != before:
            for listener in self._listeners:
                listener.push(message)

    async def _read(self) -> bytes:
        self._last = encode(LobbyView(await self._lines(time.time() - RECENT)))
        return self._last
