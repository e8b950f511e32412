"""The list of tables, as those see it who look at it: all of it at first, then what changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from parlour.protocol import Bye, LobbyChange, LobbyView, TableLine
from parlour.server.basics.errors import Refusal
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.restrictions import Restrictions
from parlour.server.store import Filter
from parlour.server.store.lists import EVERYTHING
from parlour.server.tables.listener import Listener
from parlour.server.telling.broadcast import encode

EVERY = 1.0  # seconds between two looks at the list, at least
Lines = Callable[[float, Filter], Awaitable[list[TableLine]]]
TOGETHER = 250  # listeners that are told before others get their turn
RECENT = 6 * 3600.0  # a table that has not changed for so many seconds is not shown


class Lobby:
    """Who looks at the list, each at the tables that they want to see."""

    def __init__(self, lines: Lines, clock: SteadyClock) -> None:
        self._clock = clock
        self._lines = lines
        self._lists: dict[Filter, _List] = {}
        self.has_changed = True
        self.notice = ""

    async def join(self, listener: Listener, wanted: Filter = EVERYTHING) -> None:
        shown = self._lists.setdefault(wanted, _List())
        if not shown.listeners:
            now = await self._read(wanted)
            shown = self._lists.setdefault(wanted, shown)  # whoever looked at it may have gone meanwhile
            if not shown.listeners:  # else somebody else was faster, and has begun with another list
                shown.begin(now)
                self.has_changed = True  # perhaps it has, while it was read
        shown.listeners.add(listener)
        listener.push(shown.view)
        if self.notice:
            listener.push(encode(LobbyChange([], [], self.notice)))

    def announce(self, notice: str) -> None:
        """Tell everybody what whoever runs the server has to say, or that it is over."""
        self.notice = notice
        message = encode(LobbyChange([], [], notice))
        for shown in self._lists.values():
            for listener in shown.listeners:
                listener.push(message)

    def dismiss_banned(self, restrictions: Restrictions) -> None:
        """Part with whoever is banned now."""
        for shown in self._lists.values():
            for listener in list(shown.listeners):
                try:
                    restrictions.check_address(listener.address, self._clock.now())
                except Refusal as refusal:
                    listener.dismiss(encode(Bye(refusal.code, str(refusal))))

    def part(self, listener: Listener) -> None:
        for wanted, shown in list(self._lists.items()):
            shown.listeners.discard(listener)
            if not shown.listeners:
                del self._lists[wanted]

    async def tell(self) -> None:
        """Send everybody what has changed of the list."""
        if not self._lists or not self.has_changed:
            return
        self.has_changed = False
        try:
            for wanted in [wanted for wanted, shown in self._lists.items() if shown.listeners]:
                now = await self._read(wanted)
                if wanted in self._lists:
                    await self._lists[wanted].tell(now)
        except Exception:
            self.has_changed = True  # it is still to be told
            raise

    async def _read(self, wanted: Filter) -> dict[str, TableLine]:
        return {line.id: line for line in await self._lines(self._clock.ago(RECENT), wanted)}


class _List:
    """The tables of one filter, as everybody has them who listens."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self._lines: dict[str, TableLine] = {}
        self._view: bytes | None = None

    def begin(self, now: dict[str, TableLine]) -> None:
        self._lines, self._view = now, None

    @property
    def view(self) -> bytes:
        """All of it, for whoever comes: made once for many."""
        if self._view is None:
            self._view = encode(LobbyView(list(self._lines.values())))
        return self._view

    async def tell(self, now: dict[str, TableLine]) -> None:
        before = self._lines
        self.begin(now)
        changed = [line for line in now.values() if line.id not in before or _shown(line) != _shown(before[line.id])]
        gone = [table_id for table_id in before if table_id not in now]
        if changed or gone:
            await self._push(encode(LobbyChange(changed, gone)))

    async def _push(self, message: bytes) -> None:
        """To everybody who has the list as it was before. Matches go on in between."""
        for number, listener in enumerate(list(self.listeners), 1):
            listener.push(message)
            if number % TOGETHER == 0:
                await asyncio.sleep(0)


def _shown(line: TableLine) -> TableLine:
    """What people see of it: that a match goes on is no news."""
    return msgspec.structs.replace(line, changed=0.0)
