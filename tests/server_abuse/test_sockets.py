"""WebSockets whose other end floods or does not listen."""

from __future__ import annotations

import pytest

from attacker import Attacker, flood, frame, memory
from serving import Server

MOST = 16 * 2**20
TEXT, PING = 1, 9
FLOODS = {
    "pings that are answered to nobody": (b"", frame(PING, b"x" * 125) * 500),
    "fragments without content": (frame(TEXT, is_last=False), frame(0, is_last=False) * 10_000),
    "messages without sense": (b"", frame(TEXT, b"x") * 5000),
    "signs of life": (frame(TEXT, b'{"type": "hello"}'), frame(TEXT, b'{"type": "ping"}') * 2000),
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
