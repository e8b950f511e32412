"""The chores of a process: one bad table never harms another, and what could not be done is tried again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from parlour.protocol import AnyEntry
from parlour.server.api import live
from parlour.server.basics.errors import Refusal
from parlour.server.cluster.bus import Bus, Signal
from parlour.server.rooms import scheduler
from parlour.server.rooms.commands import Commands
from parlour.server.rooms.room import Room
from parlour.server.rooms.rooms import Rooms
from parlour.server.running import housekeeping
from parlour.server.store.schema import TABLES
from serving import Build, House, until


@pytest.fixture
def two(build: Build, tmp_path: Path) -> list[House]:
    """Two processes that serve the same tables."""
    return [build(database=f"sqlite:///{tmp_path / 'both.sqlite'}", workers=2) for _ in range(2)]


def test_a_table_that_cannot_catch_up_keeps_no_other_from_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [house.open()["table"]["id"] for _ in range(3)]
    tried: list[str] = []

    async def fails(room: Room) -> list[AnyEntry]:
        tried.append(room.id)
        raise RuntimeError("it cannot be read")

    monkeypatch.setattr(Room, "catch_up", fails)
    monkeypatch.setattr(house.services.store, "newest", lambda known: dict.fromkeys(known, 99))
    house.run(house.services.housekeeping.poll)
    assert sorted(tried) == sorted(tables)


def test_what_no_hint_told_of_is_found_before_long(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while Redis is up: a hint can be lost. The whole of every table is looked for, however late it is."""
    table, asked = house.open()["table"]["id"], list[list[str]]()

    def newest(known: list[str]) -> dict[str, int]:
        asked.append(known)
        return {}

    monkeypatch.setattr(house.services.store, "newest", newest)
    house.services.bus.is_up = True
    for seconds in (3600.0, 0.0):
        house.run(house.services.clock.set, house.services.clock.now() + seconds)
        house.run(house.services.housekeeping.poll)
    assert asked == [[table]]


def test_a_table_that_cannot_be_taken_up_keeps_no_other_from_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "AT_ONCE", 1)
    bad, good = (house.table_of("Ann", "Bob")[0].table for _ in range(2))
    load = Rooms._load

    async def loaded(rooms: Rooms, table: str, *asked_by: str | None) -> Room:
        if table == bad:
            raise RuntimeError("it cannot be read")
        return await load(rooms, table, *asked_by)

    monkeypatch.setattr(Rooms, "_load", loaded)
    house.services.rooms.in_memory.clear()
    with house.services.store._writing() as connection:
        for wake, table in enumerate((bad, good), 1):
            connection.execute(TABLES.update().where(TABLES.c.id == table).values(wake=wake))
    for _ in range(2):
        house.run(house.services.housekeeping.sweep)
    assert list(house.services.rooms.in_memory) == [good]


def test_a_hint_that_cannot_be_followed_is_no_end() -> None:
    bus = Bus("", "one", AsyncMock(side_effect=RuntimeError("a bug")))
    packed = msgspec.json.encode(Signal("two", "x", 1))
    asyncio.run(bus._take(bus._code(packed) + packed))


def test_hints_that_come_together_are_all_followed() -> None:
    heard = AsyncMock()
    bus = Bus("", "one", heard)
    signals = [Signal("two", "x", 1), Signal("one", "y", 1), Signal("two", "z", 2)]
    packed = msgspec.json.encode(signals)
    asyncio.run(bus._take(bus._code(packed) + packed))
    assert [call.args[0].table_id for call in heard.await_args_list] == ["x", "z"], "one's own are no news"


def test_for_the_lease_of_a_table_that_another_minds_one_asks_seldom(two: list[House]) -> None:
    one, other = two
    ann, _ = one.table_of("Ann", "Bob", grace=3600)
    until(lambda: one.services.scheduler.term(one.services.rooms.in_memory[ann.table]))
    other.view(ann.table)
    schedule = other.services.scheduler._schedules[ann.table]
    until(lambda: not schedule.is_busy)

    async def left() -> float:
        return schedule.timer.when() - asyncio.get_running_loop().time() if schedule.timer else 0.0

    assert schedule.term is None
    assert other.run(left) > scheduler.LOOK - 5


def test_whoever_returns_is_let_back_though_it_fails_at_first(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "RETRY", 0.01)
    back, failures = Commands.welcome_back, list[Refusal]()

    async def fails_once(commands: Commands, *arguments: Any) -> None:
        if failures:
            raise failures.pop()
        await back(commands, *arguments)

    monkeypatch.setattr(Commands, "welcome_back", fails_once)
    ann, bob = house.table_of("Ann", "Bob", grace=90)
    with bob.live():
        house.pass_time(ann.table, 91)
        until(lambda: house.view(ann.table)["seats"][0]["away"])
        failures.append(Refusal("busy", "for once"))
        with ann.live():
            until(lambda: house.view(ann.table)["seats"][0]["away"] is None, 5)
        assert not failures
