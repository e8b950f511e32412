"""However the bytes of a socket come in, the same messages are heard."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from parlour.server.basics.config import load
from parlour.server.http.guard import Guard
from parlour.server.http.sockets import SocketConnection
from parlour.server.people.limits import FRAME_BYTES

HEAD = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, MORE, BINARY, CLOSE, PING, PONG = 0x81, 0x80, 0x82, 0x88, 0x89, 0x8A
MASK = b"\x01\x80\x7f\xff"


def frame(first: int, payload: bytes) -> bytes:
    size = len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2)
    return head + MASK + bytes(byte ^ MASK[place % 4] for place, byte in enumerate(payload))


class Wire(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


async def listen(*chunks: bytes) -> tuple[list[Any], bytes]:
    """The messages that an application hears, and what is written to the socket after it was accepted."""
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            heard.append(event.get("text", event.get("bytes")))
        heard.append(event["code"])

    config = uvicorn.Config(app, ws_max_size=FRAME_BYTES, ws_per_message_deflate=False, log_level="error")
    config.load()
    guard = Guard(load({}, environment={}), 10)
    connection, wire = SocketConnection(guard, config=config, server_state=ServerState(), app_state={}), Wire()
    connection.connection_made(wire)
    connection.data_received(HEAD)
    while not connection.handshake_complete:
        await asyncio.sleep(0)
    accepted = len(wire.written)
    for chunk in chunks:
        connection.data_received(chunk)
        for _ in range(3):
            await asyncio.sleep(0)
    connection.connection_lost(None)
    while connection.tasks:
        await asyncio.sleep(0)
    return heard, wire.written[accepted:]


LONG = "long ä " * 100
STREAM = [
    frame(TEXT, b"one"),
    frame(PONG, b"nobody asked"),
    frame(TEXT, LONG.encode()),
    frame(TEXT, b""),
    frame(0x01, b"in "),
    frame(PING, b"are you there?"),
    frame(MORE, b"parts"),
    frame(BINARY, b"\xff"),
    frame(TEXT, b"last"),
]
HEARD = ["one", LONG, "", "in parts", b"\xff", "last"]
ANSWERED = bytes((PONG, 14)) + b"are you there?"


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 7, 64, 10_000])
def test_messages_are_the_same_in_pieces_of_any_size(size: int) -> None:
    whole = b"".join(STREAM)
    pieces = [whole[first : first + size] for first in range(0, len(whole), size)] if size else STREAM
    heard, written = asyncio.run(listen(*pieces))
    assert heard[: len(HEARD)] == HEARD
    assert written == ANSWERED


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (frame(TEXT, b"\xff"), 1007),
        (frame(TEXT, b"a" * (FRAME_BYTES + 1)), 1009),
        (bytes((TEXT, 0xFF)) + (2 * FRAME_BYTES).to_bytes(8) + bytes(123), 1009),  # the first 133 bytes of more
        (bytes((TEXT, 3)) + b"one", 1002),  # it is not masked
        (frame(0xC1, b"one"), 1002),  # it is packed in a way that was not agreed on
        (frame(CLOSE, (1000).to_bytes(2)), 1000),
    ],
)
def test_what_is_wrong_ends_the_socket(bad: bytes, code: int) -> None:
    heard, written = asyncio.run(listen(frame(TEXT, b"one"), bad, frame(TEXT, b"two")))
    assert heard == ["one", code]
    assert written[0] == CLOSE
    assert int.from_bytes(written[2:4]) == code


def test_a_text_among_the_parts_of_another_ends_the_socket() -> None:
    heard, _ = asyncio.run(listen(frame(0x01, b"in "), frame(TEXT, b"one"), frame(MORE, b"parts")))
    assert heard == [1002]


def test_too_many_messages_end_the_socket() -> None:
    heard, written = asyncio.run(listen(*[frame(TEXT, b"again")] * 1000))
    assert heard[-1] == 1008
    assert len(heard) < 1000
    assert int.from_bytes(written[2:4]) == 1008
