"""A WebSocket client that costs little, so that what is measured is the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Socket(asyncio.Protocol):
    """One WebSocket. ``heard`` gets every text as bytes; ``lost`` is called once when the connection is gone."""

    def __init__(
        self, path: str, heard: Callable[[bytes], None], lost: Callable[[], None] = lambda: None, headers: str = ""
    ) -> None:
        """``headers`` are more lines for the head of the request, each with its end."""
        self._path = path
        self._headers = headers
        self._heard = heard
        self._lost = lost
        self._rest = b""  # the beginning of a frame whose end has not come
        self._transport: asyncio.Transport | None = None
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        request = (
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n{self._headers}\r\n"
        )
        self._transport.write(request.encode())

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        if not self._is_open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.cut()
                return
            self._is_open = True
            if not self.opened.done():
                self.opened.set_result(None)
        self._take_frames(data)

    def _take_frames(self, data: bytes) -> None:
        """Take all frames that are there as a whole. Servers do not mask, and ours sends no fragments."""
        first, size = 0, len(data)
        while first + 2 <= size:
            length, start = data[first + 1], first + 2
            if length == 126:
                length, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif length == 127:
                length, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            if start + length > size:
                break
            self._take_frame(data[first] & 15, data[start : start + length])
            first = start + length
        self._rest = data[first:]

    def _take_frame(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            self._heard(payload)
        elif opcode == PING:
            self._send(PONG, payload)
        elif opcode == CLOSE:
            self.cut()

    def say(self, text: bytes) -> None:
        self._send(TEXT, text)

    def _send(self, opcode: int, payload: bytes) -> None:
        """A mask of zeros is a mask, and leaves the text as it is."""
        if self._transport is None:
            return
        size = len(payload)
        head = bytes((0x80 | opcode, 0x80 | size)) if size < 126 else bytes((0x80 | opcode, 0xFE)) + size.to_bytes(2)
        self._transport.write(head + bytes(4) + payload)

    def deafen(self) -> None:
        """Read nothing any more, and let the server find out by itself."""
        if self._transport is not None:
            self._transport.pause_reading()

    def cut(self) -> None:
        """End the connection without a word."""
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server did not open the socket"))
        self._lost()


async def connect(
    url: str,
    path: str,
    heard: Callable[[bytes], None],
    lost: Callable[[], None] = lambda: None,
    *,
    source: str | None = None,
    headers: str = "",
) -> Socket:
    """A socket to the server at ``url``, open."""
    address = urlsplit(url)
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(path, heard, lost, headers),
        address.hostname or "127.0.0.1",
        address.port or 80,
        local_addr=(source, 0) if source else None,
    )
    try:
        await socket.opened
    except asyncio.CancelledError:  # whoever waits has lost patience
        socket.cut()
        raise
    return socket
