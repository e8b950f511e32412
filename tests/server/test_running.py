"""Running the server: is it well, what does it count, what does it log, and how does it end."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import math
import os
import platform
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from websockets.sync.client import connect

import parlour
from parlour.cli import run
from parlour.server import app
from parlour.server.basics import logs, metrics, system
from parlour.server.basics.background import Background
from parlour.server.basics.config import Config
from parlour.server.basics.errors import BadConfiguration, Refusal, StoreFailed
from parlour.server.basics.shared_work import SharedWork
from parlour.server.serve import _greet
from serving import House, Server, bearer, closed_with, new_cid, refused, until

Start = Callable[..., Server]


def test_a_server_is_well(house: House) -> None:
    for path in ("/healthz", "/readyz"):
        answer = house.http.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def counted(house: House, name: str) -> float:
    text = house.http.get("/metrics").text
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name))


def test_without_redis_nobody_is_alarmed_that_it_is_down(house: House) -> None:
    house.run(house.services.note_metrics)
    assert math.isnan(counted(house, "parlour_redis_up"))


def test_the_log_says_where_the_pages_are(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        _greet(Config(log="json", base_path="/games/"), 8017)
    assert caplog.messages == ["Parlour is at http://127.0.0.1:8017/games/"]


def test_what_the_database_says_is_told_in_one_line(house: House) -> None:
    """The drivers' own words go over several lines, and end with advice for programmers."""

    def ask() -> None:
        with house.services.store.engine.connect() as connection:
            connection.exec_driver_sql("SELECT *\nFROM nowhere")

    with pytest.raises(StoreFailed) as failed:
        house.run(house.services.store.ask, ask)
    assert str(failed.value) == "no such table: nowhere"


@pytest.mark.parametrize(
    ("host", "found", "told"),
    [
        ("0.0.0.0", "192.168.1.7", "192.168.1.7"),
        ("::", "192.168.1.7", "192.168.1.7"),
        ("0.0.0.0", "", socket.gethostname()),
        ("fd00::7", "", "[fd00::7]"),
    ],
)
def test_the_log_says_an_address_that_other_machines_reach(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, host: str, found: str, told: str
) -> None:
    """Few networks know the names of their machines."""
    monkeypatch.setattr(system, "_own_address", lambda: found)
    with caplog.at_level(logging.INFO):
        _greet(Config(log="json", host=host), 8017)
    assert caplog.messages == [f"Parlour is at http://{told}:8017"]


def test_a_worker_that_begins_while_the_database_is_away_does_not_end_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All end if the first cannot begin, which uvicorn says by its exit code 3; else another is begun."""
    monkeypatch.setattr(app, "AGAIN", 0.0)
    monkeypatch.setattr(os, "_exit", sys.exit)

    def begin(workers: int, *outcomes: Exception | None) -> None:
        services = Mock(config=Config(workers=workers), open=AsyncMock(side_effect=outcomes))
        asyncio.run(app._opened(services))

    away = BadConfiguration("it is away")
    begin(2, away, away, None)
    monkeypatch.setattr(app, "TRIES_FOR", -1.0)
    for trouble in (away, StoreFailed("it went")):
        with pytest.raises(SystemExit) as ended:
            begin(2, trouble)
        assert ended.value.code == 1
    with pytest.raises(BadConfiguration):
        begin(1, away)


def test_what_repeats_goes_on_whatever_becomes_of_it() -> None:
    async def work() -> list[str]:
        background, done = Background(), asyncio.Event()
        errors = [asyncio.CancelledError(), RuntimeError("a bug"), StoreFailed("for once"), Refusal("busy", "later")]
        left = [*errors]

        async def chore() -> None:
            if left:
                raise left.pop()
            done.set()

        background.repeat("the chore", chore, 0.0)
        await asyncio.wait_for(done.wait(), 10)
        await background.close()
        return [type(error).__name__ for error in left]

    assert asyncio.run(work()) == []


def test_work_that_many_ask_for_is_done_once_and_not_again_for_a_while() -> None:
    async def run() -> tuple[list[int], int, int]:
        done = itertools.count(1)

        async def work() -> int:
            await asyncio.sleep(0.01)
            return next(done)

        shared = SharedWork(work, 3600.0)
        together = await asyncio.gather(*(shared.task() for _ in range(5)))
        later = await shared.task()
        hasty = SharedWork(work, 0.0)
        return together, later, await hasty.task() + await hasty.task()

    assert asyncio.run(run()) == ([1, 1, 1, 1, 1], 1, 2 + 3)


def test_of_lines_of_a_kind_so_many_a_second_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Then one that says how many more there were. Lines of other kinds are written all the same."""
    handler = logs.Sampled()
    handler.setStream(sys.stderr)
    handler.setFormatter(logs.Json())

    def write(message: str, at: float, *about: object) -> None:
        record = logging.LogRecord("parlour.server", logging.INFO, "", 0, message, about, None)
        record.created = at
        handler.handle(record)

    for number in range(25):
        write(logs.REFUSED, 7.5, "GET", "/", 429, float(number))
    write("hello", 7.6)
    handler.tell_left_out()
    handler.tell_left_out()
    write(logs.REFUSED, 9.0, "GET", "/", 429, 0.0)
    told = [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()]
    refused = [f"GET / 429 in {number} ms: refused" for number in range(10)]
    assert told == [*refused, "hello", "15 more lines like this one: GET / 429 in 24 ms: refused", refused[0]]


def test_a_log_can_have_hashes_in_place_of_addresses() -> None:
    record = logging.LogRecord("parlour.server", logging.INFO, "", 0, "hello", (), None)
    logs.ADDRESS.set("192.0.2.7")
    plain, one, again, other = (
        json.loads(logs.Json(key).format(record))["address"] for key in ("", "a key", "a key", "another key")
    )
    line, hashed = (logs.Text(key).format(record) for key in ("", "a key"))
    logs.ADDRESS.set("")
    assert "address=192.0.2.7" in line
    assert f"address={one}" in hashed, "also in a terminal: a ban needs it"
    assert plain == "192.0.2.7"
    assert one.startswith("hash:")
    assert one == again != other, "who has the same key can find lines of one address, and nobody else can"


def test_folders_of_servers_that_were_killed_are_removed(tmp_path: Path) -> None:
    for name in ("parlour-serve-used", "parlour-serve-left", "parlour-serve-older", "another"):
        (tmp_path / name).mkdir()
    with system.marked_as_used(tmp_path / "parlour-serve-left"):
        pass
    with system.marked_as_used(tmp_path / "parlour-serve-used"):
        system.remove_left_behind(tmp_path, "parlour-serve-")
        left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == ["another", "parlour-serve-older", "parlour-serve-used"]


def test_what_happens_is_counted(house: House) -> None:
    names = {
        "acks": 'parlour_commands_total{answer="ack",kind="act"}',
        "refusals": 'parlour_commands_total{answer="stale",kind="act"}',
        "commits": "parlour_commit_seconds_count",
        "lost": 'parlour_requests_total{method="GET",status="404"}',
        "odd": 'parlour_requests_total{method="other",status="405"}',
    }
    before = {name: counted(house, line) for name, line in names.items()}
    ann, _ = house.table_of("Ann", "Bob")
    ann.must("act", ply=0, action=3)
    ann.do("act", ply=5, action=3)
    house.http.get("/nowhere")
    house.http.request("BREW", "/api/games")
    with house.live(ann.table):
        assert counted(house, "parlour_sockets") == 1
        assert counted(house, "parlour_tables_in_memory") == 1
    gained = {name: counted(house, line) - before[name] for name, line in names.items()}
    assert {name: gained[name] for name in ("acks", "refusals", "lost", "odd")} == {
        "acks": 1,
        "refusals": 1,
        "lost": 1,
        "odd": 1,
    }
    assert gained["commits"] >= 3


def test_bots_are_counted(house: House) -> None:
    before = counted(house, "parlour_bot_actions_total")
    table = house.open("goose", seats=2, bots={"0": "random", "1": "random"})["table"]["id"]
    until(lambda: house.view(table)["phase"] == "over")
    assert counted(house, "parlour_bot_actions_total") - before == house.view(table)["position"]["ply"]


def test_a_line_of_the_log_names_request_and_match() -> None:
    logs.REQUEST.set("r1")
    logs.MATCH.set("m1")
    record = logging.LogRecord("parlour.server", logging.WARNING, "", 0, "the %s", ("trouble",), None)
    told = json.loads(logs.Json().format(record))
    assert {key: told[key] for key in ("level", "message", "request", "match")} == {
        "level": "warning",
        "message": "the trouble",
        "request": "r1",
        "match": "m1",
    }
    assert "the trouble" in logs.Text().format(record)
    assert "match=m1" in logs.Text().format(record)


def test_requests_have_names(house: House) -> None:
    names = {house.http.get("/healthz").headers["x-request-id"] for _ in range(3)}
    assert len(names) == 3


@pytest.fixture
def server(serve: Start) -> Server:
    return serve()


def test_the_program_logs_json_and_no_token(server: Server) -> None:
    """Tokens and invitations: no line has them."""
    opened = server.place.open(public=False)
    table = opened["table"]["id"]
    ann = server.place.sit(table, "Ann", invite=opened["invite"])
    bob = server.place.sit(table, "Bob", invite=opened["invite"])
    with ann.live() as live:
        live.ask("act", ply=0, action=3)
        live.say("nonsense", token=ann.token)
        live.hear("reject")
    new = server.place.http.post(f"/api/tables/{table}/renew", headers=bearer(bob.token)).json()["token"]
    server.place.http.get(f"/api/tables/{table}/nothing", headers=bearer(new))
    server.place.http.post(f"/api/tables/{table}/act", content=f'{{"x": "{new}"', headers=bearer(new))
    assert server.stop() == 0
    lines = server.log.read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    assert any(line.get("match") == table and line.get("request") for line in told)
    assert len(told) >= len(lines) - 1, "all but the greeting is JSON"
    for token in (opened["invite"], ann.token, bob.token, new):
        assert token not in "\n".join(lines)


def test_the_log_tells_who_was_where_from_when_to_when(serve: Start) -> None:
    server = serve(log_level="debug")
    ann, bob = server.place.table_of("Ann", "Bob")
    with ann.live() as live:
        live.ask("act", ply=0, action=3)
    with bob.live() as live, server.place.connect(f"/api/tables/{ann.table}/live") as watching:
        watching.send('{"type": "hello"}')
        json.loads(watching.receive(10))
        bob.must("resign")
        live.say("renew-is-no-message")
        assert server.place.http.post(f"/api/tables/{bob.table}/renew", headers=bearer(bob.token)).status_code == 200
        live.hear("bye")
    with server.place.connect(f"/api/tables/{ann.table}/live") as stranger:
        stranger.send('{"type": "hello", "token": "nonsense"}')
        assert json.loads(stranger.receive(10))["type"] == "bye"
    with server.place.connect("/api/lobby/live") as lobby:
        lobby.receive(10)
    assert server.stop() == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    about = [
        line for line in lines if line.get("match") == ann.table and not line["message"].startswith(("GET", "POST"))
    ]
    told = [re.sub(r"\d+\.\d+ (m?s)", r"# \1", line["message"]) for line in about]
    left, gone = "its client has left (1000)", "it was told to go (4000)"
    assert sorted(told) == sorted(
        [
            "Ann sits at seat 0",
            "Bob sits at seat 1",
            "a socket opens: Ann at seat 0",
            "act of seat 0 in # ms: ack",
            f"a socket closes after # s: Ann at seat 0: {left}",
            "a socket opens: Bob at seat 1",
            "a socket opens: somebody who watches",
            "resign of seat 1 in # ms: ack",
            f"a socket closes after # s: Bob at seat 1: {gone}",
            f"a socket closes after # s: somebody who watches: {left}",
            "a socket is refused: unauthorised: this token holds no seat at this table",
        ]
    )
    (closing,) = [line for line in about if line.get("code") == 4000]
    assert (closing["person"], closing["seat"], closing["address"]) == ("Bob", 1, "127.0.0.1")
    assert 0 < closing["seconds"] < 60
    (opening,) = [line for line in about if line.get("request") == closing["request"] and "opens" in line["message"]]
    assert opening["at"] <= closing["at"]
    assert [line["message"] for line in lines if "lobby opens" in line["message"]]


def test_a_quiet_log_says_nothing_of_requests(serve: Start) -> None:
    server = serve(log_level="warning")
    ann, _ = server.place.table_of("Ann", "Bob")
    with ann.live() as live:
        live.ask("act", ply=0, action=3)
    assert server.stop() == 0
    assert all(json.loads(line)["level"] == "warning" for line in server.log.read_text().splitlines())


def test_ending_loses_nothing_and_keeps_nobody(server: Server) -> None:
    """Told to end in the middle of play, with sockets open and a request that waits."""
    seats = server.place.table_of("Ann", "Bob")
    acked: list[str] = []

    def talk() -> None:
        try:
            with httpx.Client(base_url=server.url) as http:
                for turn in range(10_000):
                    seat, cid = seats[turn % 2], new_cid()
                    body = {"cid": cid, "answer": "offer" if turn % 2 == 0 else "decline"}
                    answer = http.post(f"/api/tables/{seat.table}/draw", json=body, headers=bearer(seat.token))
                    if answer.status_code != 200:
                        return
                    acked.append(cid)
        except httpx.TransportError:
            return

    thread = threading.Thread(target=talk)
    waiting = threading.Thread(target=_wait_for_news, args=(server, seats[0].table))
    with connect(f"ws://127.0.0.1:{server.port}/api/tables/{seats[0].table}/live") as socket:
        socket.send('{"type": "hello"}')
        thread.start()
        waiting.start()
        until(lambda: len(acked) > 20)
        assert server.stop() == 0
        assert closed_with(socket) == 1012, "the server restarts: come back"
    thread.join()
    waiting.join()
    server.start()
    kept = [entry for entry in server.place.log(seats[0].table) if entry["kind"] in ("offer", "decline")]
    assert len(acked) <= len(kept) <= len(acked) + 1
    assert not re.search('"level": "(error|critical)"', server.log.read_text("utf-8"))


def _wait_for_news(server: Server, table: str) -> Any:
    try:
        return httpx.get(f"{server.url}/api/tables/{table}/log", params={"since": 10**6, "wait": 5}, timeout=30)
    except httpx.TransportError:
        return None


def test_a_dead_worker_leaves_no_gauges_behind(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    files = {f"{name}_{worker}.db" for name in ("gauge_livesum", "counter") for worker in (ended.pid, os.getpid())}
    for name in files:
        (tmp_path / name).touch()
    metrics._forget_dead(tmp_path)
    left = {file.name for file in tmp_path.iterdir()}
    assert files - left == {f"gauge_livesum_{ended.pid}.db"}, "what it counted stays counted"


# What Prometheus reads.


def samples(text: str) -> dict[str, list[Sample]]:
    """By name, as Prometheus's own library reads them."""
    found: dict[str, list[Sample]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample)
    return found


def test_moves_requests_and_the_lag_are_counted_in_histograms(house: House) -> None:
    house.run(house.services.note_metrics)
    before = samples(house.http.get("/metrics").text)
    ann, bob = house.table_of("Ann", "Bob")
    with ann.live() as live:
        live.ask("act", ply=0, action=3)
    bob.must("act", ply=1, action=3)
    refused(bob.do("act", ply=1, action=3), "stale", 409)
    requests = 10
    for _ in range(requests):
        house.http.get("/api/games")
    house.http.get(f"/api/tables/{ann.table}/log", params={"since": 1000, "wait": 1.1})
    house.run(time.sleep, 0.3)
    after = samples(house.http.get("/metrics").text)

    def gained(name: str, below: float) -> tuple[float, float]:
        """How many there were, and how many that took no longer."""
        counts = [
            sum(sample.value for sample in found[f"{name}_bucket"] if float(sample.labels["le"]) == le)
            for le in (float("inf"), below)
            for found in (before, after)
        ]
        assert after[f"{name}_count"][0].value == counts[1], "all are in the last bucket"
        buckets = [sample.value for sample in after[f"{name}_bucket"]]
        assert buckets == sorted(buckets)
        return counts[1] - counts[0], counts[3] - counts[2]

    assert gained("parlour_move_seconds", 10.0) == (2, 2), "what is refused is no move"
    everything, quick = gained("parlour_request_seconds", 1.0)
    assert everything == quick >= requests, "who waits for news is not served slowly"
    looks, in_time = gained("parlour_loop_lag_seconds", 0.05)
    assert looks - in_time >= 2, "the loop stood still for three looks"


def test_what_runs_and_since_when_is_told(serve: Start) -> None:
    """By the time of its start a process that crashes again and again is found out; its other counts begin anew."""
    server = serve()
    started = set()
    for _ in range(3):
        found = samples(server.place.http.get("/metrics").text)
        started.add(found["parlour_start_time_seconds"][0].value)
        assert found["parlour_starts_total"][0].value == 1
        server.kill()
        server.start()
    assert len(started) == 3
    (build,) = samples(server.place.http.get("/metrics").text)["parlour_build_info"]
    assert (build.labels, build.value) == ({"version": parlour.__version__, "python": platform.python_version()}, 1.0)


def test_several_workers_are_counted_together_also_after_one_has_died(serve: Start) -> None:
    server = serve("--workers", "2")

    def counted_now() -> dict[str, list[Sample]]:
        return samples(httpx.get(f"{server.url}/metrics", timeout=30).text)

    until(lambda: counted_now()["parlour_starts_total"][0].value == 2)
    first = counted_now()
    ann, bob = server.place.table_of("Ann", "Bob")
    ann.must("act", ply=0, action=3)
    assert server.process is not None
    workers = [json.loads(line)["worker"] for line in server.log.read_text().splitlines() if "POST" in line]
    os.kill(workers[0], signal.SIGKILL)
    with contextlib.suppress(httpx.TransportError):  # its connections end with it
        server.place.http.get("/healthz")
    begun = first["parlour_start_time_seconds"][0].value
    until(lambda: counted_now()["parlour_start_time_seconds"][0].value > begun)
    until(lambda: counted_now()["parlour_starts_total"][0].value == 3)
    last = counted_now()
    assert len(last["parlour_start_time_seconds"]) == len(last["parlour_build_info"]) == 1
    pools = {sample.labels["pool"] for sample in last["parlour_jobs"]}
    assert pools == {"bots", "hints", "playing", "drawing", "loading", "reads", "writes", "threads"}
    assert last["parlour_move_seconds_count"][0].value >= 0
    assert bob.do("act", ply=1, action=3).status_code == 200


def test_the_age_of_the_last_backup_is_known_whoever_made_it(serve: Start, tmp_path: Path) -> None:
    server = serve()

    def made() -> float:
        found = samples(server.place.http.get("/metrics").text)["parlour_backup_timestamp_seconds"]
        return float(found[0].value)

    assert made() == 0
    assert run(["admin", "--database", server.database, "backup", str(tmp_path / "one.sqlite")]) == 0
    assert abs(until(made) - time.time()) < 60
    told = made()
    server.kill()
    server.start()
    assert made() == told, "also after a restart"


def test_jobs_are_counted_while_they_wait_and_are_done(house: House) -> None:
    jobs = house.services

    async def look() -> list[list[int]]:
        release, seen = threading.Event(), []

        def counts() -> list[int]:
            return [jobs.store.reads, jobs.threads.in_hand, jobs.drawing.in_hand]

        work = [asyncio.create_task(jobs.store.ask(release.wait, 20)) for _ in range(6)]
        work += [asyncio.create_task(asyncio.to_thread(release.wait, 20)) for _ in range(3)]
        work += [asyncio.create_task(jobs.drawing.do("a", release.wait, 20)) for _ in range(2)]
        await asyncio.sleep(0.05)
        seen.append(counts())
        await jobs.note_metrics()
        release.set()
        await asyncio.gather(*work)
        await asyncio.sleep(0.05)
        return [*seen, counts()]

    (reads, *others), after = house.run(look)
    assert reads >= 6, "six of ours, which wait for four threads"
    assert others == [3, 2]
    assert after[1:] == [0, 0]
    told = {sample.labels["pool"]: sample.value for sample in samples(metrics.exposition().decode())["parlour_jobs"]}
    assert told["drawing"] == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_says_where_it_is_when_it_is_asked_and_goes_on(serve: Start, workers: int) -> None:
    server = serve("--workers", str(workers))
    assert server.process is not None
    if workers > 1:
        until(lambda: counted_in(server, "parlour_starts_total") == workers)
    os.kill(server.process.pid, signal.SIGUSR1)
    processes = workers + 1 if workers > 1 else 1
    until(lambda: server.log.read_text().count("Current thread") == processes)
    assert "in _write\n" in server.log.read_text(), "each thread is told, also that which commits"
    assert server.process.poll() is None
    assert server.place.http.get("/readyz").status_code == 200


def counted_in(server: Server, name: str) -> float:
    return float(samples(server.place.http.get("/metrics").text)[name][0].value)


def test_a_server_that_is_told_to_stop_answers_who_waits_for_news(serve: Callable[..., Server]) -> None:
    server = serve()
    table = server.place.open()["table"]["id"]

    def tasks() -> float:
        return float(re.findall(r"^parlour_tasks (.*)", server.place.http.get("/metrics").text, re.MULTILINE)[0])

    before = tasks()
    with ThreadPoolExecutor() as people:
        log = f"/api/tables/{table}/log?since=1000&wait=30"
        waiting = [people.submit(httpx.get, server.url + log, timeout=40) for _ in range(3)]
        until(lambda: tasks() >= before + 3)
        assert server.stop() == 0
        assert [answer.result().status_code for answer in waiting] == [200] * 3
    assert "Exception" not in server.log.read_text()
