"""Connections that never end, never read, or are too many: they end, and nobody else notices."""

from __future__ import annotations

import contextlib
import socket

import pytest

from attacker import HOST, Attacker, answer, flood, is_closed
from parlour.server.basics.config import Config
from parlour.server.basics.system import raise_file_limit
from parlour.server.http.connections import HEAD_BYTES, HEAD_LINES, PIECES
from serving import Server, until

MOST = 16 * 2**20
POST = b"POST /api/tables HTTP/1.1\r\n" + HOST
ENDLESS = {
    "header": (b"GET / HTTP/1.1\r\nX: ", b"a" * 65536),
    "headers": (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 10_000),
    "address": (b"GET /", b"a" * 65536),
    "query": (b"GET /?", b"a=b&" * 16384),
    "trailer": (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"a" * 65536),
    "body": (POST + b"Content-Length: 999999999\r\n\r\n", b"a" * 65536),
    "chunks": (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n" * 10_000),
    "empty lines": (b"", b"\r\n" * 32768),
    "requests": (b"", (b"GET /nowhere HTTP/1.1\r\n" + HOST + b"\r\n") * 1000),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_has_no_end_is_ended(attacker: Attacker, what: str) -> None:
    first, again = ENDLESS[what]
    assert flood(attacker.connect(first), again, MOST) < MOST


@pytest.mark.parametrize(
    ("head", "status", "words"),
    [
        (b"X: " + b"a" * HEAD_BYTES, b"431", b"the head of a request"),
        (b"\r\n".join(b"X: %d" % number for number in range(200)), b"431", b"the head of a request"),
        (b"X: " + b"a" * 7000, b"200", b"ok"),
        (b"no header", b"400", b"not an HTTP request"),
    ],
)
def test_a_head_has_a_limit_and_it_is_said(attacker: Attacker, head: bytes, status: bytes, words: bytes) -> None:
    read = answer(attacker.connect(b"GET /healthz HTTP/1.1\r\n" + HOST + head + b"\r\n\r\n"))
    assert read.startswith(b"HTTP/1.1 " + status), read
    assert words in read


@pytest.mark.parametrize("first", [b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000])
def test_the_end_of_a_head_is_not_waited_for(attacker: Attacker, first: bytes) -> None:
    read = answer(attacker.connect(first.ljust(HEAD_BYTES + 5000, b"a")))
    assert read.startswith(b"HTTP/1.1 431"), read


def test_a_head_is_read_no_further_than_its_last_line(attacker: Attacker) -> None:
    """Tens of thousands of lines can come at once, which took longer than a hundred moves."""
    read = answer(attacker.connect(b"GET / HTTP/1.1\r\n" + b"a:\r\n" * (HEAD_LINES + 2)))
    assert read.startswith(b"HTTP/1.1 431"), read


@pytest.mark.parametrize(("pieces", "status", "words"), [(PIECES, b"400", b"JSON"), (PIECES + 1, b"413", b"pieces")])
def test_a_body_has_so_many_pieces(attacker: Attacker, pieces: int, status: bytes, words: bytes) -> None:
    """To take tens of thousands of them took longer than a hundred moves, too."""
    head = attacker.request("/api/pairings", "POST") + b"Transfer-Encoding: chunked\r\n\r\n"
    read = answer(attacker.connect(head + b"1\r\nx\r\n" * pieces + b"0\r\n\r\n"))
    assert read.startswith(b"HTTP/1.1 " + status), read
    assert words in read


def test_a_body_in_pieces_is_read_whole(attacker: Attacker) -> None:
    body = b'{"game": "choccer", "seats": 2}'
    head = attacker.request("/api/tables", "POST") + b"Transfer-Encoding: chunked\r\n\r\n"
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    begun = attacker.connect(head + chunks[:30])
    begun.sendall(chunks[30:] + b"0\r\n\r\n" + attacker.request("/healthz") + b"\r\n")
    read = b""
    while read.count(b"HTTP/1.1 2") < 2:
        more = begun.recv(65536)
        assert more, read
        read += more


def test_nonsense_is_heard_so_often(guarded: Server, attacker: Attacker) -> None:
    """Each time on a connection of its own: where an address keeps saying it, the next ones wait."""
    for _ in range(10):
        said = [attacker.connect(b"\x00\r\n\r\n") for _ in range(Config().connections_per_address // 2)]
        told = [_told_soon(connection) for connection in said]
        if not all(told):
            break
        attacker.leave()
    else:
        pytest.fail("it was always answered at once")
    assert Attacker(guarded, "127.1.255.2").get("/api/games").startswith(b"HTTP/1.1 200")
    late = said[told.index(b"")]
    late.settimeout(20)
    assert late.recv(100).startswith(b"HTTP/1.1 429"), "late, and not never"


def _told_soon(connection: socket.socket) -> bytes:
    connection.settimeout(0.5)
    with contextlib.suppress(TimeoutError):
        return connection.recv(100)
    return b""


def test_requests_wait_for_answers(attacker: Attacker) -> None:
    read = answer(attacker.connect((b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n") * 20))
    assert read.startswith(b"HTTP/1.1 429"), read
    assert b"retry-after: 1" in read
    assert b"wait for answers" in read


def test_an_address_has_so_many_connections(guarded: Server, attacker: Attacker) -> None:
    """Those beyond are told so. Others notice nothing, and how the server is can always be asked."""
    most = Config().connections_per_address
    for _ in range(most):
        attacker.connect()
    read = answer(attacker.connect(b"GET /api/games HTTP/1.1\r\n" + HOST + b"\r\n"))
    assert read.startswith(b"HTTP/1.1 429"), read
    assert b"retry-after: " in read
    assert attacker.get("/healthz").startswith(b"HTTP/1.1 200")
    assert Attacker(guarded, "127.1.255.1").get("/api/games").startswith(b"HTTP/1.1 200")
    far_too_many = [attacker.connect() for _ in range(most + 5)]
    until(lambda: is_closed(far_too_many[-1]))
    attacker.leave()
    until(lambda: attacker.get("/api/games").startswith(b"HTTP/1.1 200"))


def test_a_thousand_that_say_nothing_lock_nobody_out(guarded: Server) -> None:
    raise_file_limit()  # of this process, which holds the other ends
    many = [Attacker(guarded, f"127.2.0.{number}") for number in range(1, 9)]
    for one in many:
        for _ in range(150):
            one.connect()
    other = Attacker(guarded, "127.2.1.1")
    assert other.get("/api/games").startswith(b"HTTP/1.1 200")
    for one in [*many, other]:
        one.leave()
