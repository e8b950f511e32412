"""Work whose result many ask for: done once for all who ask at once, and not again for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class SharedWork(Generic[Result]):
    """The work is done at most once in so many ``seconds``, and never twice at once, however often it is asked for."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, Result]], seconds: float) -> None:
        self._work = work
        self._seconds = seconds
        self._began = 0.0
        self._task: asyncio.Task[Result] | None = None

    def task(self) -> asyncio.Task[Result]:
        """The work, which may be done already. Whoever stops waiting for it must not cancel it."""
        if self._task is None or (self._task.done() and time.monotonic() - self._began > self._seconds):
            self._task, self._began = asyncio.create_task(self._work()), time.monotonic()
        return self._task
