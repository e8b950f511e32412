"""How processes that serve the same tables wake each other. A message is a hint; the store is the truth.

With Redis, a change is known everywhere at once. Without it, or while it is down, each process looks at the store a few
times a second: slower, and just as right.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

LOG = logging.getLogger("parlour.server")
CHANNEL = "parlour:1"
RETRY = 1.0


class Hint(msgspec.Struct, frozen=True):
    """A table has moved on to entry ``number``, or seats are here."""

    process: str
    table_id: str
    number: int = 0
    here: list[int] = []


class Bus:
    """Hints to and from other processes."""

    def __init__(self, address: str, process: str, heard: Callable[[Hint], Awaitable[None]]) -> None:
        self.process = process
        self.is_up = False
        self._heard = heard
        self._redis = (
            redis.asyncio.from_url(address, socket_timeout=None, socket_connect_timeout=2) if address else None
        )
        self._listening: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        if self._redis is not None:
            self._listening = asyncio.create_task(self._listen())

    async def close(self) -> None:
        for task in [self._listening, *self._telling]:
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        if self._redis is not None:
            with contextlib.suppress(RedisError, OSError):
                await self._redis.aclose()

    def tell(self, table_id: str, number: int = 0, here: list[int] | None = None) -> None:
        """Hint to the others, if they can be reached."""
        if self._redis is not None and self.is_up:
            task = asyncio.create_task(self._publish(Hint(self.process, table_id, number, here or [])))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _publish(self, hint: Hint) -> None:
        assert self._redis is not None
        with contextlib.suppress(RedisError, OSError):
            await self._redis.publish(CHANNEL, msgspec.json.encode(hint))

    async def _listen(self) -> None:
        """Hear hints for as long as the process lives, however often Redis goes and comes."""
        assert self._redis is not None
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    self._set(up=True)
                    async for message in pubsub.listen():
                        if message["type"] == "message":
                            await self._take(message["data"])
            except (RedisError, OSError) as error:
                self._set(up=False, why=str(error))
            await asyncio.sleep(RETRY)

    async def _take(self, packed: bytes) -> None:
        try:
            hint = msgspec.json.decode(packed, type=Hint)
        except msgspec.MsgspecError:
            return  # somebody else uses our channel; it was only a hint
        if hint.process != self.process:
            await self._heard(hint)

    def _set(self, *, up: bool, why: str = "") -> None:
        if up != self.is_up:
            self.is_up = up
            LOG.warning(
                "redis is %s%s", "up" if up else "down: looking at the store instead", f" ({why})" if why else ""
            )
