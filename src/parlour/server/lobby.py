"""The list of tables, as those see it who look at it: all of it at first, then what changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from parlour.protocol import LobbyChange, LobbyView, TableLine
from parlour.server.broadcast import encode
from parlour.server.listener import Listener
from parlour.server.steady import SteadyClock

EVERY = 1.0  # seconds between two looks at the list, at least
RECENT = 6 * 3600.0  # a table that has not changed for so many seconds is not shown


class Lobby:
    """Who looks at the list."""

    def __init__(self, lines: Callable[[float], Awaitable[list[TableLine]]], clock: SteadyClock) -> None:
        self._clock = clock
        self._lines = lines
        self._listeners: set[Listener] = set()
        self._told: dict[str, TableLine] = {}  # the list as everybody who listens has it
        self.has_changed = True

    async def join(self, listener: Listener) -> None:
        if not self._listeners:
            now = await self._read()
            if not self._listeners:  # else somebody else was faster, and has begun with another list
                self._told = now
        self._listeners.add(listener)
        listener.push(encode(LobbyView(list(self._told.values()))))

    def part(self, listener: Listener) -> None:
        self._listeners.discard(listener)

    async def tell(self) -> None:
        """Send everybody what has changed of the list."""
        if not self._listeners or not self.has_changed:
            return
        self.has_changed = False
        try:
            now = await self._read()
        except Exception:
            self.has_changed = True  # it is still to be told
            raise
        before, self._told = self._told, now
        changed = [line for line in now.values() if line.id not in before or _shown(line) != _shown(before[line.id])]
        gone = [table_id for table_id in before if table_id not in now]
        if changed or gone:
            message = encode(LobbyChange(changed, gone))
            for listener in self._listeners:
                listener.push(message)

    async def _read(self) -> dict[str, TableLine]:
        return {line.id: line for line in await self._lines(self._clock.ago(RECENT))}


def _shown(line: TableLine) -> TableLine:
    """What people see of it: that a match goes on is no news."""
    return msgspec.structs.replace(line, changed=0.0)
