"""Two processes that serve the same table, one of them behind the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import update

from parlour import protocol
from parlour.server import services
from parlour.server.config import Config
from parlour.server.housekeeping import SWEEP
from parlour.server.room import Room
from parlour.server.scheduler import LOOK, Duty, Scheduler
from parlour.server.services import Services
from parlour.server.store.schema import TABLES


async def answer(room: Room, seat: int, cid: str) -> protocol.Ack | protocol.Reject:
    """What the seat is answered that drops into the first column, at the ply that is also the cid."""
    answers: list[protocol.Ack | protocol.Reject] = []
    await room.command(protocol.Act(cid=cid, ply=int(cid), action=0), seat, answers.append)
    return answers[0]


def test_a_move_sent_again_to_a_process_that_is_behind_gets_its_first_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing tells the other process what has happened: it neither looks at the store nor minds the table.
    monkeypatch.setattr(services, "POLL", 3600.0)
    monkeypatch.setattr(Scheduler, "tend", lambda scheduler, room: None)
    config = Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)

    async def play() -> None:
        here, there = Services(config), Services(config)
        await here.open()
        await there.open()
        room = await here.opener.open_table(protocol.OpenTable(game="connect_four"), "")
        for name in ("Ann", "Bob"):
            await here.commands.sit(room, protocol.Sit(name=name), None)
        behind = await there.rooms.get(room.id)
        first = room.table.to_move
        assert first is not None
        await answer(room, first, "0")
        told = await answer(room, 1 - first, "1")
        assert isinstance(told, protocol.Ack)
        assert behind.table.ply == 0
        assert await answer(behind, 1 - first, "1") == told
        await here.close()
        await there.close()

    asyncio.run(play())


def test_a_table_whose_process_dies_is_taken_over_within_half_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the worst case: it dies just after a sign of life, and the other process has just asked for the table."""
    monkeypatch.setattr(Scheduler, "tend", lambda scheduler, room: None)
    config = Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)

    async def run() -> None:
        dying, living = Services(config), Services(config)
        for one in (dying, living):
            await asyncio.to_thread(one.store.open)
        room = await dying.opener.open_table(protocol.OpenTable(game="connect_four"), "")
        for name in ("Ann", "Bob"):
            await dying.commands.sit(room, protocol.Sit(name=name), None)
        assert await dying.store.ask(dying.store.processes.acquire, room.id)
        await dying.store.ask(dying.store.processes.beat)
        with dying.store.engine.begin() as connection:
            connection.execute(update(TABLES).values(wake=dying.clock.now()))  # something is due there
        await taken_over(living, room.id)
        for one in (dying, living):
            await asyncio.to_thread(one.store.close)

    asyncio.run(run())


async def taken_over(living: Services, table_id: str) -> None:
    """Where nobody looks at the table the sweep finds it; where somebody does, the scheduler asks again."""
    died, swept = living.clock.now(), 0.0
    while table_id not in await living.store.ask(living.store.due, died + swept, 10):
        swept += SWEEP
        living.clock.set(died + swept)
    assert SWEEP < swept <= 30.0
    living.clock.set(died)
    room, duty, asked = await living.rooms.get(table_id), Duty(), 0.0
    while (wait := await living.scheduler._do_what_is_due(room, duty)) is not None and duty.term is None:
        asked += wait
        living.clock.set(died + asked)
    assert duty.term is not None
    assert LOOK <= asked <= 30.0
