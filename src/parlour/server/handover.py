"""Hands connections over to the workers that their tables belong to: the open socket itself, and what was read of it.

Whoever opens a table, or looks at the list of tables, goes to each worker in turn: the system gives most connections to
one of them, and then the others would have nothing to do.

Every worker listens at a socket of the system, in the folder that all workers of a server share. The other end of a
connection notices nothing. Whatever cannot be handed over is answered by whoever has it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import socket
from collections import deque
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Protocol

from parlour.server.placement import Placement

LOG = logging.getLogger("parlour.server")
TABLE = re.compile(rb"[A-Z]+ [^ ?]*/api/tables/([A-Za-z0-9_-]{1,32})[/? ]")  # in the first line of a request
ANYWHERE = re.compile(rb"(?:POST [^ ?]*/api/(?:tables|pairings)/?|GET [^ ?]*/api/lobby/live)[? ]")
MOST_BYTES = 60_000  # of what was read already, that go along
WAITING = 1000  # connections that may wait for a worker to take them

Arrived = Callable[[socket.socket, bytes], None]


class Handed(Protocol):
    """A connection that can be handed over."""

    transport: asyncio.Transport

    def take_back(self, data: bytes) -> None:
        """It could not be handed over after all."""


class Handover:
    """The ways to the other workers, and the way from them."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self._ways: dict[int, _Way] = {}
        self._turns = cycle(range(placement.workers))
        self._inbox: socket.socket | None = None

    def open(self, arrived: Arrived) -> None:
        """Take what others hand over, from now on."""
        place = self.placement.place
        if self._inbox is not None or place is None:
            return
        path = self._path(place)
        path.unlink(missing_ok=True)
        self._inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._inbox.setblocking(False)
        self._inbox.bind(str(path))
        asyncio.get_running_loop().add_reader(self._inbox, self._read, self._inbox, arrived)

    def _path(self, place: int) -> Path:
        assert self.placement.folder is not None
        return self.placement.folder / f"place-{place}.socket"

    def _read(self, inbox: socket.socket, arrived: Arrived) -> None:
        with contextlib.suppress(BlockingIOError):
            while True:
                data, files, _, _ = socket.recv_fds(inbox, MOST_BYTES, 1)
                for file in files:
                    arrived(socket.socket(fileno=file), data)

    def pass_on(self, connection: Handed, data: bytes) -> bool:
        """Hand a connection over, with the beginning of a request, if that is for another worker."""
        place = self._place_for(data) if len(data) <= MOST_BYTES else None
        if place is None or place == self.placement.place:
            return False
        way = self._ways.setdefault(place, _Way(self._path(place)))
        return way.send(connection, data)

    def _place_for(self, data: bytes) -> int | None:
        """The worker that a request is for; nothing where any will do."""
        if found := TABLE.match(data):
            return self.placement.place_of(found[1].decode())
        return next(self._turns) if ANYWHERE.match(data) else None


class _Way:
    """The way to one other worker."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._waiting: deque[tuple[Handed, bytes]] = deque()

    def send(self, connection: Handed, data: bytes) -> bool:
        if len(self._waiting) >= WAITING or not self._connect():
            return False
        connection.transport.pause_reading()
        self._waiting.append((connection, data))
        self._flush()
        return True

    def _connect(self) -> bool:
        if self._socket is not None:
            return True
        way = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        way.setblocking(False)
        try:
            way.connect(str(self._path))
        except OSError:  # that worker has not begun yet, or has died
            way.close()
            return False
        self._socket = way
        return True

    def _flush(self) -> None:
        """Send what waits, as far as the other worker takes it."""
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        loop.remove_writer(self._socket)
        while self._waiting:
            connection, data = self._waiting[0]
            if not connection.transport.is_closing():
                try:
                    file = connection.transport.get_extra_info("socket").fileno()
                    socket.send_fds(self._socket, [data], [file])
                except BlockingIOError:
                    loop.add_writer(self._socket, self._flush)
                    return
                except OSError:
                    self._give_up()
                    return
                connection.transport.abort()  # here only: the other worker has it now
            self._waiting.popleft()

    def _give_up(self) -> None:
        """The other worker has died: what waits is answered here."""
        assert self._socket is not None
        self._socket.close()
        self._socket = None
        waiting, self._waiting = self._waiting, deque()
        for connection, data in waiting:
            connection.take_back(data)
