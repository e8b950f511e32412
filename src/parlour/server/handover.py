"""Hands connections over to the workers that their tables belong to: the open socket itself, and what was read of it.

Whoever opens a table, or looks at the list of tables, goes to each worker in turn: the system gives most connections to
one of them, and then the others would have nothing to do.

Every worker listens at a socket of the system, in the folder that all workers of a server share. The other end of a
connection notices nothing. Nothing is handed to a worker that stands still. What it does not take in time is answered
by whoever handed it over, as is whatever cannot be handed over at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
import socket
import time
from collections import deque
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Protocol

from parlour.server.placement import BEAT, Placement

TABLE = re.compile(rb"[A-Z]+ [^ ?]*/api/tables/([A-Za-z0-9_-]{1,32})[/? ]")  # in the first line of a request
ANYWHERE = re.compile(rb"(?:POST [^ ?]*/api/(?:tables|pairings)/?|GET [^ ?]*/api/lobby/live)[? ]")
MOST_BYTES = 60_000  # of what was read already, that go along
WAITING = 1000  # connections that may wait for a worker to take them
TAKEN_WITHIN = 0.5  # seconds
LOOK = 0.02  # seconds between two looks at what has been taken

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
        self._arrived: Arrived | None = None

    def open(self, arrived: Arrived) -> None:
        """Take what others hand over, from now on."""
        if self._arrived is None:
            self._arrived = arrived
            self._beat()

    def close(self) -> None:
        """Take nothing any more: this process ends. What was not taken is answered by whoever handed it over."""
        place, self._arrived = self.placement.place, None
        if self._inbox is not None and place is not None and self.placement.beats is not None:
            self.placement.beats.end(place)
            asyncio.get_running_loop().remove_reader(self._inbox)
            self._inbox.close()

    def _beat(self) -> None:
        """Say that this worker goes on. Its place may only now have become free."""
        if self._arrived is None:
            return
        if self._inbox is None and self.placement.place is not None:
            self._open_inbox(self._path(self.placement.place), self._arrived)
        self.placement.beat()
        asyncio.get_running_loop().call_later(BEAT, self._beat)

    def _open_inbox(self, path: Path, arrived: Arrived) -> None:
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
                data, files, _, _ = socket.recv_fds(inbox, MOST_BYTES, 2)
                if len(files) == 2 and _take(files[1]):
                    arrived(socket.socket(fileno=files.pop(0)), data)
                for file in files:
                    os.close(file)

    def pass_on(self, connection: Handed, data: bytes) -> bool:
        """Hand a connection over, with the beginning of a request, if that is for another worker."""
        place = self._place_for(data) if len(data) <= MOST_BYTES else None
        if place is None or place == self.placement.place:
            return False
        way = self._ways.setdefault(place, _Way(self._path(place)))
        return way.send(connection, data)

    def _place_for(self, data: bytes) -> int | None:
        """The worker that a request is for; nothing where any will do, and where that one stands still."""
        if found := TABLE.match(data):
            place = self.placement.place_of(found[1].decode())
            return place if self.placement.goes_on(place) else None
        if ANYWHERE.match(data):
            turns = (next(self._turns) for _ in range(self.placement.workers))
            return next(filter(self.placement.goes_on, turns), None)
        return None


class _Passing:
    """A connection on its way to another worker.

    Along with it goes one end of a pipe with one byte in it, which is here, too. The connection is with whoever reads
    the byte: so it is never answered twice, even by a worker that stood still and goes on.
    """

    def __init__(self, connection: Handed, data: bytes) -> None:
        self.connection = connection
        self.data = data
        self.until = time.monotonic() + TAKEN_WITHIN
        self._byte: int | None = None

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.until

    def send(self, way: socket.socket) -> None:
        if self._byte is None:
            self._byte, end = os.pipe()
            os.set_blocking(self._byte, False)
            os.write(end, b"x")
            os.close(end)
        if not self.connection.transport.is_closing():
            file = self.connection.transport.get_extra_info("socket").fileno()
            socket.send_fds(way, [self.data], [file, self._byte])

    @property
    def is_taken(self) -> bool:
        if self._byte is None:
            return False
        look = select.poll()
        look.register(self._byte, select.POLLIN)
        return not any(event & select.POLLIN for _, event in look.poll(0))

    def let_go(self) -> None:
        """The other worker has it now: here only, it ends."""
        self.connection.transport.abort()
        self._close()

    def take_back(self) -> None:
        """Answer it here, unless the other worker has just taken it after all."""
        if self._byte is not None and not _take(self._byte):
            self.let_go()
        else:
            self._close()
            self.connection.take_back(self.data)

    def _close(self) -> None:
        if self._byte is not None:
            os.close(self._byte)
            self._byte = None


class _Way:
    """The way to one other worker."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._waiting: deque[_Passing] = deque()
        self._sent: deque[_Passing] = deque()
        self._looks = False  # whether a look is to come

    def send(self, connection: Handed, data: bytes) -> bool:
        if len(self._waiting) + len(self._sent) >= WAITING or not self._connect():
            return False
        connection.transport.pause_reading()
        if not self._looks:
            self._look_later()
        self._waiting.append(_Passing(connection, data))
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
        if self._socket is None:
            return
        loop = asyncio.get_running_loop()
        loop.remove_writer(self._socket)
        while self._waiting:
            try:
                self._waiting[0].send(self._socket)
            except BlockingIOError:
                loop.add_writer(self._socket, self._flush)
                return
            except OSError:
                self._give_up()
                return
            self._sent.append(self._waiting.popleft())

    def _give_up(self) -> None:
        """The other worker has died: what waits is answered here."""
        assert self._socket is not None
        self._socket.close()
        self._socket = None
        waiting, self._waiting = self._waiting, deque()
        for one in waiting:
            one.take_back()

    def _look_later(self) -> None:
        self._looks = True
        asyncio.get_running_loop().call_later(LOOK, self._look)

    def _look(self) -> None:
        """What the other worker has taken is its own. What it has not taken in time is answered here."""
        while self._waiting and self._waiting[0].is_late:
            self._waiting.popleft().take_back()
        sent, self._sent = self._sent, deque()
        for one in sent:
            if one.is_taken:
                one.let_go()
            elif one.is_late:
                one.take_back()
            else:
                self._sent.append(one)
        self._looks = False
        if self._waiting or self._sent:
            self._look_later()


def _take(byte: int) -> bool:
    """Read the byte that says whose a connection is; whether it was still there."""
    try:
        return bool(os.read(byte, 1))
    except BlockingIOError:
        return False
