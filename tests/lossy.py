"""A wire between client and server that can be cut: answers are lost after the server has done what was asked."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any


class Wire:
    """Forwards connections to a port. ``loses`` is asked, for each request, whether its answer is to be lost."""

    def __init__(self, port: int, loses: Callable[[bytes], bool]) -> None:
        self.port = 0
        self.lost = 0
        self._target = port
        self._loses = loses
        self._losing: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Wire:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: Any) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
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
        for end in (writer, onward):
            end.close()
        self._losing.discard(onward)
        self._tasks.discard(task)

    async def _forward(self, reader: asyncio.StreamReader, onward: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while request := await reader.read(2**20):
                if self._loses(request):
                    self._losing.add(onward)
                onward.write(request)
                await onward.drain()
