"""What is typed, while other things happen."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading


class Keyboard:
    """Lines of standard input, read in a thread; None once there are no more."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        # A daemon, for nothing ends a read but the person; past sys.stdin, whose lock would be held at exit.
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    async def line(self) -> str | None:
        return await self._lines.get()

    def _read(self) -> None:
        decode = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")("replace").decode
        pending = ""
        while data := self._more():
            *lines, pending = (pending + decode(data)).split("\n")
            for line in lines:
                self._put(line)
        self._put(pending or None)
        self._put(None)

    def _more(self) -> bytes:
        try:
            return os.read(sys.stdin.fileno(), 4096)
        except OSError:  # the terminal is gone
            return b""

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
