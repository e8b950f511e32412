"""A seat that stays away is taken over after a grace that everybody sees, and given back when its person returns."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest

from parlour.server.rooms import room as room_of_tables
from parlour.server.rooms import scheduler
from parlour.server.running import services
from parlour.server.tables import presence
from parlour.server.tables.listener import Listener
from serving import Build, House, Seat, mover, refused, until

GRACE = 90.0


@pytest.fixture
def house(still: None, build: Build) -> House:
    return build()


def seat_view(seat: Seat) -> dict[str, object]:
    view: dict[str, object] = seat.at.view(seat.table)["seats"][seat.number]
    return view


def is_here(house: House, seat: Seat) -> bool:
    """Whether the seat has a socket here."""
    return any(one.seat == seat.number for one in house.services.rooms.in_memory[seat.table].presence.listeners)


def test_a_bot_takes_over_after_the_grace_and_not_before(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", grace=GRACE)
    house.pass_time(ann.table, GRACE - 5)
    assert seat_view(ann)["away"] is None
    house.pass_time(ann.table, 10)
    until(lambda: house.view(ann.table)["position"]["to_move"] == 1)
    assert (seat_view(ann)["away"], seat_view(ann)["stand_in"]) == ("absent", "mcts:2")
    assert seat_view(bob)["away"] is None, "nobody waits for Bob yet"


def test_everybody_sees_the_grace(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", grace=GRACE)
    with bob.live() as live:
        with ann.live():
            while live.hear("presence")["here"] != [0, 1]:
                pass
            house.pass_time(ann.table, 61)  # the requests by which they sat down
        while (told := live.hear("presence"))["here"] != [1]:
            pass
        assert 0 < told["grace"]["0"] <= GRACE


def test_who_returns_gets_the_seat_back(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", grace=GRACE)
    house.pass_time(ann.table, GRACE + 1)
    until(lambda: house.view(ann.table)["position"]["to_move"] == 1)
    with house.live(ann.table) as eve, ann.live():
        assert eve.hear("update")["kind"] == "back"
        assert seat_view(ann)["away"] is None
        bob.must("act", ply=1, action=0)
        time.sleep(0.1)
        assert house.view(ann.table)["position"]["to_move"] == 0, "no bot plays for her"
        ann.must("act", ply=2, action=0)


def test_who_acts_has_returned(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", grace=GRACE)
    house.pass_time(ann.table, GRACE + 1)
    until(lambda: house.view(ann.table)["position"]["to_move"] == 1)
    ann.must("back")
    refused(ann.do("back"), "forbidden", 403, "nobody plays")
    bob.must("act", ply=1, action=0)
    ann.must("act", ply=2, action=0)


def test_grace_begins_when_the_last_socket_is_gone(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", grace=GRACE)
    with bob.live():
        with ann.live():
            house.pass_time(ann.table, 800)
            assert seat_view(ann)["away"] is None, "who is there may think"
        until(lambda: not is_here(house, ann))
        assert seat_view(ann)["away"] is None
        house.pass_time(ann.table, GRACE - 5)
        assert seat_view(ann)["away"] is None
        house.pass_time(ann.table, 10)
        until(lambda: seat_view(ann)["away"] == "absent")


def test_grace_begins_when_the_last_socket_at_another_process_is_gone(
    still: None, build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for chore in ("SWEEP", "BEAT"):
        monkeypatch.setattr(services, chore, 10_000.0)
    houses = [build(database=f"sqlite:///{tmp_path / 'both.sqlite'}", workers=2) for _ in range(2)]
    one, two = houses
    ann, _ = one.table_of("Ann", "Bob", grace=GRACE)

    def pass_everywhere(seconds: float) -> None:
        for house in (two, one):  # whoever is there is known to be there, whenever the other looks
            house.run(house.services.clock.set, house.services.clock.now() + seconds)
            house.run(house.services.housekeeping.beat)
        for house in (one, two):  # whichever of them minds the table now
            house.pass_time(ann.table, 0)

    with Seat(two, ann.table, ann.number, ann.token).live():
        for _ in range(8):
            pass_everywhere(100)
            assert seat_view(ann)["away"] is None, "who is there may think"
    until(lambda: not is_here(two, ann))
    pass_everywhere(GRACE - 10)
    assert seat_view(ann)["away"] is None
    pass_everywhere(20)
    until(lambda: seat_view(ann)["away"] == "absent")


def test_who_comes_back_at_the_last_moment_is_not_replaced(house: House) -> None:
    """The grace is over, but something else is still being written."""
    ann, _ = house.table_of("Ann", "Bob", grace=GRACE)

    async def come_back() -> str | None:
        room = await house.services.rooms.get(ann.table)
        async with room.lock:
            house.services.clock.set(house.services.clock.now() + GRACE + 1)
            house.services.scheduler.wake(room)
            await asyncio.sleep(0.05)
            listener = Listener(AsyncMock(), Mock())
            listener.act_for(ann.number, ann.token)
            room.join(listener)
        await asyncio.sleep(0.05)
        async with room.lock:
            return room.table.chairs[ann.number].away

    assert house.run(come_back) is None


def test_who_is_there_and_does_nothing_is_taken_over_in_the_end(still: None, build: Build) -> None:
    house = build(patience=900)
    ann, bob = house.table_of("Ann", "Bob")
    with ann.live(), bob.live():
        house.pass_time(ann.table, 905)
        until(lambda: seat_view(ann)["away"] == "absent")


def test_whoever_plays_alone_may_be_away_for_long(still: None, build: Build) -> None:
    house = build(solo_grace=86400)
    seat = house.sit(house.open("goose", seats=2, bots={"1": "random"}, grace=5)["table"]["id"], "Ann")
    until(lambda: seat.view()["choices"])
    house.pass_time(seat.table, 80_000)
    assert seat_view(seat)["away"] is None
    house.pass_time(seat.table, 7_000)
    assert seat_view(seat)["away"] == "absent"


def test_a_match_that_everybody_has_left_rests_until_somebody_looks(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the table leaves the memory sooner than the grace is over."""
    monkeypatch.setattr(services, "SWEEP", 0.05)
    monkeypatch.setattr(presence, "HTTP_HERE", 0.1)
    monkeypatch.setattr(scheduler, "LOOK", 0.1)
    monkeypatch.setattr(room_of_tables, "WATCHED_FOR", 0.2)
    house = build(idle=0.1, grace=0.5)
    ann, bob = house.table_of("Ann", "Bob", game="goose")
    until(lambda: kinds(house, ann.table).count("away") == 2)
    until(lambda: ann.table not in house.services.rooms.in_memory)
    before = kinds(house, ann.table)
    time.sleep(0.5)
    assert kinds(house, ann.table) == before, "bots play on for nobody"
    with bob.live():
        until(lambda: "back" in kinds(house, ann.table))


def kinds(house: House, table: str) -> list[str]:
    """The entries of a table's log, read so that it does not come into memory by that."""
    stored = house.run(house.services.store.ask, house.services.store.load_whole, table)
    assert stored is not None
    return [entry.kind for entry in stored.entries]


def test_a_match_that_everybody_has_left_rests_after_a_restart(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken up once, for those who did not come back, and not again."""
    monkeypatch.setattr(services, "SWEEP", 0.05)
    house = build(grace=0.5)
    ann, _ = house.table_of("Ann", "Bob", game="goose")
    house.http.__exit__(None, None, None)
    again = build(grace=0.5, database=house.services.config.database, idle=0.1)
    until(lambda: kinds(again, ann.table).count("away") == 2)
    until(lambda: ann.table not in again.services.rooms.in_memory)
    before = kinds(again, ann.table)
    time.sleep(0.3)
    assert kinds(again, ann.table) == before
    assert ann.table not in again.services.rooms.in_memory
    with again.live(ann.table):
        until(lambda: len(kinds(again, ann.table)) > len(before))


def test_who_came_by_http_and_said_nothing_more_is_away(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "HTTP_HERE", 0.3)
    monkeypatch.setattr(scheduler, "LOOK", 0.1)
    house = build(grace=0.5, patience=600)
    seats = house.table_of("Ann", "Bob", game="goose")
    first = mover(seats)
    until(lambda: "away" in [entry["kind"] for entry in house.log(first.table)])


def test_a_table_that_nobody_looks_at_leaves_the_memory(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "SWEEP", 0.05)
    house = build(idle=3600)
    table = house.open()["table"]["id"]
    ann, bob = house.table_of("Ann", "Bob")
    bob.must("resign")
    rooms = house.services.rooms
    assert {table, ann.table} <= set(rooms.in_memory)
    rooms.config = msgspec.structs.replace(rooms.config, idle=0.1)
    until(lambda: not house.services.rooms.in_memory)
    assert house.view(ann.table)["ending"]["winners"] == [0]
    with house.live(table):
        time.sleep(0.3)
        assert table in house.services.rooms.in_memory, "somebody watches"
