"""Two processes that serve the same table, one of them behind the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import AsyncMock

import msgspec
import pytest
from sqlalchemy import update

from parlour import protocol
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.cluster.bus import Bus, Signal
from parlour.server.people.tokens import hash_token
from parlour.server.push import endpoints
from parlour.server.rooms import proposals
from parlour.server.rooms.commands import carry_out
from parlour.server.rooms.holders import Holder
from parlour.server.rooms.room import Room
from parlour.server.rooms.scheduler import LOOK, Schedule, Scheduler
from parlour.server.running import services
from parlour.server.running.housekeeping import SWEEP
from parlour.server.running.services import Services
from parlour.server.store.pushes import Subscription
from parlour.server.store.schema import TABLES
from serving import holder_of

P256DH = "BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI"
OLD, NEW = "https://push.example/old", "https://push.example/new"

ADDRESS = "127.0.0.1"


async def answer(room: Room, seat: int, cid: str) -> protocol.Ack | protocol.Reject:
    """What the seat is answered that drops into the first column, at the ply that is also the cid."""
    answers: list[protocol.Ack | protocol.Reject] = []
    await carry_out(room, holder_of(room, seat), protocol.Act(cid=cid, ply=int(cid), action=0), answers.append)
    return answers[0]


def test_a_move_sent_again_to_a_process_that_is_behind_gets_its_first_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing tells the other process what has happened: it neither looks at the store nor minds the table.
    monkeypatch.setattr(services, "POLL", 3600.0)
    monkeypatch.setattr(Scheduler, "wake", lambda scheduler, room: None)
    config = Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)

    async def play() -> None:
        here, there = Services(config), Services(config)
        await here.open()
        await there.open()
        room = await here.opener.open_table(protocol.OpenTable(game="connect_four"), "")
        for name in ("Ann", "Bob"):
            await here.commands.sit(room, protocol.Sit(name=name), None, ADDRESS)
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


def test_news_of_other_tables_do_not_wait_for_a_large_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "POLL", 3600.0)
    config = Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)

    async def play(here: Services, there: Services) -> None:
        games = ("game17", "connect_four")
        large, small = [await here.opener.open_table(protocol.OpenTable(game=game), "") for game in games]
        late, other = [await there.rooms.get(room.id) for room in (large, small)]
        for room in (large, small):
            await here.commands.sit(room, protocol.Sit(name="Ann"), None, ADDRESS)
        async with late.lock:  # as while something is worked out there
            await asyncio.wait_for(there.bus._take(message_of(here.bus, large, small)), 5)
            assert (late.table.number, other.table.number) == (0, small.table.number)
        while late.table.number < large.table.number:
            await asyncio.sleep(0.01)

    async def run() -> None:
        here, there = Services(config), Services(config)
        for one in (here, there):
            await one.open()
        try:
            await play(here, there)
        finally:
            for one in (here, there):
                await one.close()

    asyncio.run(run())


def message_of(bus: Bus, *rooms: Room) -> bytes:
    packed = msgspec.json.encode([Signal(bus.process, room.id, room.table.number) for room in rooms])
    return bus._code(packed) + packed


def test_a_table_whose_process_dies_is_taken_over_within_half_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the worst case: it dies just after a sign of life, and the other process has just asked for the table."""
    monkeypatch.setattr(Scheduler, "wake", lambda scheduler, room: None)
    config = Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)

    async def run() -> None:
        dying, living = Services(config), Services(config)
        for one in (dying, living):
            await asyncio.to_thread(one.store.open)
        room = await dying.opener.open_table(protocol.OpenTable(game="connect_four"), "")
        for name in ("Ann", "Bob"):
            await dying.commands.sit(room, protocol.Sit(name=name), None, ADDRESS)
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
    room, schedule, asked = await living.rooms.get(table_id, ADDRESS), Schedule(), 0.0
    while (wait := await living.scheduler._do_what_is_due(room, schedule)) is not None and schedule.term is None:
        asked += wait
        living.clock.set(died + asked)
    assert schedule.term is not None
    assert LOOK <= asked <= 30.0


@pytest.fixture
def deaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """For two processes, neither of which hears of what the other does, nor looks at the store, nor minds a table."""
    monkeypatch.setattr(services, "POLL", 3600.0)
    monkeypatch.setattr(Scheduler, "wake", lambda scheduler, room: None)
    return Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)


Late = Callable[[Services, Room, Holder], Awaitable[protocol.Reply | None]]


async def asks(room: Room, holder: Holder, command: proposals.Asked) -> protocol.Reply:
    answers: list[protocol.Reply] = []
    await carry_out(room, holder, command, answers.append)
    return answers[0]


async def acts(there: Services, room: Room, holder: Holder) -> protocol.Reply:
    return await asks(room, holder, protocol.Act(cid="late", ply=0, action=0))


async def renews(there: Services, room: Room, holder: Holder) -> None:
    await there.commands.renew(room, holder, protocol.Renew(), ADDRESS)


async def returns(there: Services, room: Room, holder: Holder) -> None:
    await there.commands.welcome_back(room, holder, ADDRESS)


def browser(room: Room, holder: Holder, endpoint: str) -> Subscription:
    sitting = room.table.sitting(holder.seat)
    assert sitting is not None
    return Subscription(holder.seat, sitting, endpoint, P256DH, "FPssNDTKnInHVndSTdbKFw", "en")


async def subscribes(there: Services, room: Room, holder: Holder) -> None:
    await there.turn_messages.subscribe(room, holder, browser(room, holder, OLD))


async def unsubscribes(there: Services, room: Room, holder: Holder) -> None:
    await there.turn_messages.unsubscribe(room, holder)


@pytest.mark.parametrize("late", [acts, renews, returns, subscribes, unsubscribes])
def test_a_token_that_was_renewed_elsewhere_does_nothing_here(
    deaf: Config, monkeypatch: pytest.MonkeyPatch, late: Late
) -> None:
    """Though this process has not heard of it, and though the seat's person sits there as before."""
    monkeypatch.setattr(endpoints, "check_resolved", AsyncMock())

    async def play() -> None:
        here, there = Services(deaf), Services(deaf)
        await here.open()
        await there.open()
        room = await here.opener.open_table(protocol.OpenTable(game="connect_four"), "")
        for name in ("Ann", "Bob"):
            await here.commands.sit(room, protocol.Sit(name=name), None, ADDRESS)
        first = room.table.to_move
        assert first is not None
        old = holder_of(room, first)
        await room.attempt(lambda: proposals.take_over(room.table, first, "absent", room.clock.now(), 0.0))
        behind = await there.rooms.get(room.id)
        token = await here.commands.renew(room, old, protocol.Renew(), ADDRESS)
        new = Holder(first, hash_token(token))
        await here.turn_messages.subscribe(room, new, browser(room, new, NEW))
        before = await here.store.ask(here.store.since, room.id, 0)
        try:
            reply = await late(there, behind, old)
        except Refusal as refusal:
            reply = protocol.Reject(None, refusal.code, str(refusal))
        assert isinstance(reply, protocol.Reject), reply
        assert reply.code == "unauthorised"
        assert await here.store.ask(here.store.since, room.id, 0) == before
        assert [one.endpoint for one in await claimed(here, room, first)] == [NEW]
        assert isinstance(await asks(behind, new, protocol.Act(cid="late", ply=0, action=0)), protocol.Ack)
        await here.close()
        await there.close()

    asyncio.run(play())


async def claimed(services: Services, room: Room, seat: int) -> list[Subscription]:
    """Who is told when the seat's turn begins, tomorrow."""
    sitting = room.table.sitting(seat)
    return await services.store.ask(services.store.pushes.claim, room.id, seat, sitting, room.clock.now() + 86400)


def test_of_two_commands_that_renew_a_token_one_is_carried_out(deaf: Config) -> None:
    """Whoever has stolen a token cannot take the seat from the person who renews it at the same time."""

    async def play() -> None:
        here, there = Services(deaf), Services(deaf)
        await here.open()
        await there.open()
        room = await here.opener.open_table(protocol.OpenTable(game="connect_four"), "")
        await here.commands.sit(room, protocol.Sit(name="Ann"), None, ADDRESS)
        behind, old = await there.rooms.get(room.id), holder_of(room, 0)
        ways = [
            here.commands.renew(room, old, protocol.Renew(), ADDRESS),
            there.commands.renew(behind, old, protocol.Renew(), ADDRESS),
        ]
        tokens = [done for done in await asyncio.gather(*ways, return_exceptions=True) if isinstance(done, str)]
        assert len(tokens) == 1
        assert (await here.store.ask(here.store.since, room.id, 0))[1] == {hash_token(tokens[0]): 0}
        await here.close()
        await there.close()

    asyncio.run(play())
