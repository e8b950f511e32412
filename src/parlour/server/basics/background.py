"""Work that nobody waits for. What fails is logged, and what repeats goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from parlour.server.basics.errors import Refusal, StoreFailed

LOG = logging.getLogger("parlour.server")


class Threads(ThreadPoolExecutor):
    """Threads that know how many jobs they have in hand. Without a count, there are as many as Python thinks best."""

    def __init__(self, count: int | None = None, name: str = "threads") -> None:
        super().__init__(count, name)
        self._jobs: set[Future[Any]] = set()

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        job = super().submit(*given, **named)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return job

    @property
    def in_hand(self) -> int:
        """How many jobs wait or are being done."""
        return len(self._jobs)


class Background:
    """The tasks of a server."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("%s failed", task.get_name(), exc_info=error)

    def repeat(self, name: str, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do it again and again, with a pause after each time, even if it fails."""
        self.spawn(self._repeat(name, work, seconds), name)

    async def _repeat(self, name: str, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except (StoreFailed, Refusal) as error:
                LOG.warning("%s: %s", name, error)
            except Exception:
                LOG.exception("%s failed", name)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                LOG.warning("%s: something that it waited for was cancelled", name)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
