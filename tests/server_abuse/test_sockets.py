"""WebSockets whose other end floods or does not listen."""

from __future__ import annotations

import contextlib
import socket

import pytest

from attacker import Attacker, flood, frame, memory
from serving import Server, until

MOST = 16 * 2**20
TEXT, PING = 1, 9
TOO_MUCH = b"too many messages from your address"
HELLO = frame(TEXT, b'{"type": "hello"}')
FLOODS = {
    "pings that are answered to nobody": (b"", frame(PING, b"x" * 125) * 500),
    "fragments without content": (frame(TEXT, is_last=False), frame(0, is_last=False) * 10_000),
    "messages without sense": (b"", frame(TEXT, b"x") * 5000),
    "signs of life": (HELLO, frame(TEXT, b'{"type": "ping"}') * 2000),
    "what is no text": (b"", frame(TEXT, b"\xff") * 5000),
}


@pytest.mark.parametrize("path", ["/api/lobby/live", "/api/tables/{table}/live"])
@pytest.mark.parametrize("what", FLOODS)
def test_a_flood_ends(guarded: Server, attacker: Attacker, what: str, path: str) -> None:
    table = guarded.place.http.get("/api/tables").json()
    known = table[0]["id"] if table else guarded.place.open("goose")["table"]["id"]
    connection = attacker.upgrade(path.format(table=known))
    before = memory(guarded)
    first, again = FLOODS[what]
    connection.sendall(first)
    assert flood(connection, again, MOST) < MOST
    assert memory(guarded) - before < MOST


@pytest.mark.parametrize("said", [b'{"type": "ping"}', b'{"type": "act", "cid": "x", "ply": 0, "action": 1}'])
@pytest.mark.parametrize("path", ["/api/lobby/live", "/api/tables/{table}/live"])
def test_many_sockets_of_an_address_say_no_more_than_some(
    guarded: Server, attacker: Attacker, path: str, said: bytes
) -> None:
    """Each says less than one socket may. Together that is far more than an address may."""
    table = guarded.place.open("goose")["table"]["id"]
    sockets = [attacker.upgrade(path.format(table=table)) for _ in range(40)]
    heard = dict.fromkeys(sockets, b"")
    for one in sockets:
        with contextlib.suppress(ConnectionError):
            one.sendall(HELLO + frame(TEXT, said) * 170)
    assert until(lambda: sum(TOO_MUCH in _read(one, heard) for one in sockets) >= 20)
    with guarded.place.live(table) as other:
        other.say("ping")
        assert other.hear("pong")


def _read(connection: socket.socket, heard: dict[socket.socket, bytes]) -> bytes:
    """All that the other end has said so far."""
    connection.settimeout(0.001)
    with contextlib.suppress(TimeoutError, ConnectionError):
        while more := connection.recv(65536):
            heard[connection] += more
    return heard[connection]
