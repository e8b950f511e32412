"""Whoever comes by way of a proxy has the same limits as those who come directly, each for themselves."""

from __future__ import annotations

import itertools
import os
import select
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from attacker import STRICT, UPGRADE, Attacker, answer, is_closed
from parlour.server.http.guard import REFUSALS_AT_ONCE
from serving import Server, until

PROXY = "127.9.9.9"
SETTINGS = {"trust_proxy": PROXY, "connections": 60, "connections_per_address": 20, "sockets_per_address": 5}
GAMES = "/api/games"


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {**STRICT, **SETTINGS, "requests_per_second": 20}
    server = Server(tmp_path_factory.mktemp("proxied"), **settings).start()
    yield server
    server.close()


class Street:
    """Clients of one proxy, each with an address of its own."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.clients: list[Attacker] = []

    def client(self) -> Attacker:
        number = next(_numbers)
        self.clients.append(Attacker(self.server, PROXY, f"198.51.{number // 250}.{number % 250 + 1}"))
        return self.clients[-1]


_numbers = itertools.count()


@pytest.fixture
def street(proxied: Server) -> Iterator[Street]:
    found = Street(proxied)
    yield found
    for client in found.clients:
        client.leave()


def poll(client: Attacker, table: str) -> None:
    """Wait for news, where there are none."""
    client.connect(client.request(f"/api/tables/{table}/log?wait=30&since=1000") + b"\r\n")


def status(read: bytes) -> int:
    return int(read[9:12] or 0)


def answered(*clients: Attacker) -> Counter[int]:
    """The answers that have come to what these have asked and left open, by status; 0 where there is none yet."""
    asked = [connection for client in clients for connection in client.opened]
    there, _, _ = select.select(asked, [], [], 0)
    found = Counter(status(connection.recv(12, socket.MSG_PEEK)) for connection in there)
    return found + Counter({0: len(asked) - len(there)})


def test_two_who_wait_do_not_take_all_connections(proxied: Server, street: Street) -> None:
    table = proxied.place.open("goose")["table"]["id"]
    greedy = [street.client(), street.client()]
    for one in greedy:
        for _ in range(40):
            poll(one, table)
    until(lambda: all(answered(one)[429] == 30 for one in greedy))
    for one in [*greedy, street.client()]:
        assert status(one.get(GAMES)) == 200


def test_those_who_wait_share_the_places(proxied: Server, street: Street) -> None:
    """Where all are taken, the longest wait of the one with most ends as if there were no news."""
    table = proxied.place.open("goose")["table"]["id"]
    first, *others = [street.client() for _ in range(4)]
    for one in (first, *others[:2]):
        for _ in range(10):
            poll(one, table)
        time.sleep(0.2)
    for _ in range(3):
        poll(others[2], table)
    until(lambda: answered(first, *others[:2])[200] == 3)
    assert answered(others[2]) == {0: 3}


def test_what_is_sent_slowly_takes_no_more_than_its_share(street: Street) -> None:
    slow, other = street.client(), street.client()
    for _ in range(100):
        slow.connect(slow.request("/api/tables", "POST") + b"Content-Length: 100\r\n\r\n{")
    until(lambda: answered(slow)[429] == 80)
    assert status(other.get(GAMES)) == 200


def test_whoever_has_most_makes_way(street: Street) -> None:
    """They are told so: a proxy could think that the server has failed if its connection just ended."""
    greedy = [street.client() for _ in range(3)]
    for one in greedy:
        for _ in range(20):
            one.connect(one.request("/api/tables", "POST") + b"Content-Length: 100\r\n\r\n{")
    until(lambda: status(street.client().get(GAMES)) == 200)
    assert set(answered(*greedy)) == {0, 429}


def test_connections_that_a_proxy_keeps_count_for_nobody(street: Street) -> None:
    client = street.client()
    for _ in range(50):
        kept = client.connect(client.request("/api/games/goose/diagrams") + b"\r\n")
        assert status(answer(kept)) == 200
    assert status(client.get(GAMES)) == 200
    assert not any(is_closed(kept) for kept in client.opened)


def test_a_connection_brings_one_after_the_other(street: Street) -> None:
    """What one may no more, the next one on the same connection may."""
    tired, other = street.client(), street.client()
    connection = tired.connect()
    asked = tired.request("/nowhere") + b"\r\n"
    read = b""
    for _ in range(20 * REFUSALS_AT_ONCE):
        connection.sendall(asked)
        read = answer(connection)
        if b"again and again" in read:
            break
    assert read.startswith(b"HTTP/1.1 429"), read
    posted = tired.request("/nowhere", "POST") + b"Content-Length: 3\r\n\r\nabc"
    for _ in range(3):
        connection.sendall(posted)
        assert status(answer(connection)) in (404, 429), "it may be answered once in a while"
    connection.sendall(other.request(GAMES) + b"\r\n")
    assert status(answer(connection)) == 200
    upgrades = [tired.connect(tired.request("/api/lobby/live") + UPGRADE + b"\r\n") for _ in range(100)]
    codes = Counter(status(upgrade.recv(4096)) for upgrade in upgrades)
    assert set(codes) == {101, 429}
    assert codes[429] >= 10, "some are heard now and then"


def test_of_many_who_come_at_once_only_some_are_told_why_not(proxied: Server, street: Street) -> None:
    """The server reads all of them before the first is refused."""
    assert proxied.process is not None
    client = street.client()
    many = [client.connect() for _ in range(3 * REFUSALS_AT_ONCE)]
    os.kill(proxied.process.pid, signal.SIGSTOP)
    for connection in many:
        connection.sendall(client.request("/api/tables", "POST") + b"Content-Length: 100\r\n\r\n{")
    os.kill(proxied.process.pid, signal.SIGCONT)
    until(lambda: answered(client)[429] == len(many) - SETTINGS["connections_per_address"])  # type: ignore[operator]
    told = sum(_is_told(connection, b"too many connections") for connection in many)
    assert REFUSALS_AT_ONCE / 2 <= told <= 1.5 * REFUSALS_AT_ONCE


def _is_told(connection: socket.socket, words: bytes) -> bool:
    there, _, _ = select.select([connection], [], [], 0)
    return bool(there) and words in connection.recv(4096)


def test_sockets_count_for_who_opened_them(proxied: Server, street: Street) -> None:
    one, other = street.client(), street.client()
    for _ in range(SETTINGS["sockets_per_address"]):  # type: ignore[call-overload]
        one.upgrade("/api/lobby/live")
    assert b"too_many" in one.upgrade("/api/lobby/live").recv(4096)
    assert b"lobby" in other.upgrade("/api/lobby/live").recv(4096)
