"""The list of tables, as those see it who look at it: it comes again whenever it has changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from parlour.protocol import LobbyView, TableLine
from parlour.server.broadcast import encode
from parlour.server.listener import Listener
from parlour.server.steady import SteadyClock

EVERY = 1.0  # seconds between two lists, at most
RECENT = 6 * 3600.0  # a table that has not changed for so many seconds is not shown


class Lobby:
    """Who looks at the list."""

    def __init__(self, lines: Callable[[float], Awaitable[list[TableLine]]], clock: SteadyClock) -> None:
        self._clock = clock
        self._lines = lines
        self._listeners: set[Listener] = set()
        self._told = b""  # the list that was last sent to everybody
        self.has_changed = True

    async def join(self, listener: Listener) -> None:
        message = await self._read()
        if not self._listeners:
            self._told = message
        elif message != self._told:  # one of the two is old: everybody is told once more
            self._told, self.has_changed = b"", True
        self._listeners.add(listener)
        listener.push(message)

    def part(self, listener: Listener) -> None:
        self._listeners.discard(listener)

    async def tell(self) -> None:
        """Send the list to everybody, if it is another than before."""
        if not self._listeners or not self.has_changed:
            return
        self.has_changed = False
        try:
            message = await self._read()
        except Exception:
            self.has_changed = True  # it is still to be told
            raise
        if message != self._told:
            self._told = message
            for listener in self._listeners:
                listener.push(message)

    async def _read(self) -> bytes:
        return encode(LobbyView(await self._lines(self._clock.ago(RECENT))))
