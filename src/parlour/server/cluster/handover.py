"""Hands connections over to the workers that their tables belong to: the open socket itself, and what was read of it.

Whoever opens a table, or looks at the list of tables, goes to each worker in turn: the system gives most connections to
one of them, and then the others would have nothing to do.

Every worker listens at a socket of the system, in the folder that all workers of a server share. The other end of a
connection notices nothing. Nothing is handed to a worker that stands still. A connection that is not taken in time,
or cannot be handed over, is answered by the worker that has it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Protocol

from parlour.server.cluster.placement import BEAT, Placement

TABLE = re.compile(rb"[A-Z]+ [^ ?]*/api/tables/([A-Za-z0-9_-]{1,32})[/? ]")  # in the first line of a request
ANYWHERE = re.compile(rb"(?:POST [^ ?]*/api/(?:tables|pairings)/?|GET [^ ?]*/api/lobby/live)[? ]")
MOST_BYTES = 60_000  # of what was read already, that go along
WAITING = 1000  # connections that may wait for a worker to take them
TAKEN_WITHIN = 0.5  # seconds
LOOK = 0.1  # seconds between two looks at what has not been taken

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
                if len(files) == 2 and _claim(files[1]):
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

    Along with it goes one end of a pair of sockets, the other end stays here. The other worker has the connection if it
    could write to its end; whoever takes the connection back closes this one first. So it is never answered twice, even
    by a worker that stood still and goes on.
    """

    def __init__(self, connection: Handed, data: bytes) -> None:
        self.connection = connection
        self.data = data
        self.until = time.monotonic() + TAKEN_WITHIN
        self.claim: socket.socket | None = None

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.until

    def send(self, way: socket.socket) -> socket.socket:
        """Returns what can be read as soon as the other worker has it, or will never have it."""
        ours, theirs = socket.socketpair()
        with contextlib.ExitStack() as unless_sent, theirs:
            unless_sent.enter_context(ours)
            for end in (ours, theirs):
                end.setblocking(False)
            file = self.connection.transport.get_extra_info("socket").fileno()
            socket.send_fds(way, [self.data], [file, theirs.fileno()])
            unless_sent.pop_all()
        self.claim = ours
        return ours

    def finish(self) -> None:
        """If the other worker has taken it, let go of it; otherwise answer it here."""
        is_taken = False
        if self.claim is not None:
            with contextlib.suppress(OSError), self.claim:
                self.claim.shutdown(socket.SHUT_RD)  # from now on, it cannot be taken
                is_taken = bool(self.claim.recv(1))
        if is_taken:
            self.connection.transport.abort()  # here only
        else:
            self.connection.take_back(self.data)


class _Way:
    """The way to one other worker."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._waiting: deque[_Passing] = deque()
        self._sent: dict[_Passing, None] = {}
        self._looks = False  # whether a look is to come

    def send(self, connection: Handed, data: bytes) -> bool:
        if len(self._waiting) + len(self._sent) >= WAITING or not self._connect():
            return False
        connection.transport.pause_reading()
        self._waiting.append(_Passing(connection, data))
        self._flush()
        self._look_later()
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
            first = self._waiting[0]
            if not first.connection.transport.is_closing():
                try:
                    claim = first.send(self._socket)
                except BlockingIOError:
                    loop.add_writer(self._socket, self._flush)
                    return
                except OSError:
                    self._give_up()
                    return
                self._sent[first] = None
                loop.add_reader(claim, self._finish, first)
            self._waiting.popleft()

    def _give_up(self) -> None:
        """The other worker has died: what waits is answered here."""
        assert self._socket is not None
        self._socket.close()
        self._socket = None
        waiting, self._waiting = self._waiting, deque()
        for one in waiting:
            one.finish()

    def _finish(self, one: _Passing) -> None:
        del self._sent[one]
        if one.claim is not None:
            asyncio.get_running_loop().remove_reader(one.claim)
        one.finish()

    def _look_later(self) -> None:
        if not self._looks and (self._waiting or self._sent):
            self._looks = True
            asyncio.get_running_loop().call_later(LOOK, self._look)

    def _look(self) -> None:
        """What the other worker has not taken in time is answered here."""
        self._looks = False
        while self._waiting and self._waiting[0].is_late:
            self._waiting.popleft().finish()
        for one in [one for one in self._sent if one.is_late]:
            self._finish(one)
        self._look_later()


def _claim(file: int) -> bool:
    """Take a connection that was handed over; whether it is still to be had."""
    try:
        return bool(os.write(file, b"x"))
    except OSError:
        return False
