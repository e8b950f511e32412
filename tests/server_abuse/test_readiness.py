"""Whether the server says that it is well when it is, and only then."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

import pytest

from attacker import Attacker, answer
from parlour.server.http.guard import TURNED_AWAY
from serving import Server, until

Broken = Callable[[Server], AbstractContextManager[None]]


def ready(server: Server) -> int:
    return server.place.http.get("/readyz").status_code


@contextmanager
def locked(server: Server) -> Iterator[None]:
    """Somebody else writes, and does not come to an end."""
    with closing(sqlite3.connect(server.folder / "parlour.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def full(server: Server) -> Iterator[None]:
    """To the server it looks as if the disk were full."""
    assert server.process is not None
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, most))
    yield
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))


@pytest.mark.parametrize("broken", [full, locked])
def test_a_server_that_cannot_write_is_not_ready(guarded: Server, broken: Broken) -> None:
    assert until(lambda: ready(guarded) == 200)
    with broken(guarded):
        assert until(lambda: ready(guarded) == 503)
        assert guarded.place.http.get("/healthz").status_code == 200
        assert guarded.place.http.get("/api/tables").status_code == 200, "it can still be read"
    assert until(lambda: ready(guarded) == 200)


@pytest.mark.parametrize("path", ["/readyz", "/healthz", "/metrics"])
def test_how_the_server_is_can_always_be_asked(guarded: Server, path: str) -> None:
    """More often than any balancer does."""
    codes = {guarded.place.http.get(path).status_code for _ in range(200)}
    assert codes == {200}


@pytest.mark.parametrize("path", ["/readyz", "/healthz", "/metrics", "/api/games"])
def test_whoever_asks_without_end_is_refused(guarded: Server, attacker: Attacker, path: str) -> None:
    """Then held for a while each time, by a connection that ends with the answer. Others are answered."""
    asked, address = attacker.request(path) + b"\r\n", f'"{attacker.address}"'
    read = b""
    for _ in range(3000):
        read = attacker.ask(asked)
        if b"connection: close" in read:
            break
    assert read.startswith(b"HTTP/1.1 429"), read
    assert b"refused again and again" in read
    held = [attacker.connect(asked * (1 + number % 3)) for number in range(120)]
    assert guarded.place.http.get(path).status_code == 200
    read = b"".join(answer(connection) for connection in held)
    assert read.count(b"refused again and again") >= 10, "some are heard now and then"
    assert until(lambda: any(TURNED_AWAY in line and address in line for line in guarded.log.read_text().splitlines()))
    assert guarded.log.read_text("utf-8").count(f"GET {path} 429") < 400, "of lines of one kind, only some are written"
