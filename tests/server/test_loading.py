"""Tables are brought back from the store within limits, whoever asks: to look never stops others from playing."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from parlour.protocol import Act, OpenTable
from parlour.server.basics.errors import Refusal
from parlour.server.bots.service import BotChoice, BotService
from parlour.server.people import limits
from parlour.server.rooms import rooms
from parlour.server.rooms.room import Room
from parlour.server.store import Append, Stored
from parlour.server.store.schema import TABLES, UNFINISHED
from serving import Build, House, Live, Seat, holder_of, mover, refused, until

ASKING = ("access", "finding", "games", "live", "previews", "tables")


@contextlib.contextmanager
def coming_from(address: str) -> Iterator[None]:
    """All requests meanwhile are from there."""
    with pytest.MonkeyPatch.context() as patching:
        for name in ASKING:
            patching.setattr(f"parlour.server.api.{name}.address_of", lambda _: address)
        yield


def finished(house: House, count: int) -> list[str]:
    """Tables whose matches are over, of which none is in memory."""
    found = []
    for _ in range(count):
        ann, _bob = house.table_of("Ann", "Bob")
        ann.must("resign")
        found.append(ann.table)
    house.services.rooms.in_memory.clear()
    return found


def known(house: House) -> list[str]:
    return list(house.services.rooms.in_memory)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table may leave the memory as soon as it has been shown."""
    monkeypatch.setattr(rooms, "FRESH", -1.0)


# The memory has an end.


@pytest.mark.usefixtures("at_once")
def test_looking_at_many_tables_never_fills_the_memory(build: Build) -> None:
    house = build(tables_in_memory=4)
    tables = finished(house, 9)
    for table in tables:
        assert house.view(table)["phase"] == "over"
        assert len(known(house)) <= 4
    assert known(house) == tables[-4:], "the idlest have gone"
    for _ in range(6):
        house.open()
        assert len(known(house)) <= 4


def test_also_while_all_are_looked_at_just_now(build: Build) -> None:
    """Whoever only looks has to wait. Whoever opens a table, or has a seat, has not."""
    house = build(tables_in_memory=3)
    seats = house.table_of("Ann", "Bob")
    seats[0].must("resign")
    tables = finished(house, 4)
    for table in tables[:3]:
        house.view(table)
    refused(house.http.get(f"/api/tables/{tables[3]}"), "too_many", 429)
    assert seats[0].view()["you"] == 0
    house.open()
    assert len(known(house)) == 3
    token = {"authorization": "Bearer of-nothing"}
    refused(house.http.get(f"/api/tables/{tables[0]}", headers=token), "too_many", 429)


@pytest.mark.usefixtures("at_once")
def test_finished_ones_go_first_and_those_where_somebody_sits_stay(build: Build) -> None:
    house = build(tables_in_memory=4, tables_per_hour=1000)
    over, waiting = finished(house, 1)[0], house.open()["table"]["id"]
    ann, _ = house.table_of("Ann", "Bob", game="goose")
    assert set(known(house)) == {waiting, ann.table}
    house.view(over)
    lea = house.sit(house.open(seats=2)["table"]["id"], "Lea")
    with lea.live():
        assert set(known(house)) == {waiting, ann.table, over, lea.table}
        house.open()
        assert over not in known(house)
        house.open()
        assert waiting not in known(house)
        for _ in range(4):
            house.open()
        assert {ann.table, lea.table} <= set(known(house)), "a clock runs at one, and somebody sits at the other"
        assert len(known(house)) == 4


@pytest.mark.usefixtures("at_once")
def test_who_only_watches_gives_way_to_who_plays(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    house = build(tables_in_memory=2)
    one, two, three = finished(house, 3)
    with house.live(one) as first, house.live(two) as second:
        with house.connect(f"/api/tables/{three}/live") as wire:
            late = Live(wire)
            late.say("hello")
            assert late.hear("bye")["code"] == "too_many"
        opened = house.open()["table"]["id"]
        assert first.hear("bye")["code"] == "busy"
        assert known(house) == [two, opened]
        second.say("ping")
        assert second.hear("pong")


@pytest.mark.usefixtures("at_once")
def test_where_people_play_at_all_tables_another_one_is_refused(build: Build) -> None:
    house = build(tables_in_memory=2)
    tables = [house.table_of("Ann", "Bob", game="goose")[0].table for _ in range(2)]
    refused(house.http.post("/api/tables", json={"game": "goose"}), "too_many", 429)
    assert known(house) == tables


def test_what_is_on_its_way_to_a_table_that_leaves_the_memory_comes_back(house: House) -> None:
    """A command in a room in whose place another stands would be told to nobody: it is tried again."""
    ann, bob = house.table_of("Ann", "Bob")
    stale: Room = house.services.rooms.in_memory[ann.table]

    async def leaves() -> None:
        house.services.rooms._let_go([stale])

    house.run(leaves)
    with bob.live() as live:
        answers: list[Any] = []

        async def late() -> None:
            act = Act(cid="one", ply=0, action=3)
            holder = holder_of(stale, ann.number)
            await house.services.commands.carry_out(stale, holder, act, answers.append, "10.0.0.1")

        house.run(late)
        assert answers[0].code == "busy"
        ann.must("act", cid="one", ply=0, action=3)
        assert live.hear("update")["kind"] == "act"


def test_whoever_waits_for_news_is_told_that_the_table_has_gone(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    room: Room = house.services.rooms.in_memory[ann.table]

    async def waits() -> None:
        waiting = asyncio.create_task(room.wait(room.table.number, 600))
        await asyncio.sleep(0)
        house.services.rooms._let_go([room])
        await asyncio.wait_for(waiting, 60)

    house.run(waits)
    assert room.news.waiting == 0


# Whoever asks pays.


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LOADS_AT_ONCE", 3)
    monkeypatch.setattr(limits, "LOADS_PER_SECOND", 1e-6)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    "path", ["", "/log", "/frames", "/replay", "/summary", "/picture", "/preview.png", "/chances", "/explain?name=x"]
)
def test_who_brings_back_too_many_tables_has_to_wait(build: Build, path: str) -> None:
    house = build()
    tables = finished(house, 5)
    with coming_from("10.0.0.1"):
        for table in tables[:3]:
            assert house.http.get(f"/api/tables/{table}{path}").status_code in (200, 404)
        refused(house.http.get(f"/api/tables/{tables[3]}{path}"), "too_fast", 429, "brought back")
        house.view(tables[0])  # what is in memory costs nothing
        with house.connect(f"/api/tables/{tables[3]}/live") as wire:
            live = Live(wire)
            live.say("hello")
            assert live.hear()["code"] == "too_fast"
    with coming_from("10.0.0.2"):
        assert house.http.get(f"/api/tables/{tables[3]}{path}").status_code != 429


@pytest.mark.usefixtures("few")
def test_who_is_led_to_a_table_pays_for_it_too(build: Build) -> None:
    house = build()
    with coming_from("10.0.0.1"):
        for table in finished(house, 3):
            house.view(table)
        lea = house.table_of("Lea", game="goose", seats=2)[0]
    house.services.rooms.in_memory.clear()
    with coming_from("10.0.0.1"):
        refused(house.http.post("/api/pairings", json={"game": "goose"}), "too_fast", 429)
    with coming_from("10.0.0.2"):
        assert house.http.post("/api/pairings", json={"game": "goose"}).json()["table"]["id"] == lea.table


def test_the_processor_time_counts_too(build: Build) -> None:
    house = build(drawing_per_second=0.001)
    (table,) = finished(house, 1)
    drawing = house.services.limits.drawing
    with coming_from("10.0.0.1"):
        house.view(table)
        _, earned, now = drawing._find("10.0.0.1")
        assert earned > now
        drawing.charge("10.0.0.1", 1000)
        house.services.rooms.in_memory.clear()
        refused(house.http.get(f"/api/tables/{table}"), "too_fast", 429)
    with coming_from("10.0.0.2"):
        house.view(table)


def test_there_is_an_end_to_how_many_are_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """One address waits for some at once; others find their tables meanwhile."""
    tables = finished(house, 23)
    load, go = rooms.Rooms._load, asyncio.Event()

    async def slow(found: rooms.Rooms, table: str, *asked_by: str | None) -> Room:
        await go.wait()
        return await load(found, table, *asked_by)

    monkeypatch.setattr(rooms.Rooms, "_load", slow)

    async def ask() -> list[Any]:
        get = house.services.rooms.get
        asked = [asyncio.create_task(get(table, "10.0.0.1")) for table in tables[:22]]
        asked.append(asyncio.create_task(get(tables[22], "10.0.0.2")))
        await asyncio.sleep(0.05)
        go.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    found = house.run(ask)
    codes = [one.code if isinstance(one, Refusal) else "" for one in found]
    assert codes == [""] * 20 + ["too_fast"] * 2 + [""]


@pytest.mark.usefixtures("few")
def test_what_the_server_itself_brings_back_counts_for_nobody(house: House) -> None:
    tables = [house.table_of("Ann", "Bob", game="goose")[0].table for _ in range(5)]
    house.services.rooms.in_memory.clear()
    with house.services.store._writing() as connection:
        connection.execute(TABLES.update().values(wake=1.0))
    house.run(house.services.housekeeping._take_up_due)
    assert set(known(house)) == set(tables)


@pytest.mark.usefixtures("at_once")
def test_what_is_due_is_looked_at_again_soon_where_the_memory_is_full(build: Build) -> None:
    house = build(tables_in_memory=2)
    due = house.table_of("Ann", "Bob", game="goose")[0].table
    house.services.rooms.in_memory.clear()
    playing = [house.table_of("Ann", "Bob", game="goose")[0].table for _ in range(2)]
    with house.services.store._writing() as connection:
        connection.execute(TABLES.update().where(TABLES.c.id == due).values(wake=1.0))
    house.run(house.services.housekeeping._take_up_due)
    assert known(house) == playing
    with house.services.store.engine.begin() as connection:
        wake = connection.scalar(TABLES.select().with_only_columns(TABLES.c.wake).where(TABLES.c.id == due))
    assert wake is not None
    assert wake - house.services.clock.now() < 100


# Whose table it is.


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """For whom bots think."""
    owners: list[str] = []

    async def choose(bots: BotService, table: str, bot: str, match: Any, owner: str) -> BotChoice:
        owners.append(owner)
        return BotChoice(match.legal()[0])

    monkeypatch.setattr(BotService, "choose", choose)
    return owners


def test_bots_think_for_who_opened_the_table_also_after_a_restart(
    build: Build, tmp_path: Path, thinking: list[str]
) -> None:
    house = build(database=f"sqlite:///{tmp_path}/kept.sqlite")
    with coming_from("10.0.0.1"):
        table = house.open(seats=2, bots={"1": "random"})["table"]["id"]
    with coming_from("10.0.0.2"):
        ann = house.sit(table, "Ann")
        if ann.view()["choices"]:
            ann.must("act", ply=0, action=3)
        until(lambda: ann.view()["choices"] and thinking)
    again = build(database=f"sqlite:///{tmp_path}/kept.sqlite")
    with coming_from("10.0.0.3"):
        again.view(table)
        with again.live(table):
            pass
    before = len(thinking)
    with coming_from("10.0.0.2"):
        seat = Seat(again, table, ann.number, ann.token)
        seat.must("act", ply=seat.view()["position"]["ply"], action=0)
        until(lambda: len(thinking) > before)
    assert set(thinking) == {house.services.store.opener("10.0.0.1")}


def test_a_table_of_which_it_is_not_known_belongs_to_who_sits_there(house: House) -> None:
    """Of old versions, and never to somebody who only looks."""
    ann, bob = house.table_of("Ann", "Bob")
    room: Room = house.services.rooms.in_memory[ann.table]
    room.owner = ""
    with coming_from("10.0.0.1"):
        house.view(ann.table)
        house.log(ann.table)
        with house.live(ann.table):
            pass
        house.http.get(f"/api/tables/{ann.table}", headers={"authorization": "Bearer of-nothing"})
    assert room.owner == ""
    with coming_from("10.0.0.2"), bob.live():
        pass
    with coming_from("10.0.0.3"):
        mover([ann, bob]).must("act", ply=0, action=3)
    assert room.owner == house.services.store.opener("10.0.0.2")


def test_a_rematch_counts_for_who_asks_for_it(build: Build) -> None:
    house = build(tables_per_address=1, bots_per_address=2)
    store = house.services.store

    def opened(address: str) -> int:
        with store.engine.connect() as connection:
            theirs = select(func.count()).where(UNFINISHED.c.opener == store.opener(address))
            return connection.scalar(theirs) or 0

    with coming_from("10.0.0.1"):
        ann, bob = house.table_of("Ann", "Bob")
        ann.must("resign")
    with coming_from("10.0.0.3"):
        house.view(ann.table)  # whoever looks pays for nothing
        house.open()
    with coming_from("10.0.0.2"):
        bob.must("rematch")
    assert [opened(address) for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3")] == [0, 1, 1]
    with coming_from("10.0.0.2"):
        refused(house.http.post("/api/tables", json={"game": "goose"}), "too_many", 429)
    with coming_from("10.0.0.1"):
        house.open()


@pytest.mark.parametrize("first", ["opened", "loaded"])
def test_a_table_has_one_room_also_where_it_is_looked_at_while_it_is_opened(house: House, first: str) -> None:
    """It stands in lists from the moment that it is written. In two rooms, nobody would hear of those in the other."""
    services = house.services
    append, load = services.store.append, services.store.load
    reading = threading.Event()

    async def race() -> None:
        written, goes_on = asyncio.Event(), asyncio.Event()

        async def write(opening: Append) -> None:
            await append(opening)
            written.set()
            await goes_on.wait()

        def read(table_id: str) -> Stored | None:
            found = load(table_id)
            reading.wait(10)
            return found

        with pytest.MonkeyPatch.context() as patching:
            patching.setattr(services.store, "append", write)
            patching.setattr(services.store, "load", read)
            opening = asyncio.create_task(services.opener.open_table(OpenTable("goose"), "10.0.0.1"))
            await written.wait()
            (line,) = await services.store.ask(lambda: services.store.lists.lines(["open"]))
            looking = asyncio.create_task(services.rooms.get(line.id, "10.0.0.2"))
            await asyncio.sleep(0)
            if first == "opened":
                goes_on.set()
                await opening
                reading.set()
            else:
                reading.set()
                await looking
                goes_on.set()
            rooms = {id(await opening), id(await looking), id(services.rooms.in_memory[line.id])}
            assert len(rooms) == 1

    house.run(race)
