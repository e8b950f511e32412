"""Several processes that serve the same tables: PostgreSQL keeps them, Redis only wakes."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest
import redis as client
from sqlalchemy import Connection, insert, select, text

from databases import Postgres, Redis
from parlour.engine import replay
from parlour.engine.match import Match
from parlour.server.basics.steady import SteadyClock
from parlour.server.bots.service import BotChoice, BotService
from parlour.server.cluster import bus
from parlour.server.cluster.bus import CHANNEL, Bus, Signal
from parlour.server.rooms import scheduler
from parlour.server.running import housekeeping
from parlour.server.store import engine as engines
from parlour.server.store.processes import Processes
from parlour.server.store.schema import OUTAGES, PROCESSES, TABLES
from serving import PATIENCE, Build, House, Place, Seat, Server, bearer, refused, until

pytestmark = pytest.mark.xdist_group("postgres")
Start = Callable[..., Server]


def test_workers_that_begin_at_the_same_moment_note_one_outage(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engines.connect(postgres.new_database())
    engines.migrate(engine)
    with engine.begin() as connection:
        connection.execute(insert(PROCESSES).values(id="before", until=100.0, clock=100.0))
    first, second = (Processes(engine, name, SteadyClock()) for name in ("first", "second"))
    inside, beat = threading.Event(), first._beat

    def is_blocked() -> bool:
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        with engine.begin() as connection:
            return bool(connection.execute(text(waiting)).scalar())

    def beat_once_the_other_waits(connection: Connection) -> None:
        inside.set()
        until(is_blocked)
        beat(connection)

    monkeypatch.setattr(first, "_beat", beat_once_the_other_waits)
    with ThreadPoolExecutor() as pool:
        begun = [pool.submit(first.begin)]
        assert inside.wait(PATIENCE)
        begun.append(pool.submit(second.begin))
        for one in begun:
            one.result(PATIENCE)
    with engine.begin() as connection:
        assert len(connection.execute(select(OUTAGES)).all()) == 1
    engine.dispose()


def act_when_due(seat: Seat) -> None:
    """Play, as a program would that knows nothing but its own process."""
    view = seat.view()
    if view["choices"]:
        seat.do("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])


def play_together(seats: list[Seat]) -> dict[str, Any]:
    end = time.monotonic() + 60
    while seats[0].view()["phase"] != "over":
        assert time.monotonic() < end, seats[0].view()
        for seat in seats:
            act_when_due(seat)
    return until(lambda: seats[-1].view()["phase"] == "over" and seats[-1].view())  # type: ignore[no-any-return]


def check_log(place: Place, table: str) -> None:
    """Nothing is missing, and nothing is there twice."""
    entries = place.log(table)
    assert [entry["number"] for entry in entries] == list(range(1, len(entries) + 1))
    plies = [entry["body"]["ply"] for entry in entries if entry["kind"] == "act"]
    assert plies == list(range(len(plies)))
    match = replay.run(replay.loads(place.http.get(f"/api/tables/{table}/replay").text))
    assert match.over
    assert len(match.plies) == len(plies)


@pytest.mark.parametrize("with_redis", [False, True])
def test_people_on_two_processes_play_a_match_to_its_end(
    serve: Start, postgres: Postgres, request: pytest.FixtureRequest, with_redis: bool
) -> None:
    database = postgres.new_database()
    flags = ["--redis", request.getfixturevalue("redis").url] if with_redis else []
    one, two = serve(*flags, database=database), serve(*flags, database=database)
    table = one.place.open("goose", seats=4, bots={"1": "random", "3": "greedy"})["table"]["id"]
    seats = [one.place.sit(table, "Ann"), two.place.sit(table, "Bob")]
    with two.place.live(table) as eve:
        play_together(seats)
        numbers = [message["number"] for message in eve.heard if message["type"] == "update"]
        while not (update := eve.hear("update"))["ending"]:
            numbers.append(update["number"])
    assert numbers == sorted(set(numbers))
    assert one.place.view(table)["ending"] == two.place.view(table)["ending"]
    check_log(one.place, table)
    check_log(two.place, table)


def test_the_workers_of_one_server_share_their_tables(serve: Start, postgres: Postgres) -> None:
    server = serve("--workers", "2", database=postgres.new_database())
    seats = server.place.table_of("Ann", "Bob", game="goose")
    play_together(seats)
    check_log(server.place, seats[0].table)
    assert "parlour_commands" in server.place.http.get("/metrics").text


def test_when_one_process_ends_the_other_plays_its_bots(serve: Start, postgres: Postgres) -> None:
    database = postgres.new_database()
    one, two = serve(database=database), serve(database=database)
    table = one.place.open("connect_four", bots={"1": "random"})["table"]["id"]
    ann = one.place.sit(table, "Ann")
    act_when_due(ann)
    until(lambda: one.place.view(table)["position"]["ply"] == 2)
    assert one.stop() == 0
    ann.at = two.place
    until(lambda: ann.view()["choices"])
    act_when_due(ann)
    until(lambda: two.place.view(table)["position"]["ply"] == 4)


# The same with two halls in this process, whose insides are within reach.


@pytest.fixture
def houses(build: Build, postgres: Postgres) -> tuple[House, House]:
    database = postgres.new_database()
    return build(database=database), build(database=database)


def test_a_token_is_good_at_every_process_at_once(houses: tuple[House, House]) -> None:
    one, two = houses
    table = one.open()["table"]["id"]
    two.view(table)  # it is in the other's memory, without anybody at it
    ann = one.sit(table, "Ann")
    ann.at = two
    ann.must("chat", text="hello")
    assert one.sit(table, "Bob").number == 1


def test_a_token_that_was_renewed_is_good_at_none(houses: tuple[House, House]) -> None:
    one, two = houses
    ann, _ = one.table_of("Ann", "Bob")
    with two.live(ann.table, ann.token) as live:
        new = one.http.post(f"/api/tables/{ann.table}/renew", headers=bearer(ann.token)).json()["token"]
        assert live.hear("update")["kind"] == "renew"
        assert live.ask("act", ply=0, action=3)["code"] == "unauthorised"
    ann.at = two
    refused(ann.do("act", ply=0, action=3), "unauthorised", 401)
    ann.token = new
    ann.must("act", ply=0, action=3)


def test_of_two_commands_at_once_on_two_processes_one_is_carried_out(houses: tuple[House, House]) -> None:
    one, two = houses
    ann, _ = one.table_of("Ann", "Bob")
    two.view(ann.table)
    other = Seat(two, ann.table, 0, ann.token)
    answers = [ann.do("act", ply=0, action=3), other.do("act", ply=0, action=4)]
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    same = [ann.do("chat", cid="hi", text="hello").json(), other.do("chat", cid="hi", text="hello").json()]
    assert same[0] == same[1], "the same cid at another process gets the same answer"
    until(lambda: two.view(ann.table)["number"] == one.view(ann.table)["number"] == 5)


def test_a_process_whose_lease_was_taken_plays_nothing(
    houses: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bot has thought for so long that another process minds the table by now."""

    async def choose(self: BotService, table_id: str, bot: str, match: Match, owner: str) -> BotChoice:
        await self.turns.run(owner, None, time.sleep, 0.5)
        return BotChoice(match.legal()[0])

    monkeypatch.setattr(BotService, "choose", choose)
    monkeypatch.setattr(scheduler, "LOOK", 0.3)
    monkeypatch.setattr(scheduler, "ASK_EVERY", 0.3)
    one, _ = houses
    table = one.open(bots={"0": "random", "1": "random"})["table"]["id"]
    room = one.services.rooms.in_memory[table]
    until(lambda: one.services.scheduler.term(room))
    with one.services.store._writing() as connection:
        connection.execute(text("INSERT INTO processes VALUES ('other', extract(epoch from now()) + 60, 0)"))
        connection.execute(text("UPDATE tables SET owner = 'other', term = term + 1"))
    until(lambda: one.services.scheduler.term(room) is None)
    time.sleep(0.2)
    assert [entry["kind"] for entry in one.log(table)] == ["bot", "bot", "start"]
    with one.services.store._writing() as connection:
        connection.execute(text("DELETE FROM processes WHERE id = 'other'"))
    until(lambda: one.log(table)[-1]["kind"] == "act")


def test_a_process_that_joins_agrees_on_the_time(
    build: Build, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the system's clock has jumped since the first one began."""
    database = postgres.new_database()
    one = build(database=database, workers=2)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600)
    two = build(database=database, workers=2)
    assert two.services.clock.now() == pytest.approx(one.services.clock.now(), abs=6)


def test_play_goes_on_while_redis_is_down(build: Build, postgres: Postgres, redis: Redis) -> None:
    database = postgres.new_database()
    one, two = (build(database=database, redis=redis.url) for _ in range(2))
    until(lambda: one.services.bus.is_up and two.services.bus.is_up)
    ann, bob = one.table_of("Ann", "Bob")
    bob.at = two
    with bob.live() as live:
        ann.must("act", ply=0, action=3)
        live.hear("update", seconds=5)
        redis.stop()
        until(lambda: not one.services.bus.is_up and not two.services.bus.is_up)
        bob.must("act", ply=1, action=3)
        until(lambda: one.view(ann.table)["position"]["ply"] == 2)
        ann.must("act", ply=2, action=3)
        while live.hear("update", seconds=5)["body"].get("ply") != 2:
            pass
        redis.start()
        until(lambda: one.services.bus.is_up and two.services.bus.is_up)


def test_a_redis_that_says_nothing_counts_as_down(build: Build, postgres: Postgres, redis: Redis) -> None:
    """It is stopped, not dead: its sockets stay open. Others still hear of moves soon."""
    database = postgres.new_database()
    one, two = (build(database=database, redis=redis.url) for _ in range(2))
    until(lambda: one.services.bus.is_up and two.services.bus.is_up)
    ann, bob = one.table_of("Ann", "Bob")
    bob.at = two
    with bob.live() as live:
        redis.pause()
        try:
            until(lambda: not one.services.bus.is_up and not two.services.bus.is_up, 6)
            ann.must("act", ply=0, action=3)
            assert live.hear("update", seconds=2)["kind"] == "act"
        finally:
            redis.go_on()
        until(lambda: one.services.bus.is_up and two.services.bus.is_up)


@pytest.mark.parametrize("fault", ["falls silent", "breaks"])
def test_a_bad_line_to_redis_is_replaced(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """One that is open and dead, as after a failure of the network; and one that the library gives up in some way."""
    monkeypatch.setattr(bus, "SILENCE", 0.2)
    monkeypatch.setattr(bus, "RETRY", 0.01)
    lines: list[int] = []  # how many messages came by each

    class Line:
        async def __aenter__(self) -> Line:
            lines.append(0)
            return self

        async def __aexit__(self, *reason: object) -> None:
            pass

        async def subscribe(self, channel: str) -> None:
            pass

        async def get_message(self, timeout: float | None) -> dict[str, str]:
            lines[-1] += 1
            if len(lines) == 1 and lines[-1] == 3:
                if fault == "breaks":
                    raise RuntimeError("read() called while another coroutine is already waiting for incoming data")
                await asyncio.Event().wait()
            await asyncio.sleep(0.01)
            return {"type": "subscribe"}

    async def listen() -> None:
        hints = Bus("redis://127.0.0.1:1", "one", AsyncMock())
        hints._redis = Mock(pubsub=Line, publish=AsyncMock(), aclose=AsyncMock())
        hints.open()
        async with asyncio.timeout(20):
            while len(lines) < 2 or not hints.is_up:
                await asyncio.sleep(0.01)
        await hints.close()

    asyncio.run(listen())


def test_whoever_else_reaches_redis_is_not_listened_to(build: Build, postgres: Postgres, redis: Redis) -> None:
    house = build(database=postgres.new_database(), redis=redis.url)
    until(lambda: house.services.bus.is_up)
    ann, _ = house.table_of("Ann", "Bob")
    with house.live(ann.table) as live:
        house.services.rooms.in_memory[ann.table].presence._asked.clear()
        with client.from_url(redis.url) as other:
            for message in (b"nonsense", b"\xff" * 40, msgspec.json.encode(Signal("x", ann.table, 99, [0, 1]))):
                other.publish(CHANNEL, message)
                other.publish(CHANNEL, bytes(16) + message)
        time.sleep(0.5)
        assert house.services.rooms.in_memory[ann.table].presence.here() == []
        ann.must("act", ply=0, action=3)
        assert live.hear("update")["kind"] == "act"
    assert house.services.bus.is_up


def test_a_table_that_was_deleted_elsewhere_harms_no_other(houses: tuple[House, House]) -> None:
    """It is forgotten, and whoever is at other tables still counts as there."""
    one, _ = houses
    gone, ann = one.table_of("Ann", "Bob")[0], one.table_of("Ann", "Bob")[0]
    with gone.live() as left, ann.live():
        with one.services.store._writing() as connection:
            connection.execute(text("DELETE FROM tables WHERE id = :id"), {"id": gone.table})
        one.run(one.services.housekeeping.beat)
        assert one.services.store.processes.last_seen(ann.table, ann.number) is not None
        assert left.hear("bye")["code"] == "not_found"
    assert gone.table not in one.services.rooms.in_memory


def older(connection: Connection, table: str) -> bytes:
    """What was settled at a table, but for rules of another version."""
    spec = json.loads(connection.execute(select(TABLES.c.facts).where(TABLES.c.id == table)).scalar_one())
    return json.dumps({**spec, "rules": 99}).encode()


def test_tables_that_cannot_be_taken_up_do_not_keep_others_from_it(
    houses: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "AT_ONCE", 3)
    one, _ = houses
    stranded = [one.table_of("Ann", "Bob")[0].table for _ in range(4)]
    due = one.sit(one.open(bots={"1": "random"})["table"]["id"], "Ann")
    for table in [*stranded, due.table]:
        room = one.services.rooms.in_memory.pop(table)
        leased = one.run(one.services.scheduler.forget, [room])
        one.services.store.processes.release(leased)
    with one.services.store._writing() as connection:
        for table in stranded:
            connection.execute(TABLES.update().where(TABLES.c.id == table).values(facts=older(connection, table)))
        connection.execute(text("UPDATE tables SET wake = 1 WHERE id = ANY(:ids)"), {"ids": stranded})
        connection.execute(text("UPDATE tables SET wake = 2 WHERE id = :id"), {"id": due.table})
    until(lambda: any(due.table in house.services.rooms.in_memory for house in houses), 40)


def test_a_process_leaves_alone_what_another_minds(houses: tuple[House, House]) -> None:
    one, two = houses
    ann, _ = one.table_of("Ann", "Bob", grace=3600)
    until(lambda: one.services.scheduler.term(one.services.rooms.in_memory[ann.table]))
    with one.services.store._writing() as connection:
        connection.execute(text("UPDATE tables SET wake = 1"))
    two.run(two.services.housekeeping.sweep)
    assert ann.table not in two.services.rooms.in_memory


def test_without_its_database_a_server_is_not_ready(build: Build, postgres: Postgres) -> None:
    """And says so, instead of failing; when the database is back, play goes on where it was."""
    house = build(database=postgres.new_database())
    ann, _ = house.table_of("Ann", "Bob")
    assert house.http.get("/readyz").status_code == 200
    postgres.stop()
    try:
        until(lambda: house.http.get("/readyz").status_code == 503)
        assert house.http.get("/healthz").status_code == 200
        refused(ann.do("act", cid="one", ply=0, action=3), "not_saved", 503, "try again")
        assert house.http.get("/api/tables").status_code == 503
        assert house.view(ann.table)["position"]["ply"] == 0
        refused(house.http.get("/api/tables/unknown"), "busy", 503)
    finally:
        postgres.start()
    until(lambda: house.http.get("/readyz").status_code == 200)
    ann.must("act", cid="one", ply=0, action=3)


@pytest.mark.parametrize("query", ["name=%00", "game=%00", "name=%ED%A0%80", "before=nan", "before=1e400"])
def test_strange_searches_are_no_trouble(houses: tuple[House, House], query: str) -> None:
    assert houses[0].http.get(f"/api/tables?{query}").status_code in (200, 400)
    assert houses[0].http.get("/api/tables/%00").status_code == 404
