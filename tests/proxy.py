"""A line between browser and server that can be cut, slow, or silent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from threaded import ThreadedLines

Fate = Literal["pass", "swallow", "refuse"]


def is_live(head: bytes) -> bool:
    """Whether a connection is the WebSocket of a table."""
    return head.startswith(b"GET /api/tables/") and b"/live" in head.split(b"\r\n", 1)[0]


class Proxy(ThreadedLines):
    """Forwards connections to a port. ``fate`` says of each WebSocket of a table what becomes of it.

    What is swallowed is taken and never passed on: neither end hears that anything is wrong.
    """

    def __init__(self, port: int, *, takes_away: str = "", adds: str = "") -> None:
        """As proxies of websites do, it can take the beginning of a path away, and add lines to the head of a request.

        Then each connection brings one request.
        """
        self._rewrites = bool(takes_away or adds)
        self._takes_away = takes_away.encode()
        self._adds = adds.encode()
        self.fate: Callable[[], Fate] = lambda: "pass"
        self.delay = 0.0  # seconds that the server's words take longer
        self.holds = False  # whether the server's words wait
        self._target = port
        self._lines: set[_Line] = set()

    def _each(self, do: Callable[[_Line], None]) -> None:
        """Do something to every open WebSocket, on the proxy's own loop."""

        def all_of_them() -> None:
            for line in self._lines:
                if line.is_live:
                    do(line)

        self._loop.call_soon_threadsafe(all_of_them)

    def cut(self) -> None:
        """End all WebSockets."""
        self._each(_Line.close)

    def silence(self) -> None:
        """Swallow what all open WebSockets say from now on."""
        self._each(_Line.silence)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.read(2**20)
        live = is_live(head)
        fate = self.fate() if live else "pass"
        if fate == "refuse" or not head:
            return
        if self._rewrites:
            head = self._rewritten(head)
        back, onward = await asyncio.open_connection("127.0.0.1", self._target)
        line = _Line(writer, onward, is_live=live)
        if fate == "swallow":
            line.silence()
        self._lines.add(line)
        try:
            await asyncio.gather(line.pass_on(reader, onward, head), line.pass_on(back, writer, b"", self))
        finally:
            self._lines.discard(line)
            line.close()

    def _rewritten(self, head: bytes) -> bytes:
        first, _, rest = head.partition(b"\r\n")
        method, path, version = first.split(b" ")
        if self._takes_away and path.startswith(self._takes_away):
            path = b"/" + path.removeprefix(self._takes_away)
        ends = b"" if is_live(head) else b"Connection: close\r\n"
        return b" ".join([method, path, version]) + b"\r\n" + self._adds + ends + rest


class _Line:
    """One connection: both of its ends."""

    def __init__(self, browser: asyncio.StreamWriter, server: asyncio.StreamWriter, *, is_live: bool) -> None:
        self.is_live = is_live
        self._ends = (browser, server)
        self._silent = False

    def silence(self) -> None:
        self._silent = True

    def close(self) -> None:
        for end in self._ends:
            end.close()

    async def pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, said: bytes, slow: Proxy | None = None
    ) -> None:
        """Pass on what one end says until it ends; then the other ends, too."""
        said = said or await source.read(2**20)
        while said:
            while slow and self.is_live and (slow.holds or slow.delay):
                await asyncio.sleep(slow.delay or 0.02)
                if not slow.holds:
                    break
            if not self._silent:
                target.write(said)
                await target.drain()
            said = await source.read(2**20)
        if not self._silent:
            target.close()
