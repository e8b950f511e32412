"""The connections that bring HTTP requests, as uvicorn has them, within limits: what is sent, how fast, how often.

A request has to come within time, its head and body within bytes. ``sockets`` has those that become WebSockets.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, NoReturn

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from parlour.protocol import Problem
from parlour.server.basics.errors import Refusal
from parlour.server.http.guard import PROXY, Guard
from parlour.server.http.middleware import EXTENSION, PROBES, Refusing
from parlour.server.http.watched import Watched
from parlour.server.people.limits import REPLAY_BYTES

HEAD_LINES, LINE_BYTES, HEAD_BYTES = 100, 8000, 32 * 1024
TOO_LARGE = f"the head of a request has at most {HEAD_LINES} lines of {LINE_BYTES} bytes, {HEAD_BYTES} in all"
MESSAGE_BYTES = REPLAY_BYTES + 4 * HEAD_BYTES
PIECES = 2048  # in which a body may come: a megabyte in packets of half the usual size
PIPELINED = 4  # requests that may wait for the answer to the first
HEAD_WITHIN = 10.0  # seconds
BODY_WITHIN = 20.0
NEXT_WITHIN = 15.0  # until the head of the next request on the same connection is there
SENT_BYTES = 256 * 1024  # that the system takes from us for each connection
CROWDED = Refusal("too_many", "there are too many connections just now")
TIRED = Refusal("too_fast", "your address has been refused again and again: wait a little")
ASKED_BY_PROBES = {path.encode() for path in PROBES}

# Whoever sends nonsense is told so. It is no news for the log, which they could fill.
QUIET = logging.getLogger("parlour.server.connections")
QUIET.setLevel(logging.ERROR)


class HttpConnection(Watched, HttpToolsProtocol):
    """A connection that brings HTTP requests."""

    is_socket = False

    def __init__(self, guard: Guard, **given: Any) -> None:
        super().__init__(**given)
        self.guard = guard
        self.logger = QUIET
        self.application = self.app
        self.due: float | None = None  # when what is being sent should be there; None while the answer is ours to give
        self.received = 0  # bytes since the request began
        self.lines = 0  # of its head, and after its body
        self.pieces = 0  # of its body
        self.body: list[bytes] = []  # those that have just come: to join them one by one would copy all again and again
        self.is_new = True  # whether nothing has come yet
        self.is_in_head = False
        self.is_in_request = False
        self.is_turned_away = False  # the request that is being read
        self.is_held = False  # its answer, for a while
        self.is_last = False  # whether the connection ends with that answer
        self.refusal = (400, "bad_request", "this is not an HTTP request")
        self.read_elsewhere = b""  # what another worker had read before it handed the connection over

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Otherwise the system keeps up to four megabytes for each, whether they are read or not.
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_BYTES)
        self.due = self.loop.time() + HEAD_WITHIN
        self.has_room = self.take_place()
        if self.read_elsewhere:
            self._read(self.read_elsewhere)

    def shutdown(self) -> None:
        """The server ends: whoever waits for news is answered now."""
        self.is_ending = True
        if self.end_wait is not None:
            self.end_wait()
        super().shutdown()

    # From worker to worker.

    def take_back(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self._read(data)

    @property
    def _is_idle(self) -> bool:
        return self._is_answered and not self.is_in_request and not self.pipeline

    @property
    def _is_answered(self) -> bool:
        return (self.cycle is None or self.cycle.response_complete) and not self.is_held

    def handle_websocket_upgrade(self) -> None:
        if self.is_turned_away:
            return
        self.guard.forget(self)
        super().handle_websocket_upgrade()
        del self.parser  # which refers to this one

    # What the parser finds.

    def data_received(self, data: bytes) -> None:
        is_new, self.is_new = self.is_new, False
        if is_new and not self.is_proxied and self.guard.is_tired_of(self.address):
            self._turn_away_later()
            return
        handover = self.guard.handover
        if handover is None or not self._is_idle or not handover.pass_on(self, data):
            self._read(data)

    def _turn_away_later(self) -> None:
        """Read nothing of a new connection: who sends nonsense opens one for each piece of it."""
        self.guard.turn_away(self.address)
        wait = self.guard.hold(self.address)
        self.due = self.loop.time() + wait + HEAD_WITHIN
        self.flow.pause_reading()
        self.loop.call_later(wait, self.turn_away, TIRED)

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        self._join_body()
        self.received += len(data)
        if self.is_in_head and self.received > HEAD_BYTES:
            self._refuse_to_read(431, "too_large", TOO_LARGE)
        elif self.received > MESSAGE_BYTES:
            self._refuse_to_read(413, "too_large", f"a request has at most {MESSAGE_BYTES} bytes")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.is_in_request = self.is_in_head = True
        self.received = self.lines = self.pieces = 0
        if self.due is None:
            self.due = self.loop.time() + HEAD_WITHIN

    def on_header(self, name: bytes, value: bytes) -> None:
        self.lines += 1
        if self.lines > HEAD_LINES:  # no more of them is read: tens of thousands may come at once
            self._stop_parsing(431, TOO_LARGE)
        if self.is_in_head:  # what comes after the body would change what was checked before it
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._is_head_too_large():
            self._stop_parsing(431, TOO_LARGE)
        if len(self.pipeline) >= PIPELINED:
            self.refusal = (429, "too_fast", "wait for answers before you send more requests")
            raise ValueError("too many requests at once")
        self.is_in_head = False
        self.due = self.loop.time() + BODY_WITHIN
        if self.is_proxied:
            self.has_room = self.guard.serve(self, self.read_proxy(self.scope))
        self.is_turned_away = self.guard.is_tired_of(self.address)
        if self.is_turned_away:
            self._hold()
            return
        is_served = self.has_room or self.url in ASKED_BY_PROBES
        if not is_served:
            self.note_refusal()
        self.app = self.application if is_served else Refusing(CROWDED, ends=not self.is_proxied)
        self.scope["extensions"] = {EXTENSION: {"connection": self.reference}}
        super().on_headers_complete()

    def _hold(self) -> None:
        """Refuse an address that was refused again and again: with little work, and only after a while.

        If it were told at once, it would ask again at once. Meanwhile nothing is read.
        """
        self.guard.turn_away(self.address)
        if self.is_held:  # it came together with the one before
            self.is_last = True
            return
        if not self._is_answered or self.pipeline:
            self.refusal = (TIRED.status, TIRED.code, str(TIRED))
            raise ValueError(TIRED)
        # A proxy keeps its connection, since it brings others' requests, too. After HEAD, no body may come.
        is_odd = self.parser.should_upgrade() or self.parser.get_method() == b"HEAD"
        self.is_last = not self.is_proxied or is_odd or not self.parser.should_keep_alive()
        self.is_held = True
        self.flow.pause_reading()
        self.loop.call_later(self.guard.hold(self.address), self._let_go)

    def _let_go(self) -> None:
        self.is_held = False
        if self.transport.is_closing():
            return
        if self.is_last:
            self.turn_away(TIRED)
            return
        self.transport.write(TIRED_ANSWER)
        self.flow.resume_reading()
        if self._is_idle:
            self.due = self.loop.time() + NEXT_WITHIN
            self._release()

    def on_body(self, body: bytes) -> None:
        self.pieces += 1
        if self.pieces > PIECES:
            self._stop_parsing(413, f"the body of a request comes in {PIECES} pieces at most")
        if not self.is_turned_away:
            self.body.append(body)

    def _join_body(self) -> None:
        if self.body:
            body, self.body = b"".join(self.body), []
            super().on_body(body)

    def _is_head_too_large(self) -> bool:
        lines = [len(self.url), *(len(name) + len(value) for name, value in self.headers)]
        return max(lines) > LINE_BYTES or sum(lines) > HEAD_BYTES

    def _stop_parsing(self, status: int, message: str) -> NoReturn:
        """What is read of this request ends here, and it is refused."""
        self.refusal = (status, "too_large", message)
        raise ValueError(message)

    def on_message_complete(self) -> None:
        self._join_body()
        if not self.is_turned_away:
            super().on_message_complete()
        self.is_in_request = False
        self.due = None
        if self._is_idle:
            self.due = self.loop.time() + NEXT_WITHIN
            self._release()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.is_in_request and not self.pipeline:
            self.due = self.loop.time() + NEXT_WITHIN
            self._release()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._is_idle:
            self._release()

    def _release(self) -> None:
        """A proxy keeps its connections open. While one waits for the next request, it counts for nobody."""
        if self.is_proxied and self.read_by is None:
            self.guard.release(self)

    # What is refused.

    def make_way(self) -> None:
        """A proxy is told why; it might take a connection that just closes for a failure of this server."""
        if self.is_proxied:
            self.turn_away(CROWDED)
        else:
            super().make_way()

    def check_time(self, now: float) -> None:
        super().check_time(now)
        if self.due is None or now <= self.due or self.transport.is_closing():
            return
        if self.is_in_request:
            self.refuse(408, "bad_request", "the request did not come to its end in time")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self._refuse_to_read(*self.refusal)

    def _refuse_to_read(self, status: int, code: str, message: str) -> None:
        if self.address != PROXY:  # whose it is, a proxy's connection has not said yet
            self.note_refusal()
        self.refuse(status, code, message)

    def turn_away(self, why: Refusal) -> None:
        self.refuse(why.status, why.code, str(why))

    def refuse(self, status: int, code: str, message: str) -> None:
        """Say why, unless an answer is under way already; and end it."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
            return
        self.transport.write(_answer(status, code, message, ends=True))
        self.transport.close()


def _answer(status: int, code: str, message: str, *, ends: bool) -> bytes:
    body = msgspec.json.encode(Problem(code, message))
    more = ("retry-after: 1\r\n" if status == 429 else "") + ("connection: close\r\n" if ends else "")
    head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n{more}\r\n"
    return STATUS_LINE[status] + head.encode() + body


TIRED_ANSWER = _answer(TIRED.status, TIRED.code, str(TIRED), ends=False)


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
