"""A WebSocket to a server, within limits of time and size, and to that server alone."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Protocol, TypeVar

import websockets
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidStatus, WebSocketException

from parlour.client import limits
from parlour.client.errors import BadAnswer, Unreachable
from parlour.client.retry import GATEWAY

M = TypeVar("M", covariant=True)

NONSENSE = {1002, 1007, 1009}  # why we hang up: not the WebSocket protocol, not UTF-8, too large


class Heard(Protocol[M]):
    """What makes sense of a socket's messages."""

    @property
    def is_waiting(self) -> bool: ...

    @property
    def is_lost(self) -> bool: ...

    def hello(self) -> str | None: ...

    def hear(self, text: bytes) -> M | None: ...


class _Connect(websockets.connect):
    def process_redirect(self, exc: Exception) -> Exception | str:
        """Follow no redirect: hello says the token of a seat, which is for this server alone."""
        return exc


class TooLong(WebSocketException):
    """A message in parts that are too large together. The library would wait for the server's goodbye, for long."""


class Socket:
    """A connection, as a context. It raises one of ``TROUBLE`` when something goes wrong; ``explain`` says what."""

    def __init__(self, address: str) -> None:
        self._connecting = _Connect(address, max_size=(None, limits.MESSAGE_BYTES), close_timeout=limits.CLOSE)

    async def __aenter__(self) -> Socket:
        self._connection = await self._connecting.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connecting.__aexit__(kind, error, trace)

    async def greet(self, stream: Heard[object]) -> None:
        """Say hello; from now on the clock runs until the welcome."""
        self._welcome_by = asyncio.get_running_loop().time() + limits.WELCOME
        if (hello := stream.hello()) is not None:
            await self._connection.send(hello)

    async def receive(self, *, is_waiting: bool) -> bytes:
        """The next message. There may be none for long, unless a welcome is waited for; but once begun, it must end."""
        parts: list[bytes] = []
        size = 0
        async with asyncio.timeout_at(self._welcome_by if is_waiting else None) as limit:
            async for part in self._connection.recv_streaming(decode=False):
                if not parts and not is_waiting:
                    limit.reschedule(asyncio.get_running_loop().time() + limits.MESSAGE)
                parts.append(part)
                size += len(part)
                if size > limits.MESSAGE_BYTES:
                    raise TooLong
        return b"".join(parts)


def explain(error: Exception, server: str) -> Unreachable:
    """Why there is no connection; raises what no other attempt would change."""
    if isinstance(error, InvalidStatus) and error.response.status_code not in GATEWAY:
        status = error.response.status_code
        if 300 <= status < 400:
            raise BadAnswer(f"{server} says that it is elsewhere (HTTP {status}): give that address itself") from error
        raise BadAnswer(f"{server} does not answer as a Parlour server does (HTTP {status})") from error
    if isinstance(error, TooLong) or (isinstance(error, ConnectionClosed) and _hung_up(error)):
        raise BadAnswer(f"{server} says something that is not a message, or is far too long") from error
    if isinstance(error, ConnectionClosedOK):
        return Unreachable(f"{server} has closed the connection")
    lost = isinstance(error, ConnectionClosed)
    return Unreachable(f"the connection to {server} is lost" if lost else f"{server} does not answer")


def _hung_up(error: ConnectionClosed) -> bool:
    """Whether it was us, because of what the server had said."""
    return error.sent is not None and error.sent.code in NONSENSE and not error.rcvd_then_sent


TROUBLE = (OSError, WebSocketException)
