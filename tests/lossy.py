"""A wire between client and server that can be cut: answers are lost after the server has done what was asked."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from threaded import ThreadedLines


class Wire(ThreadedLines):
    """Forwards connections to a port. ``loses`` is asked, for each request, whether its answer is to be lost."""

    def __init__(self, port: int, loses: Callable[[bytes], bool]) -> None:
        self.lost = 0
        self._target = port
        self._loses = loses
        self._losing: set[asyncio.StreamWriter] = set()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, onward = await asyncio.open_connection("127.0.0.1", self._target)
        asking = asyncio.create_task(self._forward(reader, onward))
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while answer := await back.read(2**20):
                if onward in self._losing:
                    self.lost += 1
                    break
                writer.write(answer)
                await writer.drain()
        asking.cancel()
        onward.close()
        self._losing.discard(onward)

    async def _forward(self, reader: asyncio.StreamReader, onward: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while request := await reader.read(2**20):
                if self._loses(request):
                    self._losing.add(onward)
                onward.write(request)
                await onward.drain()
