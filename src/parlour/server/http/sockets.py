"""The connections that have become WebSockets, as uvicorn has them, within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

from parlour.server.http.guard import Guard
from parlour.server.http.middleware import EXTENSION
from parlour.server.http.watched import CLOSE_WITHIN, Watched
from parlour.server.people.limits import FRAME_BYTES

HEAD_WITHIN = 10.0  # seconds
PIECE = 1024  # bytes that are looked at together
WAITING = 8  # messages, after which no more are read
AT_ONCE = 4.0  # seconds' worth of messages that may come at once


class SocketConnection(Watched, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    is_socket = True

    def __init__(self, guard: Guard, **given: Any) -> None:
        super().__init__(**given)
        self.guard = guard
        self.close_timeout = CLOSE_WITHIN  # until the other end has answered that it is closed
        self.rate = guard.config.messages_per_second
        self.messages = AT_ONCE * self.rate  # that may come at once, at the time of the last ones
        self.last = self.loop.time()
        self.is_between_frames = True  # whether what comes next is the beginning of a frame, for certain

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.accepted_by = self.loop.time() + HEAD_WITHIN
        self.take_place()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # which refers to the object that has it

    def check_time(self, now: float) -> None:
        super().check_time(now)
        if not self.handshake_complete and now > self.accepted_by:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a text that is there as a whole, as almost all are, past the library, which takes longer by far."""
        is_open = self.is_between_frames and self.conn.state is State.OPEN and not self.transport.is_closing()
        if is_open and (start := _start_of_text(data)):
            if self._may_send(1):
                self._pass_on(apply_mask(data[start:], data[start - 4 : start]), is_text=True)
            return
        if self.handshake_complete:
            self.is_between_frames = self.is_between_frames and _is_control_frame(data)
        self._read_pieces(data)

    def _read_pieces(self, data: bytes) -> None:
        """Take the data in pieces: thousands of empty messages may come at once."""
        for first in range(0, len(data), PIECE):
            if not self.transport.is_closing():
                super().data_received(data[first : first + PIECE])

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # otherwise it is refused already
            self.scope["extensions"][EXTENSION] = {"connection": self.reference}
            if self.is_proxied:
                self.address = self.read_proxy(self.scope)

    def send_now(self, texts: Iterable[bytes]) -> bool:
        """Send texts at once, all in one piece. False if they have to wait, or cannot be sent: then ``send`` says why.

        A move is told to everybody at a table, and to go through the framework costs more than to make what is told.
        """
        if not self.writable.is_set() or self.close_sent or self.conn.state is not State.OPEN:
            return False
        if self.transport.is_closing():
            return False
        self.transport.write(b"".join([part for text in texts for part in (_frame_head(len(text)), text)]))
        return True

    def send_receive_event_to_app(self) -> None:
        data, self.frames = b"".join(self.frames), []
        if not self.close_sent:
            self._pass_on(data, is_text=self.curr_msg_data_type == "text")

    def _pass_on(self, data: bytes, *, is_text: bool) -> None:
        """What is not UTF-8 ends the socket, without a word in the log. Reading goes on while few messages wait."""
        event: Any = {"type": "websocket.receive", "bytes": data}
        if is_text:
            try:
                event = {"type": "websocket.receive", "text": data.decode()}
            except UnicodeDecodeError:
                self._fail(1007, "this is not UTF-8")
                return
        self.queue.put_nowait(event)
        if self.queue.qsize() > WAITING and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_events(self) -> None:
        if self._may_send(len(self.conn.events)):
            super().handle_events()

    def _may_send(self, messages: int) -> bool:
        """Count messages that have come. Whoever sends too many is told so, and that is the end.

        The same for an address whose sockets send too many together: hundreds of them, each within its own limit, would
        leave the server no time for others.
        """
        now = self.loop.time()
        self.messages = min(AT_ONCE * self.rate, self.messages + (now - self.last) * self.rate) - messages
        self.last = now
        if self.messages < 0:
            self._fail(1008, "too many messages at once")
            return False
        if not self.guard.may_say(self.address, messages):
            self.note_refusal()
            self._fail(1008, "too many messages from your address at once")
            return False
        return True

    def _fail(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def _start_of_text(data: bytes) -> int:
    """Where the text begins if the data is one masked frame with a whole text; otherwise 0."""
    if len(data) < 6 or data[0] != 0x81:
        return 0
    if data[1] == 0xFE:
        size = int.from_bytes(data[2:4])
        return 8 if len(data) == 8 + size and size <= FRAME_BYTES else 0
    return 6 if data[1] != 0xFF and len(data) == 6 + data[1] - 0x80 else 0  # 0xFF: the size is in the next eight bytes


def _is_control_frame(data: bytes) -> bool:
    """Whether the data is one masked frame of the kind that may come between others: a ping, a pong, the end."""
    return len(data) >= 6 and data[0] & 0x88 == 0x88 and len(data) == 6 + data[1] - 0x80


def _frame_head(size: int) -> bytes:
    """What comes before a text of so many bytes in a WebSocket (RFC 6455, 5.2): one frame, not masked."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2) if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8)
