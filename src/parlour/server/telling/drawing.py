"""What takes long for one request: replays, frames, pictures, long logs. Done off the event loop, within limits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import copy_context
from functools import partial
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from parlour.server.basics.background import Threads
from parlour.server.basics.errors import Refusal
from parlour.server.basics.limiter import processor_time
from parlour.server.people.limits import RateLimits

WAITING_PER_ADDRESS = 20
WAITING = 200
BODIES_PER_ADDRESS = 4  # large bodies of requests, each of a megabyte at most, that are held at once
BODIES = 30
Result = TypeVar("Result")


class HasSize(Protocol):
    """A room: with so much on its table that to show it takes long, or not."""

    @property
    def is_large(self) -> bool: ...


class HasBody(Protocol):
    """A request whose body can still be read."""

    async def body(self) -> bytes: ...


class Drawing:
    """Draws for whoever asks. The time that it takes counts for their address."""

    def __init__(self, limits: RateLimits, name: str = "drawing") -> None:
        self.limits = limits
        self._thread = Threads(1, name)  # a second thread would make nothing faster, and the event loop slower
        self._looking = Threads(1, "looking")  # at tables: nobody who plays waits for a replay of seconds
        self._turns: WeakValueDictionary[tuple[object, str], asyncio.Lock] = WeakValueDictionary()
        self._in_hand = 0
        self._waiting = _Turns(WAITING_PER_ADDRESS, WAITING)
        self._bodies = _Turns(BODIES_PER_ADDRESS, BODIES)

    async def do(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work off the event loop. Raises Refusal if this address, or all together, ask for too much."""
        with self.turn(address):
            return await self.run(address, work, *arguments)

    async def quick(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """The same for what takes milliseconds: whoever learns a game does not wait for others' replays of seconds."""
        with self.turn(address):
            return await self._run(self._looking, address, work, *arguments)

    async def run(self, address: str | None, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work off the event loop, for an address whose turn it is, or for the server itself."""
        return await self._run(self._thread, address, work, *arguments)

    async def _run(self, threads: Threads, address: str | None, work: Callable[..., Result], *arguments: Any) -> Result:
        """One thing at a time for each address, so that others do not wait for all that it has asked for."""
        in_context = copy_context().run  # the language is in it
        todo = in_context, self.timed, address, work, *arguments
        turn = asyncio.Lock() if address is None else self.queue(threads, address)
        self._in_hand += 1
        try:
            async with turn:
                return await asyncio.get_running_loop().run_in_executor(threads, *todo)
        finally:
            self._in_hand -= 1

    def queue(self, what: object, address: str) -> asyncio.Lock:
        """Of one address one thing of a kind at a time."""
        return self._turns.setdefault((what, address), asyncio.Lock())

    @asynccontextmanager
    async def reading(self, address: str) -> AsyncIterator[None]:
        """Something that takes long is looked up in the store inside, which has only a few threads for all."""
        with self.turn(address):
            async with self.queue("store", address):
                yield

    def timed(self, address: str | None, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work here, in whichever thread this is; the time counts for the address."""
        notes = [] if address is None else [partial(self.limits.drawing.charge, address)]
        with processor_time(*notes):
            return work(*arguments)

    async def look(self, room: HasSize, address: str, work: Callable[[], Result]) -> Result:
        """What somebody wants to see of a table as it is now. Raises Refusal if this address looks at too much."""
        if room.is_large:
            with self.turn(address):
                return await self.show(room, address, work)
        self.limits.check_loop(address)
        return await self.show(room, address, work)

    async def show(self, room: HasSize, address: str, work: Callable[[], Result]) -> Result:
        """The same without a look at the limit, for whoever has just done something there."""
        if room.is_large:
            return await self._run(self._looking, address, work)
        with processor_time(partial(self.limits.loop.charge, address)):
            return work()

    async def of_body(self, request: HasBody, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do the work with the body of a request, which is not read before it may be done."""
        with self.turn(address), self._bodies.turn(address):
            return await self.run(address, work, await request.body(), *arguments)

    @property
    def in_hand(self) -> int:
        """How many jobs wait or are being done."""
        return self._in_hand

    @contextmanager
    def turn(self, address: str) -> Iterator[None]:
        """Something that takes long is waited for inside."""
        self.limits.check_drawing(address)
        with self._waiting.turn(address):
            yield

    def close(self) -> None:
        for threads in (self._thread, self._looking):
            threads.shutdown(wait=False, cancel_futures=True)


class _Turns:
    """So many at once: of one address, and in all."""

    def __init__(self, of_one: int, of_all: int) -> None:
        self._of_one = of_one
        self._of_all = of_all
        self._now: Counter[str] = Counter()

    @contextmanager
    def turn(self, address: str) -> Iterator[None]:
        if self._now[address] >= self._of_one:
            raise Refusal("too_fast", "your address has too many open requests: wait until some are answered")
        if self._now.total() >= self._of_all:
            raise Refusal("busy", "the server is busy: try again in a moment")
        self._now[address] += 1
        try:
            yield
        finally:
            self._now[address] -= 1
            if not self._now[address]:
                del self._now[address]
