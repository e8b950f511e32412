"""Several workers of one server count as one."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from attacker import STRICT, Attacker
from parlour.engine import diagram, registry, replay
from serving import Server, until

SOCKETS = 9
pytestmark = pytest.mark.xdist_group("crew")  # it takes long to start


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {**STRICT, "requests_per_second": 1, "trust_proxy": "127.9.9.9", "drawing_per_second": 1e-5, "prot": 1}
    redis = ("--redis", "redis://127.0.0.1:1")
    server = Server(tmp_path_factory.mktemp("crew"), "--workers", "2", *redis, **settings).start()
    yield server
    server.close()


def asked(server: Server, times: int, address: str = "127.5.0.1", forwarded: str = "") -> list[httpx.Response]:
    """Each time over a connection of its own, so that all workers are asked."""
    headers = {"connection": "close", **({"x-forwarded-for": forwarded} if forwarded else {})}
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address), headers=headers) as http:
        return [http.get(f"{server.url}/api/games") for _ in range(times)]


def test_a_limit_is_the_same_however_many_workers_there_are(crew: Server) -> None:
    began = time.monotonic()
    answers = asked(crew, 60)
    allowed = Counter(answer.status_code for answer in answers)[200]
    assert 4 <= allowed <= 5 + time.monotonic() - began, "four at once, and one more for each second that this takes"
    refused = answers[-1]
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 2
    assert refused.json()["code"] == "too_fast"


def test_all_addresses_of_an_ipv6_customer_count_as_one(crew: Server) -> None:
    neighbours = [f"2001:db8:1:2::{number:x}" for number in range(20)]
    codes = [asked(crew, 1, "127.9.9.9", forwarded)[0].status_code for forwarded in neighbours]
    assert 429 in codes
    assert asked(crew, 1, "127.9.9.9", "2001:db8:1:3::1")[0].status_code == 200
    assert asked(crew, 1, "127.5.0.9", "2001:db8:1:2::1")[0].status_code == 200, "only a proxy is believed"


def test_what_takes_long_is_paid_for_by_its_time(crew: Server) -> None:
    """An address that has had much drawn is told when it may ask again; others are not made to wait."""
    content = replay.dumps(diagram.played(registry.get("choccer"), 2, 7, 300)).encode()
    assert _drawn(crew, "2001:db8:7::1", content).status_code == 200
    refused = _drawn(crew, "2001:db8:7::1", content)
    assert refused.status_code == 429
    assert "drawn" in refused.json()["message"]
    assert int(refused.headers["retry-after"]) >= 1
    assert _drawn(crew, "2001:db8:8::1", content).status_code == 200


def _drawn(server: Server, forwarded: str, content: bytes) -> httpx.Response:
    headers = {"connection": "close", "x-forwarded-for": forwarded}
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.9.9.9"), headers=headers) as http:
        return http.post(f"{server.url}/api/replays?count=200", content=content)


def gauge(server: Server, name: str) -> float:
    text = server.place.http.get("/metrics", headers={"connection": "close"}).text
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name))


def workers(server: Server) -> list[int]:
    assert server.process is not None
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True)
    return [int(pid) for pid in children.stdout.split() if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]


def is_alive(pid: int) -> bool:
    """Whether it still does something: a process that nobody has asked about is listed after its end."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except FileNotFoundError:
        return False


def test_gauges_are_those_of_all_workers_that_live(crew: Server) -> None:
    """Whichever worker is asked, and without what one had that is no more."""
    attackers = [Attacker(crew, f"127.6.0.{number}") for number in range(1, SOCKETS + 1)]
    for attacker in attackers:
        attacker.upgrade("/api/lobby/live")
    until(lambda: all(gauge(crew, "parlour_sockets") == SOCKETS for _ in range(6)))
    before = set(workers(crew))
    assert gauge(crew, "parlour_starts_total") == len(before)
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    until(lambda: _counted(crew) == 0, 60)
    assert before.isdisjoint(workers(crew))
    until(lambda: gauge(crew, "parlour_starts_total") == 2 * len(before), 60)
    for attacker in attackers:
        attacker.leave()


def _counted(server: Server) -> float | None:
    with contextlib.suppress(httpx.TransportError):
        return gauge(server, "parlour_sockets")
    return None


def test_every_line_of_the_log_is_json(crew: Server) -> None:
    """Also of the process that minds the workers; with what is wrong with the settings, said once at the start."""
    lines = until(lambda: _lines_of_several(crew))
    assert all(line["worker"] for line in lines)
    warnings = [line["message"] for line in lines if line["level"] == "warning"]
    assert [warning for warning in warnings if "PARLOUR_PROT" in warning] == [
        "there is no setting PARLOUR_PROT (is it PARLOUR_PORT?)"
    ]
    assert len([warning for warning in warnings if warning.startswith("redis cannot be reached")]) == 1
    requests = [line for line in lines if line["message"].startswith("GET /api/games")]
    assert all(line["request"] and line["address"] for line in requests)
    assert not [line for line in lines if line["logger"] == "uvicorn.access"], "each request is told twice"


def _lines_of_several(server: Server) -> list[dict[str, Any]]:
    """The log, once several workers have answered."""
    asked(server, 5, "127.5.0.2")
    lines = [json.loads(line) for line in server.log.read_text("utf-8").splitlines()]
    answering = {line["worker"] for line in lines if line["message"].startswith("GET /api/games")}
    return lines if len(answering) > 1 else []


def test_workers_end_with_the_process_that_minds_them(crew: Server) -> None:
    """Then another server can start on their file."""
    table = crew.place.open("goose")["table"]["id"]
    orphans = workers(crew)
    assert crew.process is not None
    crew.process.kill()
    crew.process.wait()
    until(lambda: not any(map(is_alive, orphans)))
    crew.start()
    assert table in {line["id"] for line in crew.place.http.get("/api/tables").json()}
