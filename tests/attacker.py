"""Somebody who means no good: raw connections to a server on this machine, within bounds."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parlour.server.basics.config import Config
from serving import ROOMY, Server

# What a server has where nothing is set, unlike the servers of other tests.
STRICT: dict[str, Any] = {name: getattr(Config(), name) for name in ROOMY} | {"warm": False}
HOST = b"Host: 127.0.0.1\r\n"
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n" % (
    b"dGhlIHNhbXBsZSBub25jZQ=="
)


@dataclass
class Attacker:
    """Comes from an address of its own: all of 127.0.0.0/8 is this machine.

    With ``forwarded`` that is a proxy's, which says that it passes on what comes from there.
    """

    server: Server
    address: str = "127.0.0.66"
    forwarded: str = ""
    opened: list[socket.socket] = field(default_factory=list)
    port: int = 0  # of a proxy in between; nothing: the server's own

    def request(self, path: str, first: str = "GET") -> bytes:
        """The head of a request, which more lines can follow."""
        told = f"X-Forwarded-For: {self.forwarded}\r\n" if self.forwarded else ""
        return f"{first} {path} HTTP/1.1\r\n{told}".encode() + HOST

    def connect(self, first: bytes = b"", *, reads: bool = True) -> socket.socket:
        connection = socket.socket()
        connection.settimeout(10)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        if not reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.bind((self.address, 0))
        connection.connect(("127.0.0.1", self.port or self.server.port))
        connection.sendall(first)
        self.opened.append(connection)
        return connection

    def upgrade(self, path: str) -> socket.socket:
        """A WebSocket, without anything that minds it."""
        connection = self.connect(self.request(path) + UPGRADE + b"\r\n", reads=False)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        assert b" 101 " in head, head
        return connection

    def get(self, path: str) -> bytes:
        return self.ask(self.request(path) + b"\r\n")

    def ask(self, request: bytes) -> bytes:
        """The answer, on a connection of its own; nothing if that just ends."""
        connection = self.connect()
        with self.opened.pop(), contextlib.suppress(ConnectionError):
            connection.sendall(request)
            return answer(connection)
        return b""

    def leave(self) -> None:
        for connection in self.opened:
            connection.close()
        self.opened.clear()


def answer(connection: socket.socket, read: bytes = b"") -> bytes:
    """The whole answer, of which ``read`` was read; or as much as there is before the connection ends."""
    with contextlib.suppress(ConnectionError):
        while more := connection.recv(65536):
            read += more
            head, end, body = read.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            if end and length and len(body) >= int(length[1]):
                break
    return read


def flood(connection: socket.socket, chunk: bytes, most: int) -> int:
    """Send it again and again; returns how many bytes went out before the other end had enough, or ``most``."""
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < most:
            connection.sendall(chunk)
            sent += len(chunk)
    return sent


def is_closed(connection: socket.socket) -> bool:
    """Whether the other end has closed it, read or not."""
    connection.settimeout(0.01)
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def frame(kind: int, content: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame of a WebSocket, as clients send them."""
    size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + struct.pack("!H", len(content))
    return bytes([kind | (0x80 if is_last else 0)]) + size + bytes(4) + content


def memory(server: Server) -> int:
    """Bytes that the server's process has in memory."""
    assert server.process is not None
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096
