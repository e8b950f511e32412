"""Whether the store can be written."""

from __future__ import annotations

import asyncio

from parlour.server.basics.errors import StoreFailed
from parlour.server.basics.shared_work import SharedWork
from parlour.server.store import Store

EVERY = 1.0  # seconds for which an answer holds: whoever asks often makes no work
WITHIN = 3.0  # seconds that a write may take


class Readiness:
    """Tries to write to the store: one time for all who ask at once, and never again before the last one has ended."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._writing = SharedWork(self._write, EVERY)

    async def is_ready(self) -> bool:
        ended, _ = await asyncio.wait([self._writing.task()], timeout=WITHIN)
        return any(one.result() for one in ended)

    async def _write(self) -> bool:
        try:
            await self.store.ask(self.store.processes.beat)
        except StoreFailed:
            return False
        return True
