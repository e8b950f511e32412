"""The two kinds of connections, as uvicorn has them, within limits: what is sent, how fast, and how much waits.

A request has to come within time, its head and body within bytes; whoever does not read the answers is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

from parlour.protocol import Problem
from parlour.server.guard import Guard
from parlour.server.limits import FRAME_BYTES, REPLAY_BYTES
from parlour.server.outside import Crowded

HEAD_LINES, LINE_BYTES, HEAD_BYTES = 100, 8000, 32 * 1024
TOO_LARGE = f"the head of a request has at most {HEAD_LINES} lines of {LINE_BYTES} bytes, {HEAD_BYTES} in all"
MESSAGE_BYTES = REPLAY_BYTES + 4 * HEAD_BYTES
PIPELINED = 4  # requests that may wait for the answer to the first
HEAD_WITHIN = 10.0  # seconds
BODY_WITHIN = 20.0
NEXT_WITHIN = 15.0  # until the head of the next request on the same connection is there
READ_WITHIN = 10.0  # seconds to read what waits, and longer where it is much:
SLOWEST = 16 * 1024  # bytes a second
CLOSE_WITHIN = 5.0
SENT_BYTES = 256 * 1024  # that the system takes from us for each connection
PIECE = 1024  # bytes of a socket that are looked at together
WAITING = 8  # messages of a socket, after which no more are read
EXTENSION = "parlour.socket"  # in the scope of a socket: see ``SocketConnection.send_now``
AT_ONCE = 4.0  # seconds' worth of messages that may come at once on a socket

# Whoever sends nonsense is told so. It is no news for the log, which they could fill.
QUIET = logging.getLogger("parlour.server.connections")
QUIET.setLevel(logging.ERROR)


class _Watched(asyncio.Protocol):
    """What both kinds have in common: what is written to them has to be read."""

    is_socket: bool
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    guard: Guard
    address: str
    read_by: float | None = None  # when what waits should have been read

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.guard.forget(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.read_by = self.loop.time() + READ_WITHIN + self.transport.get_write_buffer_size() / SLOWEST
        self.guard.note_slow(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.read_by = None
        self.guard.note_swift(self)

    def check_time(self, now: float) -> None:
        if self.transport.is_closing() and self.read_by is None:
            self.read_by = now + CLOSE_WITHIN
        if self.read_by is not None and now > self.read_by:
            self.transport.abort()


class HttpConnection(_Watched, HttpToolsProtocol):
    """A connection that brings HTTP requests."""

    is_socket = False

    def __init__(self, guard: Guard, **given: Any) -> None:
        super().__init__(**given)
        self.guard = guard
        self.logger = QUIET
        self.due: float | None = None  # when what is being sent should be there; None while the answer is ours to give
        self.received = 0  # bytes since the request began
        self.is_in_head = False
        self.is_in_request = False
        self.refusal = (400, "bad_request", "this is not an HTTP request")
        self.read_elsewhere = b""  # what another worker had read before it handed the connection over

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Otherwise the system keeps up to four megabytes for each, whether they are read or not.
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_BYTES)
        self.address = self.guard.address_of(self.client)
        self.due = self.loop.time() + HEAD_WITHIN
        if not self.guard.greet(self):
            self.app = Crowded(self.app)
        if self.read_elsewhere:
            self._read(self.read_elsewhere)

    # From worker to worker.

    def take_back(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self._read(data)

    @property
    def _is_idle(self) -> bool:
        is_answered = self.cycle is None or self.cycle.response_complete
        return is_answered and not self.is_in_request and not self.pipeline

    def handle_websocket_upgrade(self) -> None:
        self.guard.forget(self)
        super().handle_websocket_upgrade()
        del self.parser  # which refers to this one

    # What the parser finds.

    def data_received(self, data: bytes) -> None:
        handover = self.guard.handover
        if handover is None or not self._is_idle or not handover.pass_on(self, data):
            self._read(data)

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        self.received += len(data)
        if self.is_in_head and self.received > HEAD_BYTES:
            self.refuse(431, "too_large", TOO_LARGE)
        elif self.received > MESSAGE_BYTES:
            self.refuse(413, "too_large", f"a request has at most {MESSAGE_BYTES} bytes")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.is_in_request = self.is_in_head = True
        self.received = 0
        if self.due is None:
            self.due = self.loop.time() + HEAD_WITHIN

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.is_in_head:  # what comes after the body would change what was checked before it
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._is_head_too_large():
            self.refusal = (431, "too_large", TOO_LARGE)
            raise ValueError(TOO_LARGE)
        if len(self.pipeline) >= PIPELINED:
            self.refusal = (429, "too_fast", "wait for answers before you send more requests")
            raise ValueError("too many requests at once")
        self.is_in_head = False
        self.due = self.loop.time() + BODY_WITHIN
        super().on_headers_complete()

    def _is_head_too_large(self) -> bool:
        lines = [len(self.url), *(len(name) + len(value) for name, value in self.headers)]
        return len(lines) > HEAD_LINES or max(lines) > LINE_BYTES or sum(lines) > HEAD_BYTES

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.is_in_request = False
        is_answered = self.cycle is not None and self.cycle.response_complete
        self.due = self.loop.time() + NEXT_WITHIN if is_answered else None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.is_in_request and not self.pipeline:
            self.due = self.loop.time() + NEXT_WITHIN

    # What is refused.

    def check_time(self, now: float) -> None:
        super().check_time(now)
        if self.due is None or now <= self.due or self.transport.is_closing():
            return
        if self.is_in_request:
            self.refuse(408, "bad_request", "the request did not come to its end in time")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self.refuse(*self.refusal)

    def refuse(self, status: int, code: str, message: str) -> None:
        """Say why, unless an answer is under way already; and end it."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
            return
        body = msgspec.json.encode(Problem(code, message))
        again = "retry-after: 1\r\n" if status == 429 else ""
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n{again}connection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + head.encode() + body)
        self.transport.close()


def receive(make: Callable[[], HttpConnection]) -> None:
    """Take the connections that other workers hand over, from now on. ``make`` makes one."""

    def take(connection: socket.socket, data: bytes) -> None:
        made = make()
        made.read_elsewhere = data
        taking = made.loop.create_task(made.loop.connect_accepted_socket(lambda: made, connection))
        made.server_state.tasks.add(taking)  # type: ignore[arg-type]
        taking.add_done_callback(made.server_state.tasks.discard)

    handover = make().guard.handover
    if handover is not None:
        handover.open(take)


class SocketConnection(_Watched, WebSocketsSansIOProtocol):
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
        self.address = self.guard.address_of(self.client)
        self.accepted_by = self.loop.time() + HEAD_WITHIN
        self.guard.greet(self)

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
        # By a weak reference, so that a connection that is gone leaves nothing behind.
        self.scope["extensions"][EXTENSION] = {"connection": weakref.ref(self)}

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
        """Count messages that have come. Whoever sends too many is told so, and that is the end."""
        now = self.loop.time()
        self.messages = min(AT_ONCE * self.rate, self.messages + (now - self.last) * self.rate) - messages
        self.last = now
        if self.messages < 0:
            self._fail(1008, "too many messages at once")
        return self.messages >= 0

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
