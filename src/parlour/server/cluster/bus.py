"""How processes that serve the same tables wake each other. A message is a signal; the store is the truth.

With Redis, a change is known everywhere at once. Without it, or while it is down, each process looks at the store a few
times a second: slower, and just as right. Others who can reach Redis cannot pass for one of our processes: messages are
signed with a key from the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from redis.asyncio import Redis

LOG = logging.getLogger("parlour.server")
CHANNEL = "parlour:2"
RETRY = 1.0
TICK = 0.5  # seconds between two messages to oneself
SILENCE = 2.0  # seconds without any message, after which Redis counts as down
SAYS_NOTHING = "it says nothing"
GATHER = 0.05  # seconds in which signals are gathered into one message, which costs as much as a move
CODE_BYTES = 16


class Signal(msgspec.Struct, frozen=True):
    """A table has moved on to entry ``number``, or seats are here. Without a table: only a sign of life."""

    process: str
    table_id: str = ""
    number: int = 0
    here: list[int] = []


_decode = msgspec.json.Decoder(Signal | list[Signal]).decode


class Bus:
    """Hints to and from other processes."""

    def __init__(self, address: str, process: str, heard: Callable[[Signal], Awaitable[None]]) -> None:
        self.process = process
        self.is_up = False
        self.key = b""  # that all processes of one store share
        self._heard = heard
        self._redis: Redis | None = None
        self._failures: tuple[type[Exception], ...] = ()
        if address:
            self._redis, self._failures = _connect(address)
        self._tasks: list[asyncio.Task[None]] = []
        self._gathered: dict[str, Signal] = {}  # what is to be told, by table
        self._telling: set[asyncio.Task[None]] = set()
        self._last = 0.0  # when something was last heard

    def open(self) -> None:
        if self._redis is not None:
            self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._watch())]

    async def close(self) -> None:
        for task in [*self._tasks, *self._telling]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self._redis is not None:
            with contextlib.suppress(*self._failures):
                await asyncio.wait_for(self._redis.aclose(), RETRY)

    def tell(self, table_id: str = "", number: int = 0, here: list[int] | None = None) -> None:
        """Signal to the others, if they can be reached."""
        if self._redis is None or not self.is_up:
            return
        if not self._gathered:
            asyncio.get_running_loop().call_later(GATHER, self._tell_gathered)
        before = self._gathered.get(table_id)
        self._gathered[table_id] = Signal(self.process, table_id, number, here or (before.here if before else []))

    def _tell_gathered(self) -> None:
        gathered, self._gathered = list(self._gathered.values()), {}
        self._publish_soon(gathered)

    def _publish_soon(self, signals: list[Signal]) -> None:
        task = asyncio.create_task(self._publish(signals))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _publish(self, signals: list[Signal]) -> None:
        assert self._redis is not None
        packed = msgspec.json.encode(signals if len(signals) > 1 else signals[0])
        with contextlib.suppress(*self._failures):
            await asyncio.wait_for(self._redis.publish(CHANNEL, self._code(packed) + packed), SILENCE)

    def _code(self, packed: bytes) -> bytes:
        return hmac.digest(self.key, packed, hashlib.sha256)[:CODE_BYTES]

    async def _listen(self) -> None:
        """Listen to signals as long as the process lives, even if Redis goes away and comes back."""
        while True:
            try:
                await self._hear()
            except TimeoutError:
                self._set(up=False, why=SAYS_NOTHING)
            except Exception as error:  # whatever the library makes of a bad line
                self._set(up=False, why=str(error) or type(error).__name__)
            await asyncio.sleep(RETRY)

    async def _hear(self) -> None:
        """Hear signals until the connection is lost, or nothing comes by way of it any more: then another is needed."""
        assert self._redis is not None
        async with self._redis.pubsub() as pubsub:
            async with asyncio.timeout(SILENCE):
                await pubsub.subscribe(CHANNEL)
            while True:
                async with asyncio.timeout(SILENCE):
                    message = await pubsub.get_message(timeout=None)
                self._last = time.monotonic()
                self._set(up=True)
                if message is not None and message["type"] == "message":
                    await self._take(message["data"])

    async def _watch(self) -> None:
        """Send signals to oneself: if even these do not arrive, Redis counts as down."""
        while True:
            await asyncio.sleep(TICK)
            if self.is_up and time.monotonic() - self._last > SILENCE:
                self._set(up=False, why=SAYS_NOTHING)
            self._publish_soon([Signal(self.process)])

    async def _take(self, message: bytes) -> None:
        code, packed = message[:CODE_BYTES], message[CODE_BYTES:]
        if not hmac.compare_digest(code, self._code(packed)):
            return  # somebody else uses our channel
        try:
            found = _decode(packed)
        except msgspec.MsgspecError:
            return  # of another version, perhaps; it was only a signal
        for signal in found if isinstance(found, list) else [found]:
            if signal.process != self.process and signal.table_id:
                await self._follow(signal)

    async def _follow(self, signal: Signal) -> None:
        try:
            await self._heard(signal)
        except Exception as error:  # one bad table never harms another; the next look at the store tells
            LOG.warning("table %s: a signal could not be followed: %s", signal.table_id, error or type(error).__name__)

    def _set(self, *, up: bool, why: str = "") -> None:
        if up != self.is_up:
            self.is_up = up
            if up:
                LOG.info("redis is up")
            else:
                LOG.warning("redis is down: looking at the store instead (%s)", why)


def _connect(address: str) -> tuple[Redis, tuple[type[Exception], ...]]:
    """The library comes with an extra: it is loaded where an address says that it is needed. Also, what can fail."""
    import redis.asyncio

    found = redis.asyncio.from_url(address, socket_timeout=None, socket_connect_timeout=2)
    return found, (redis.RedisError, OSError, TimeoutError)
