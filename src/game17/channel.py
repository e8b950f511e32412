"""Messages between a game and a bot's process: a kind, a length, and that many bytes. Nothing is ever unpickled."""

from __future__ import annotations

import select
import socket
import struct
import time

HEAD = struct.Struct("<II")
LARGEST = 1 << 20
PART = 1 << 16

READY, BEGIN, ASK, MOVES, LOST = range(5)


class Closed(Exception):
    """The other end is gone, or says what makes no sense."""


class TooLate(Exception):
    """No answer by the deadline."""


class Channel:
    """One end of a stream of messages."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)
        self._read = b""

    def send(self, kind: int, body: bytes = b"") -> None:
        try:
            self._end.sendall(HEAD.pack(kind, len(body)) + body)
        except OSError:
            raise Closed from None

    def receive(self, seconds: float | None = None) -> tuple[int, bytes]:
        """The next message."""
        deadline = None if seconds is None else time.monotonic() + seconds
        self._read_up_to(HEAD.size, deadline)
        kind, length = HEAD.unpack_from(self._read)
        if kind > LOST or length > LARGEST:
            raise Closed
        self._read_up_to(HEAD.size + length, deadline)
        body, self._read = self._read[HEAD.size : HEAD.size + length], self._read[HEAD.size + length :]
        return kind, body

    def _read_up_to(self, size: int, deadline: float | None) -> None:
        while len(self._read) < size:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not self._poll.poll(left * 1000):
                    raise TooLate
            try:
                part = self._end.recv(PART)
            except OSError:
                part = b""
            if not part:
                raise Closed
            self._read += part

    def close(self) -> None:
        self._end.close()
