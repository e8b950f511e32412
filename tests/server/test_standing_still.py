"""A worker that stands still or dies, and a process that stands still while it writes: nobody else notices."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import httpx
import psycopg
import pytest

from databases import Postgres, Redis
from parlour.server.cluster.handover import _claim, _Passing
from parlour.server.cluster.placement import Beats, Placement
from server.test_handover import files, workers
from serving import Build, Seat, Server, refused, until

pytestmark = pytest.mark.xdist_group("postgres")
SOON = 4.0  # seconds; a worker that was handed something while it stood still kept it for as long as it did


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[Server]:
    redis = Redis(tmp_path_factory.mktemp("redis")).start()
    flags = ("--workers", "2", "--redis", redis.url)
    server = Server(tmp_path_factory.mktemp("crew"), *flags, database=postgres.new_database())
    yield server.start()
    server.close()
    redis.stop()


@pytest.fixture
def server(crew: Server) -> Server:
    """Two workers that serve."""
    if crew.process is None or crew.process.poll() is not None:
        crew.start()
    until(lambda: len(places(crew)) == 2 and metric(crew, "parlour_workers_standing_still") == 0)
    return crew


def places(server: Server) -> dict[int, int]:
    """The workers that serve, by place."""
    names = {worker: [file for file in files(worker) if "/place-" in file] for worker in workers(server)}
    return {int(held[0].rpartition("-")[2]): worker for worker, held in names.items() if held}


def metric(server: Server, name: str) -> float | None:
    with fresh(server) as http:
        text = http.get("/metrics").text
    return next((float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} ")), None)


def fresh(server: Server) -> httpx.Client:
    """A client whose every request comes by a connection of its own."""
    return httpx.Client(base_url=server.url, headers={"connection": "close"}, timeout=60, verify=False)


def said(server: Server) -> list[str]:
    return [json.loads(line)["message"] for line in server.log.read_text("utf-8").splitlines()]


def opens(server: Server) -> str:
    with fresh(server) as http:
        answer = http.post("/api/tables", json={"game": "connect_four"})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]["id"]
        return table


def seats_at(server: Server, table: str) -> list[Seat]:
    return [server.place.sit(table, name) for name in ("Ann", "Bob")]


def test_nobody_else_notices_a_worker_that_stands_still(server: Server) -> None:
    """Tables are opened at once, also those that would have been its own; what it has not taken is answered by others.

    When it goes on, everything is as if it had not stood still.
    """
    still, other = places(server)[0], places(server)[1]
    opened, tables = list[str](), dict[int, list[Seat]]()
    while len(tables) < 2:
        opened.append(opens(server))
        tables.setdefault(Placement(2).place_of(opened[-1]), seats_at(server, opened[-1]))
    with tables[0][0].live() as stuck, tables[1][0].live() as victim:
        os.kill(still, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with ThreadPoolExecutor(10) as pool:  # some of them before anybody can know of it
                opened += list(pool.map(lambda _: opens(server), range(10)))
            assert time.monotonic() - began < SOON
            assert victim.ask("act", ply=0, action=3)["type"] == "ack"
            with fresh(server) as http:  # whoever was at the other comes back by a new connection, and plays on
                ann = tables[0][0]
                headers = {"authorization": f"Bearer {ann.token}"}
                act = {"cid": "again", "ply": 0, "action": 3}
                assert http.post(f"/api/tables/{ann.table}/act", json=act, headers=headers).status_code == 200
            assert time.monotonic() - began < 2 * SOON
            until(lambda: metric(server, "parlour_workers_standing_still") == 1)
            until(lambda: f"worker {still} stands still: others serve in its place" in said(server))
        finally:
            os.kill(still, signal.SIGCONT)
        assert stuck.ask("act", cid="again", ply=0, action=3)["type"] == "ack", "it has heard of it meanwhile"
    until(lambda: metric(server, "parlour_workers_standing_still") == 0)
    assert set(places(server).values()) == {still, other}
    until(lambda: [line for line in said(server) if line.startswith(f"worker {still} goes on after")])
    assert set(opened) <= set(listed(server))
    until(lambda: {Placement(2).place_of(opens(server)) for _ in range(4)} == {0, 1})


def listed(server: Server) -> list[str]:
    with fresh(server) as http:
        return sorted(line["id"] for line in http.get("/api/tables", params={"limit": 100}).json())


def test_a_worker_that_stands_still_for_long_is_replaced(server: Server) -> None:
    """Though its connections stay open, and whatever it was doing."""
    still = places(server)[0]
    os.kill(still, signal.SIGSTOP)
    until(lambda: still not in workers(server))
    until(lambda: len(places(server)) == 2)
    assert any(line.startswith(f"worker {still} has stood still for") for line in said(server))


def test_a_worker_that_dies_as_it_begins_is_replaced_at_once(server: Server) -> None:
    """Again and again, and while another stands still."""
    first, second = places(server).values()
    os.kill(second, signal.SIGSTOP)
    try:
        os.kill(first, signal.SIGKILL)
        for _ in range(2):
            (beginning,) = until(lambda: set(workers(server)) - {first, second}, SOON)
            os.kill(beginning, signal.SIGKILL)
            until(lambda: not Path(f"/proc/{beginning}").exists(), SOON)  # noqa: B023
        until(lambda: set(places(server).values()) - {first, second})
        opens(server)
    finally:
        with contextlib.suppress(ProcessLookupError):  # where this takes long, it was replaced, too
            os.kill(second, signal.SIGCONT)
    assert f"worker {first} has died (SIGKILL): another is begun" in said(server)


def test_a_server_ends_though_a_worker_stands_still(server: Server) -> None:
    still = places(server)[1]
    os.kill(still, signal.SIGSTOP)
    until(lambda: f"worker {still} stands still: others serve in its place" in said(server))
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < 20
    assert not Path(f"/proc/{still}").exists()


def test_what_a_dead_worker_was_handed_is_answered_by_others(server: Server) -> None:
    """It stood still, was handed connections, and has not gone on."""
    still = places(server)[0]
    os.kill(still, signal.SIGSTOP)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(opens, server) for _ in range(8)]
        time.sleep(0.1)
        os.kill(still, signal.SIGKILL)
        assert len({one.result(30) for one in asked}) == 8


def test_a_connection_is_never_answered_twice(server: Server) -> None:
    """By whoever took it back, and by the worker that goes on just then and finds it."""
    still = places(server)[0]
    before, tables = set(listed(server)), []
    for pause in (0.3, 0.45, 0.5, 0.52, 0.55, 0.6, 0.8):
        until(lambda: metric(server, "parlour_workers_standing_still") == 0)
        os.kill(still, signal.SIGSTOP)
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(opens, server) for _ in range(8)]
            time.sleep(pause)
            os.kill(still, signal.SIGCONT)
            tables += [one.result(30) for one in asked]
    assert sorted(set(listed(server)) - before) == sorted(tables)


@pytest.mark.parametrize("is_claimed", [False, True])
@pytest.mark.parametrize("is_dropped", [False, True])
def test_a_connection_is_with_one_worker(is_claimed: bool, is_dropped: bool) -> None:
    """With the other if it has claimed it in time, and otherwise with whoever handed it over; never with both."""
    way, inbox = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    mine, client = socket.socketpair()
    connection = Mock()
    connection.transport.get_extra_info.return_value = mine
    passing = _Passing(connection, b"GET /")
    passing.send(way)
    data, (file, claim), _, _ = socket.recv_fds(inbox, 100, 2)
    assert data == b"GET /"
    assert not is_claimed or _claim(claim)
    if is_dropped:
        os.close(claim)
    passing.finish()
    assert connection.take_back.called is not is_claimed
    assert connection.transport.abort.called is is_claimed
    if not is_dropped:
        assert not _claim(claim), "it comes too late"
        os.close(claim)
    os.close(file)
    for end in (way, inbox, mine, client):
        end.close()


# Places and signs of life.


def test_what_others_know_of_a_worker(tmp_path: Path) -> None:
    mine, other = Placement(2, tmp_path), Placement(2, tmp_path)
    assert (mine.goes_on(0), mine.standing_still()) == (False, 2), "nobody has begun"
    mine.beat()
    other.beat()
    assert [other.goes_on(place) for place in (0, 1)] == [True, True]
    assert other.standing_still() == 0
    beats = Beats(tmp_path)
    assert beats.last(os.getpid()) is not None
    beats.end(0)
    beats.end(1)
    assert (other.goes_on(0), mine.goes_on(1), beats.last(os.getpid())) == (False, False, None)
    for placement in (mine, other):
        placement.leave()


# A process that stands still while it holds locks in the database.


def test_a_process_that_stands_still_while_it_writes_holds_up_its_table_alone(build: Build, postgres: Postgres) -> None:
    database = postgres.new_database()
    house = build(database=database)
    held, _ = house.table_of("Ann", "Bob")
    others = [house.table_of("Cleo", "Dora")[0] for _ in range(3)]
    with psycopg.connect(database) as connection:
        entry = "INSERT INTO entries (table_id, number, at, kind, seat, body) VALUES (%s, 4, 0, 'chat', 0, '{}')"
        connection.execute(entry, [held.table])
        connection.execute("SELECT * FROM tables WHERE id = %s FOR UPDATE", [held.table])
        began = time.monotonic()
        with ThreadPoolExecutor(4) as pool:
            stuck = pool.submit(held.do, "act", cid="one", ply=0, action=3)
            played = [pool.submit(other.do, "act", ply=0, action=3) for other in others]
            assert [answer.result(30).status_code for answer in played] == [200] * 3
            assert house.http.post("/api/tables", json={"game": "goose"}).status_code == 201
            refused(stuck.result(30), "not_saved", 503)
        assert time.monotonic() - began < 8, "ten seconds, for as long as a lock was waited for before"
        connection.rollback()
    held.must("act", cid="one", ply=0, action=3)
