"""Answers that nobody reads, and answers without an end."""

from __future__ import annotations

import json
import socket

import pytest

from attacker import HOST, Attacker, answer, memory
from parlour.engine import diagram, registry, replay
from parlour.server.api.pages import BUILT
from parlour.server.http.guard import UNREAD_PER_ADDRESS
from parlour.server.tables.frames import MOST_BYTES
from serving import Server


@pytest.fixture(scope="module")
def long_match() -> bytes:
    """A replay of which two hundred frames would be several megabytes."""
    return replay.dumps(diagram.played(registry.get("mazerunner"), 4, 7, 300)).encode()


def test_an_answer_has_an_end_and_the_rest_can_be_asked_for(guarded: Server, long_match: bytes) -> None:
    found, plies = list[int](), 1
    while len(found) <= plies:
        asked = f"/api/replays?first={len(found)}&count=200"
        got = guarded.place.http.post(asked, content=long_match)
        assert len(got.content) < 1.5 * MOST_BYTES
        plies = got.json()["plies"]
        found += [one["ply"] for one in got.json()["frames"]]
    assert found == list(range(plies + 1))


def test_unread_answers_take_no_more_than_so_much_memory(guarded: Server, attacker: Attacker) -> None:
    """An address that reads none of its answers loses the first ones for the last."""
    largest = max((BUILT / "assets").iterdir(), key=lambda file: file.stat().st_size)
    request = f"GET /assets/{largest.name} HTTP/1.1\r\n".encode() + HOST + b"\r\n"
    before = memory(guarded)
    for _ in range(150):
        connection = attacker.connect(request, reads=False)
        connection.recv(1)  # the answer has been made
    assert memory(guarded) - before < 4 * UNREAD_PER_ADDRESS, "of each that waits, all is kept until the end is sent"
    whole = [
        _rest(connection, b"").endswith(largest.read_bytes()[-500:]) for connection in attacker.opened[:: 149 // 3]
    ]
    assert whole == [False, False, True, True], "the first ones were dropped, the last ones wait to be read"


def test_whoever_reads_slowly_gets_it_all(attacker: Attacker, long_match: bytes) -> None:
    head = b"POST /api/replays?count=200 HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    request = head + b"Content-Length: %d\r\n\r\n" % len(long_match) + long_match
    slow = attacker.connect(request, reads=False)
    read = b""
    while len(read) < 2**18:
        read += slow.recv(2048)
    read = _rest(slow, read)
    assert json.loads(read.partition(b"\r\n\r\n")[2])["frames"]


def _rest(connection: socket.socket, read: bytes) -> bytes:
    """The whole answer, from now on read as fast as it comes."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**20)
    return answer(connection, read)
