"""Whoever takes too long is shown out, at a server that waits a tenth of the usual time."""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacker import HOST, STRICT, Attacker, frame, is_closed
from serving import Server

POST = b"POST /api/tables HTTP/1.1\r\n" + HOST
HELLO = frame(1, b'{"type": "hello"}')
LATE = {
    "nothing": b"",
    "half a line": b"GET /heal",
    "half a head": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: ",
    "half a body": POST + b"Content-Length: 100\r\n\r\n{",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
    "half a second request": b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /heal",
    "a body that was refused": POST + b"Content-Length: 900000\r\n\r\n" + b" " * 100_000,
}


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("impatient"), **STRICT)
    server.program = (sys.executable, str(Path(__file__).with_name("impatient.py")))
    server.start()
    yield server
    server.close()


def late_ones(attacker: Attacker, table: str) -> dict[str, socket.socket]:
    """Requests that stop in the middle, or trickle; a socket without a hello, and ones that stop within a frame."""
    begun = {name: attacker.connect(sent) for name, sent in LATE.items()}
    begun |= {f"{name}, then a byte now and then": attacker.connect(sent) for name, sent in LATE.items() if sent}
    begun |= {f"socket {number}": attacker.upgrade(f"/api/tables/{table}/live") for number in range(3)}
    begun["socket 1"].sendall(HELLO[:8])
    begun["socket 2"].sendall(HELLO + frame(1, b"x" * 100)[:20])
    return begun


def test_whoever_takes_too_long_is_shown_out(impatient: Server) -> None:
    attacker = Attacker(impatient)
    left = late_ones(attacker, impatient.place.open("goose")["table"]["id"])
    end = time.monotonic() + 9
    while left and time.monotonic() < end:
        for name, connection in list(left.items()):
            if is_closed(connection):
                del left[name]
            elif name.endswith("now and then"):
                with contextlib.suppress(OSError):
                    connection.send(b"a")
        time.sleep(0.05)
    attacker.leave()
    assert left == {}
