"""What all connections have in common: whom they count for, and that what is written to them has to be read."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from typing import Any

from parlour.server.http.guard import PROXY, Guard
from parlour.server.people.forwarded import scheme_of
from parlour.server.people.limits import counted_as

READ_WITHIN = 10.0  # seconds to read what waits, and longer where it is much:
SLOWEST = 16 * 1024  # bytes a second
CLOSE_WITHIN = 5.0


class Watched(asyncio.Protocol):
    """A connection, watched over by the guard."""

    is_socket: bool
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    client: tuple[str, int] | None
    guard: Guard
    address: str  # that it counts for; where it comes from a proxy, that of the request
    is_proxied: bool
    read_by: float | None = None  # when what waits should have been read
    is_ending = False  # whether the server has been told to stop
    end_wait: Callable[[], None] | None = None  # ends what its request waits for

    def take_place(self) -> bool:
        """Be watched and counted. Returns whether there is room."""
        self.reference = weakref.ref(self)  # weak, so that a closed connection is freed at once
        self.address = self.guard.address_of(self.client)
        self.is_proxied = self.address == PROXY
        return self.guard.greet(self)

    def read_proxy(self, scope: Any) -> str:
        """The address that a request counts for where a proxy has passed it on; it is written into the scope, too."""
        if told := self.guard.proxies.client(scope["headers"]):
            scope["client"] = told, 0
        if scheme := scheme_of(scope["headers"]):
            scope["scheme"] = scheme.replace("http", "ws") if self.is_socket else scheme
        return counted_as(scope["client"][0])

    def make_way(self) -> None:
        self.transport.abort()

    def note_refusal(self) -> None:
        """A request was refused that this connection brought."""
        self.guard.note_refusal(self.address)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.guard.forget(self)
        if self.end_wait is not None:
            self.end_wait()

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
