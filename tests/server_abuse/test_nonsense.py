"""Whatever is said over HTTP: what makes no sense is refused in one clear line, and never breaks anything."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from attacker import HOST, Attacker, answer
from serving import Seat, Server

DEEP = 3000
BODIES = {
    "bytes that are no text": b'{"name": "\xff\xfe", "cid": "\xff", "game": "\xff"}',
    "a letter in too many bytes": b'{"name": "\xc0\xaf"}',
    "half a pair, as bytes": b'{"name": "\xed\xa0\x80", "text": "\xed\xa0\x80"}',
    "half a pair, spelled out": b'{"name": "\\ud800", "text": "\\udc00", "game": "\\ud800", "cid": "\\ud800"}',
    "an option with half a pair": b'{"game": "goose", "options": {"\\ud800": 1}}',
    "a bot with half a pair": b'{"game": "goose", "bots": {"0": "\\ud800"}}',
    "nothing in a text": b'{"name": "a\\u0000b", "cid": "\\u0000", "game": "\\u0000", "text": "\\u0000"}',
    "nothing at all": b"",
    "a zero byte": b"\x00",
    "nested lists": b"[" * DEEP,
    "nested objects": b'{"a":' * DEEP,
    "nested in a name": b'{"name": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "a huge number": b'{"cid": "1", "ply": ' + b"9" * 4000 + b', "action": 1}',
    "an endless number": b'{"cid": "1", "ply": 1e999, "action": 1, "grace": 1e999}',
    "no number": b'{"cid": "1", "ply": NaN, "action": -0.5}',
    "a number below zero": b'{"cid": "1", "ply": -1, "action": -99999999999999999999, "seat": -1, "seats": -1}',
    "a number beyond eight bytes": b'{"cid": "1", "ply": 0, "action": 18446744073709551616}',
    "options that are too large": b'{"game": "game17", "options": {"edge": 99999999999999999999999}}',
    "options named like arguments": b'{"game": "goose", "options": {"self": 1, "game": 2, "seed": 3, "names": 4}}',
    "seats beyond all": b'{"game": "goose", "seats": 99999999999999999999}',
    "seats that are no digits": b'{"game": "goose", "bots": {"\xc2\xb2": "random"}}',
    "a list": b"[]",
    "nobody": b"null",
    "another alphabet": '{"name": "x"}'.encode("utf-16"),
    "a replay of nothing": b'{"parlour": 1, "game": null, "seats": null, "names": null, "seed": null, "actions": null}',
    "a replay with odd options": b'{"parlour": 1, "game": "goose", "rules": 1, "options": {"game": 1, "self": 2}, '
    b'"seats": 2, "names": ["a", "b"], "seed": 1, "actions": [], "result": {}}',
}
COMMANDS = ["act", "chat", "undo", "draw", "start", "bots", "rematch", "hint", "reveal", "back"]
ADDRESSES = [
    b"/%00",
    b"/%ff%fe",
    b"/api/tables/%ed%a0%80",
    b"/api/tables/" + b"x" * 5000,
    b"/api/tables/..%2f..%2f",
    b"/\x80\xff",
    b"*",
    b"/api/tables?limit=99999999999999999999999",
    b"/api/tables?limit=%ff",
    b"/api/tables?before=1e400",
    b"/api/tables?name=%00",
    b"/api/tables?game=%ff&phase=%ff",
    b"/api/games/%00/picture",
    b"/api/games/%ff/rulebook?language=%ff",
    b"/api/games/goose/diagrams/99999999999999999999",
    b"/assets/..%2f..%2fapp.py",
    b"/assets/../app.py",
    b"/assets//etc/passwd",
    b"/assets/%00.js",
    b"/assets/a%0ab.js",
    b"/api/tables?before=nan",
    b"/api/tables?before=-1e300",
]
HARMLESS = [
    b"http://elsewhere.example/api/tables",
    b"/api/tables?name=%ed%a0%80",
    b"/api/tables?name=%25_%5c",
    b"/api/tables?" + b"a=1&" * 1500,
    b"/api/tables?%&=;==&[]",
]
HEADERS = [
    b"Authorization: Bearer \xff\xfe",
    b"Authorization: \xf0\x9f\x98\x80",
    b"Origin: http://[",
    b"Origin: null",
    b"Content-Type: \xff",
    b"Content-Type: application/json; charset=utf-16",
    b"Content-Type: multipart/form-data",
    b"Content-Encoding: gzip",
    b"Accept-Encoding: \xff",
    b"Content-Length: -1",
    b"Content-Length: 99999999999999999999999",
    b"Content-Length: 2\r\nContent-Length: 3",
    b"Transfer-Encoding: chunked\r\nContent-Length: 2",
    b"Transfer-Encoding: unheard-of",
    b"Upgrade: h2c\r\nConnection: Upgrade",
    b"a\x00b: c",
    b" folded: x",
]
METHODS = [b"BREW", b"TRACE", b"CONNECT", b"PUT", b"DELETE", b"PROPFIND", b"get", b"PRI", b"\xff", b"G" * 100]


@pytest.fixture(scope="module")
def seat(guarded: Server) -> Seat:
    return guarded.place.sit(guarded.place.open()["table"]["id"], "Ann")


@pytest.fixture(scope="module")
def sender(guarded: Server) -> Iterator[Sender]:
    sender = Sender(guarded)
    yield sender
    assert guarded.place.http.get("/readyz").status_code == 200


class Sender:
    """Sends one request from each of many addresses, so that no limit hides what becomes of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.sent = 0

    def send(self, request: bytes) -> tuple[bytes, bytes]:
        """Head and body of the answer."""
        self.sent += 1
        attacker = Attacker(self.server, f"127.8.{self.sent // 250}.{self.sent % 250 + 1}")
        head, _, body = answer(attacker.connect(request)).partition(b"\r\n\r\n")
        attacker.leave()
        return head, body

    def refused(self, request: bytes) -> None:
        """It is told in one line what is wrong with it."""
        head, body = self.send(request)
        assert head.startswith(b"HTTP/1.1 4"), (request[:200], head, body[:400])
        problem = json.loads(body)
        assert problem["code"]
        assert problem["message"]
        assert "\n" not in problem["message"]


def get(path: bytes) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n"


def post(path: str, body: bytes, token: str = "x") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n".encode()
    return head + HOST + b"\r\n" + body


@pytest.mark.parametrize("what", BODIES)
def test_a_body_that_makes_no_sense(sender: Sender, seat: Seat, what: str) -> None:
    at = f"/api/tables/{seat.table}"
    for path in ("/api/tables", "/api/replays", f"{at}/sit", *(f"{at}/{command}" for command in COMMANDS)):
        sender.refused(post(path, BODIES[what], seat.token))


def test_addresses_that_make_no_sense(sender: Sender) -> None:
    for path in ADDRESSES:
        sender.refused(get(path))
    for path in HARMLESS:
        head, _ = sender.send(get(path))
        assert head.startswith(b"HTTP/1.1 200"), (path, head)


def test_headers_and_methods_that_make_no_sense(sender: Sender, seat: Seat) -> None:
    for header in HEADERS:
        for path in (f"/api/tables/{seat.table}/act", f"/api/tables/{seat.table}/live"):
            sender.refused(f"POST {path} HTTP/1.1\r\n".encode() + HOST + header + b"\r\n\r\n")
    for method in METHODS:
        sender.refused(method + b" /api/tables HTTP/1.1\r\n" + HOST + b"\r\n")
