"""What takes long for one request: replays, frames, pictures, long logs. Done off the event loop, within limits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from typing import Any, TypeVar

from parlour.server.errors import Refusal
from parlour.server.limits import RateLimits

WAITING_PER_ADDRESS = 20
WAITING = 200
Result = TypeVar("Result")


class Drawing:
    """Draws for whoever asks. The time that it takes counts for their address."""

    def __init__(self, limits: RateLimits, name: str = "drawing") -> None:
        self.limits = limits
        self._thread = ThreadPoolExecutor(1, name)  # two would be no faster, and the event loop would wait for both
        self._waiting: Counter[str] = Counter()  # by address

    async def do(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work off the event loop. Raises Refusal if this address, or all together, ask for too much."""
        with self.turn(address):
            return await self.run(address, work, *arguments)

    async def run(self, address: str | None, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work off the event loop, for an address whose turn it is, or for the server itself."""
        in_context = copy_context().run  # the language is in it
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, in_context, self.timed, address, work, *arguments)

    def timed(self, address: str | None, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work here, in whichever thread this is; the time counts for the address."""
        with self.limits.charged(address) if address is not None else nullcontext():
            return work(*arguments)

    @contextmanager
    def turn(self, address: str) -> Iterator[None]:
        """Something that takes long is waited for inside."""
        self.limits.check_drawing(address)
        if self._waiting[address] >= WAITING_PER_ADDRESS:
            raise Refusal("too_fast", "your address has too many open requests: wait until some are answered")
        if self._waiting.total() >= WAITING:
            raise Refusal("busy", "the server is busy: try again in a moment")
        self._waiting[address] += 1
        try:
            yield
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
