"""Requests that wait until something happens at a table."""

from __future__ import annotations

import asyncio
import contextlib


class News:
    """Lets requests wait for the next entry of one table."""

    def __init__(self) -> None:
        self.waiting = 0  # requests
        self._happened = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Until something happens, or the time is over."""
        self.waiting += 1
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._happened.wait(), seconds)
        finally:
            self.waiting -= 1

    def tell(self) -> None:
        """Something has happened: everybody who waits goes on."""
        if self.waiting:
            happened, self._happened = self._happened, asyncio.Event()
            happened.set()
