"""With several workers, all who are at a table are in the process that it belongs to."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parlour.server.cluster.handover import ANYWHERE, TABLE
from parlour.server.cluster.placement import Placement
from serving import PATIENCE, Server, play_out, until

TABLES = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("workers"), "--workers", "2")
    server.program = (sys.executable, str(Path(__file__).with_name("patient.py")))
    try:
        server.start()
        until(lambda: len([worker for worker in workers(server) if _is_taking(worker)]) == 2)
        yield server
    finally:
        server.close()


def workers(server: Server) -> list[int]:
    """The processes that have the server's port open, but for the one that has started them."""
    assert server.process is not None
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in _command_line(child)]


def _command_line(process: str) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it ended just now
        return b""


def _is_taking(worker: int) -> bool:
    """Whether others can hand connections over to the worker."""
    inboxes = Path("/proc/net/unix").read_text()
    return sum(f"socket:[{line.split()[6]}]" in files(worker) for line in inboxes.splitlines() if "place-" in line) > 0


def files(process: int) -> set[str]:
    found = set()
    for file in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(str(file.readlink()))
    return found


def holder(server: Server, connection: socket.socket) -> int:
    """The worker that has the other end of a connection, alone: for a moment, whoever hands it over has it, too."""
    mine, theirs = connection.getsockname()[1], connection.getpeername()[1]

    def holders() -> list[int]:
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, _, _, _, _, _, _, inode, *_ = line.split()
            if (int(local.split(":")[1], 16), int(remote.split(":")[1], 16)) == (theirs, mine):
                return [worker for worker in workers(server) if f"socket:[{inode}]" in files(worker)]
        return []  # the system's list may lack lines while others come and go

    (found,) = until(lambda: found if len(found := holders()) == 1 else None)
    return int(found)


def test_all_sockets_of_a_table_are_in_one_process(server: Server) -> None:
    homes: Counter[int] = Counter()
    for _ in range(TABLES):
        seats = server.place.table_of("Ann", "Bob")
        with contextlib.ExitStack() as stack:
            lives = [stack.enter_context(seat.live()) for seat in (*seats, *seats)]
            found = {holder(server, live.wire.socket.socket) for live in lives}  # type: ignore[attr-defined]
            assert len(found) == 1
            homes[found.pop()] += 1
            seats[0].must("act", ply=0, action=3)
            assert [live.hear("update")["kind"] for live in lives] == ["act"] * 4
    assert sum(homes.values()) == TABLES


def test_tables_are_spread_over_the_workers_though_one_connection_opens_all(server: Server) -> None:
    places = [Placement(2).place_of(server.place.open()["table"]["id"]) for _ in range(TABLES)]
    assert 2 <= places.count(0) <= TABLES - 2, places


@pytest.mark.parametrize(
    ("head", "is_spread"),
    [
        (b"POST /api/tables HTTP/1.1", True),
        (b"POST /games/api/tables/ HTTP/1.1", True),
        (b"POST /api/pairings HTTP/1.1", True),
        (b"GET /api/lobby/live?game=goose HTTP/1.1", True),
        (b"GET /api/tables HTTP/1.1", False),
        (b"POST /api/tables/abc/sit HTTP/1.1", False),
        (b"POST /api/tablesque HTTP/1.1", False),
    ],
)
def test_which_requests_any_worker_may_answer(head: bytes, is_spread: bool) -> None:
    assert bool(ANYWHERE.match(head)) is is_spread


def test_one_connection_may_ask_for_tables_of_all_workers(server: Server) -> None:
    """It is handed to and fro between requests, with whatever was sent in the same breath."""
    tables = [server.place.open()["table"]["id"] for _ in range(TABLES)]
    with (
        socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection,
        connection.makefile("rb") as answers,
    ):
        for table in [*tables, *reversed(tables)]:
            connection.sendall(f"GET /api/tables/{table} HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert _answer(answers.readline, answers.read)[0] == 200
        both = "".join(
            f"GET /api/tables/{table} HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\n\r\n" for table in tables[:2]
        )
        connection.sendall(both.encode())
        assert [_answer(answers.readline, answers.read)[0] for _ in range(2)] == [200, 200]


def _answer(line: Callable[[], bytes], read: Callable[[int], bytes]) -> tuple[int, bytes]:
    status = int(line().split()[1])
    length = 0
    while (header := line()) != b"\r\n":
        if header.lower().startswith(b"content-length:"):
            length = int(header.split(b":")[1])
    return status, read(length)


def test_a_match_goes_on_when_its_worker_dies(server: Server) -> None:
    seats = server.place.table_of("Ann", "Bob", game="goose")
    with seats[0].live() as live:
        home = holder(server, live.wire.socket.socket)  # type: ignore[attr-defined]
        os.kill(home, signal.SIGKILL)
    until(lambda: len(workers(server)) == 2 and home not in workers(server))
    with contextlib.suppress(Exception):
        server.place.http.get("/healthz")  # the client's own connection died with the worker
    assert play_out(seats)["phase"] == "over"


def test_new_tables_belong_to_whoever_opens_them(tmp_path: Path) -> None:
    mine, other, late = (Placement(2, tmp_path) for _ in range(3))
    assert (mine.place, other.place, late.place) == (0, 1, None)
    for placement in (mine, other):
        assert {placement.place_of(placement.new_id()) for _ in range(50)} == {placement.place}
    assert {late.place_of(late.new_id()) for _ in range(50)} == {0, 1}
    mine.leave()
    assert late.place == 0, "whoever leaves, or dies, leaves the place to the next"
    for placement in (other, late):
        placement.leave()


@pytest.mark.parametrize(
    ("line", "table"),
    [
        (b"GET /api/tables/abc/live HTTP/1.1\r\n", b"abc"),
        (b"GET /api/tables/a_-9 HTTP/1.1", b"a_-9"),
        (b"POST /games/api/tables/abc?state=true HTTP/1.1", b"abc"),
        (b"GET /api/tables/ HTTP/1.1", None),
        (b"GET /api/tables?x=/api/tables/abc/ HTTP/1.1", None),
        (b"GET /api/tables/ab", None),
        (b"\xff\xfe/api/tables/abc ", None),
    ],
)
def test_which_requests_are_for_a_table(line: bytes, table: bytes | None) -> None:
    found = TABLE.match(line)
    assert (found and found[1]) == table
