"""BotService at the server's tables: off the event loop, and never the end of a match."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from parlour.engine import registry
from parlour.engine.match import Match
from parlour.server.basics.errors import StoreFailed
from parlour.server.bots import jobs as bot_jobs
from parlour.server.bots import pool as bot_pool
from parlour.server.bots.pool import BotFailed, BotPool, BotProcess, QueueFull
from parlour.server.bots.service import NO_CACHE, BotChoice, BotService
from parlour.server.rooms import room, scheduler
from parlour.server.store.schema import TABLES
from parlour.server.telling import broadcast
from serving import Build, House, Seat, Server, play_out, refused, until


def against(house: House, bot: str = "random", **wish: Any) -> Seat:
    """Somebody whose turn it is, against a bot."""
    return house.sit(house.open(bots={"1": bot}, **wish)["table"]["id"], "Ann")


def sleepy(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """All bots sleep for so long before they choose, in the processes where bots think."""

    async def choose(self: BotService, table_id: str, bot: str, match: Match, owner: str) -> BotChoice:
        await self.turns.run(owner, None, time.sleep, seconds)
        return BotChoice(match.legal()[0])

    monkeypatch.setattr(BotService, "choose", choose)


def test_a_bot_that_thinks_delays_nobody_else(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sleepy(monkeypatch, 6)
    waiting = against(house)
    waiting.must("act", ply=0, action=3)
    ann, bob = house.table_of("Ann", "Bob")
    with ann.live() as one, bob.live() as two:
        for ply in range(6):
            live = (one, two)[ply % 2]
            assert live.ask("act", ply=ply, action=ply % 3)["type"] == "ack"
    assert house.view(waiting.table)["position"]["ply"] == 1, "the bot has not even chosen by now"
    until(lambda: house.view(waiting.table)["position"]["ply"] == 2)


def test_a_choice_taken_back_while_a_bot_thinks_is_not_answered(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sleepy(monkeypatch, 1.5)
    ann = against(house)
    ann.must("act", ply=0, action=3)
    ann.must("undo", ply=1)
    time.sleep(1.8)
    assert [entry["kind"] for entry in house.log(ann.table)][-1] == "undo"
    ann.must("act", ply=0, action=4)
    until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    assert [entry["kind"] for entry in house.log(ann.table)][-2:] == ["act", "act"]


def test_taking_back_goes_to_ones_own_last_choice_past_a_bots_answer(house: House) -> None:
    ann = against(house, clock={"kind": "bank", "seconds": 60, "increment": 5})
    ann.must("act", ply=0, action=3)
    until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    assert ann.view()["may_undo"]
    ann.must("undo", ply=2)
    view = ann.view()
    assert (view["position"]["ply"], view["position"]["to_move"], view["may_undo"]) == (0, 0, False)
    assert view["seats"][0]["left"] <= 60, "what ending the turn had gained is lost again"
    house.services.rooms.in_memory.clear()
    assert ann.view()["position"]["ply"] == 0, "the log says the same"


def test_bots_leave_time_to_take_back_to_who_looks_at_the_board(build: Build) -> None:
    house = build(bot_pause=2.0)
    ann, began = against(house), time.monotonic()
    with ann.live(pictures=True):
        ann.must("act", ply=0, action=3)
        until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    assert time.monotonic() - began > 2.0
    began = time.monotonic()
    ann.must("act", ply=2, action=3)
    until(lambda: house.view(ann.table)["position"]["ply"] == 4)
    assert time.monotonic() - began < 2.0, "a program need not wait"


def test_a_bot_that_fails_plays_by_chance(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: BotPool, *job: Any) -> Any:
        raise BotFailed("a bug")

    monkeypatch.setattr(BotPool, "run", fail)
    assert play_out([against(house)])["ending"]["reason"] == "rules"


def test_a_bot_that_breaks_the_rules_plays_by_chance(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cheat(self: BotPool, *job: Any) -> Any:
        return bot_jobs.Chosen(4711)

    monkeypatch.setattr(BotPool, "run", cheat)
    assert play_out([against(house)])["ending"]["reason"] == "rules"


def test_when_the_bots_process_dies_another_begins(house: House) -> None:
    ann = against(house)
    ann.must("act", ply=0, action=3)
    until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    pids = house.services.bots.turns.pids
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    other = against(house, "mcts:1")
    for seat in (ann, other):
        assert play_out([seat])["ending"]["reason"] == "rules"


def test_a_bot_knows_neither_secret_nor_seed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a bot is given is public."""
    jobs: list[Any] = []

    async def look(self: BotPool, *job: Any) -> Any:
        jobs.append(job)
        return bot_jobs.Chosen(0)

    monkeypatch.setattr(BotPool, "run", look)
    table = house.open("goose", seats=2, bots={"0": "random", "1": "random"})["table"]["id"]
    until(lambda: house.view(table)["phase"] == "over")
    secret = house.view(table)["secret"]
    seed = house.http.get(f"/api/tables/{table}/replay").json()["seed"]
    assert jobs
    for told in (secret, bytes.fromhex(secret).hex(), str(seed), f"{seed:x}"):
        assert told not in repr(jobs)


# Many tables, few processes.


def test_a_slow_queue_kills_no_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """More tables wait than bots can serve within the time that one may think, in which a process may also begin."""
    house.services.bots.turns.seconds = 4.0
    sleepy(monkeypatch, 0.5)
    tables = [house.open(bots={"0": "random", "1": "random"})["table"]["id"] for _ in range(18)]
    for table in tables:
        until(partial(has_moved, house, table), 30)


@pytest.mark.parametrize("error", [asyncio.CancelledError, RuntimeError, QueueFull, StoreFailed])
def test_what_fails_once_kills_no_table(
    house: House, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    for pause in ("RETRY", "LOOK"):
        monkeypatch.setattr(scheduler, pause, 0.05)
    failures = [error("for once")]

    async def choose(self: BotService, table_id: str, bot: str, match: Match, owner: str) -> BotChoice:
        if failures:
            raise failures.pop()
        return BotChoice(match.legal()[0])

    monkeypatch.setattr(BotService, "choose", choose)
    ann = against(house)
    ann.must("act", ply=0, action=3)
    until(lambda: has_ply(house, ann.table, 2), 8)


def test_the_sweep_takes_up_what_is_due_in_memory_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = against(house)
    with monkeypatch.context() as patch:
        patch.setattr(house.services.scheduler, "wake", lambda room: None)
        ann.must("act", ply=0, action=3)
    with house.services.store._writing() as connection:
        connection.execute(TABLES.update().values(wake=1.0))
    house.run(house.services.housekeeping.sweep)
    until(lambda: has_ply(house, ann.table, 2), 8)


def has_ply(house: House, table: str, ply: int) -> bool:
    """Asked of the memory: a question over HTTP would be a look, which has the table minded."""
    return house.services.rooms.in_memory[table].table.ply == ply


def has_moved(house: House, table: str) -> bool:
    return bool(house.view(table)["position"]["ply"])


def test_time_in_the_queue_is_not_thinking(house: House) -> None:
    async def both() -> list[object]:
        pool = BotPool(1, seconds=60.0, most_waiting=10, most_of_one=10)
        try:
            jobs = [pool.run("one", None, time.sleep, 1.1) for _ in range(3)]
            await pool.run("one", None, time.sleep, 0)  # its process has begun
            pool.seconds = 3.0
            return list(await asyncio.gather(*jobs, return_exceptions=True))
        finally:
            pool.close()

    assert house.run(both) == [None, None, None]


def test_owners_take_turns_and_queues_have_an_end(house: House) -> None:
    order: list[str] = []

    async def many() -> list[object]:
        pool = BotPool(1, seconds=10, most_waiting=8, most_of_one=5)

        async def job(owner: str) -> None:
            await pool.run(owner, None, time.sleep, 0.05)
            order.append(owner)

        try:
            wishes = ["many"] * 8 + ["few"]
            return list(await asyncio.gather(*map(job, wishes), return_exceptions=True))
        finally:
            pool.close()

    outcomes = house.run(many)
    assert [type(outcome) for outcome in outcomes].count(QueueFull) == 2, "one at work, five in the queue of one owner"
    assert order.index("few") <= 2, order


def test_a_job_that_is_cancelled_leaves_room_for_the_next(house: House) -> None:
    async def cancel() -> object:
        pool = BotPool(1, seconds=10, most_waiting=8, most_of_one=8)
        try:
            working, waiting = (asyncio.create_task(pool.run("one", None, time.sleep, 5)) for _ in range(2))
            await asyncio.sleep(0.2)
            waiting.cancel()
            working.cancel()
            await asyncio.gather(working, waiting, return_exceptions=True)
            return await asyncio.wait_for(pool.run("one", None, abs, -7), 20)
        finally:
            pool.close()

    assert house.run(cancel) == 7


def test_a_process_that_fails_to_start_in_any_way_gives_its_place_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def twice() -> int:
        pool = BotPool(1, seconds=10, most_waiting=1, most_of_one=1)
        try:
            with monkeypatch.context() as broken:
                broken.setattr(bot_pool, "BotProcess", lambda nice: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    await pool.run("one", None, abs, -7)
            return int(await asyncio.wait_for(pool.run("another", None, abs, -8), 20))
        finally:
            pool.close()

    assert house.run(twice) == 8


def test_who_is_turned_away_leaves_nothing_in_the_queue(house: House) -> None:
    async def crowd() -> list[object]:
        pool = BotPool(1, seconds=10, most_waiting=1, most_of_one=1)
        try:
            jobs = [pool.run(owner, None, abs, -7) for owner in ("at work", "waits", "is turned away")]
            outcomes = await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), 20)
            return [*outcomes, await asyncio.wait_for(pool.run("comes later", None, abs, -8), 20)]
        finally:
            pool.close()

    at_work, waits, turned_away, later = house.run(crowd)
    assert (at_work, waits, later) == (7, 7, 8)
    assert isinstance(turned_away, QueueFull)


def test_a_process_that_cannot_be_started_costs_no_place(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is the bot's turn played by chance: it is tried again."""

    def no_more(nice: int) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    async def start() -> object:
        pool = BotPool(1, seconds=10, most_waiting=8, most_of_one=8)
        try:
            with monkeypatch.context() as patch:
                patch.setattr(bot_pool, "BotProcess", no_more)
                with pytest.raises(QueueFull, match="no more processes"):
                    await pool.run("one", None, abs, -7)
            return await asyncio.wait_for(pool.run("one", None, abs, -7), 20)
        finally:
            pool.close()

    assert house.run(start) == 7


def test_of_a_pool_that_rests_nothing_is_left_and_it_can_be_asked_again(house: House) -> None:
    async def ask(pool: BotPool) -> list[int]:
        assert await pool.run("one", None, abs, -7) == 7
        return pool.pids

    async def make() -> BotPool:
        return BotPool(1, seconds=10, most_waiting=8, most_of_one=8)

    pool = house.run(make)
    try:
        (pid,) = house.run(ask, pool)
        house.run(pool.rest)
        assert pool.pids == []
        until(lambda: not Path(f"/proc/{pid}").exists())
        assert house.run(ask, pool) != [pid]
    finally:
        house.run(pool.close)
        house.run(pool.rest)  # in vain


def test_hints_do_not_delay_bots(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = house.table_of("Ann", "Bob")[0]
    other = against(house)
    other.must("act", ply=0, action=3)
    until(lambda: house.view(other.table)["position"]["ply"] == 2)
    threads = [threading.Thread(target=asked.do, args=("hint",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    other.must("act", ply=2, action=3)
    until(lambda: house.view(other.table)["position"]["ply"] == 4)
    took = time.monotonic() - began
    for thread in threads:
        thread.join()
    assert took < 2, "three seconds of hints are no reason to wait"


def test_bots_do_not_outlive_the_server(serve: Callable[..., Server]) -> None:
    server = serve()
    table = server.place.open("connect_four", bots={"0": "random", "1": "random"})["table"]["id"]
    until(lambda: server.place.view(table)["position"]["ply"] > 0)
    assert server.process is not None
    children = children_of(server.process.pid)
    assert children
    os.kill(server.process.pid, signal.SIGKILL)  # it alone, not its group
    server.process.wait()
    until(lambda: not [child for child in children if is_running(child)])


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    direct = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    return direct + [grandchild for child in direct for grandchild in children_of(child)]


def is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0] != "Z"
    return False


def test_a_table_that_is_loaded_anew_while_its_bot_thinks_hears_of_the_choice(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was there goes after the table has left the memory: that is not to have it minded as it was."""
    sleepy(monkeypatch, 0.5)
    ann = against(house)
    with ann.live() as live:
        ann.must("act", ply=0, action=3)
        house.run(house.services.rooms.reload, ann.table)
        live.hear("bye")
        time.sleep(0.1)
    until(lambda: house.view(ann.table)["position"]["ply"] == 2, 10)


def test_bots_among_themselves_wait_until_somebody_looks(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "WATCHED_FOR", 0.2)
    house = build()
    sleepy(monkeypatch, 0.05)
    table = house.open("goose", seats=2, bots={"0": "random", "1": "random"})["table"]["id"]
    known = [0]

    def rests() -> bool:
        """Whether nothing has happened for a second, asked of the store: a question over HTTP would be a look."""
        time.sleep(1)
        known.append(len(house.services.store.since(table, 0)[0]))
        return known[-1] == known[-2]

    until(rests)
    until(lambda: house.view(table)["phase"] == "over")


def test_an_address_has_so_many_bots(build: Build) -> None:
    house = build(bots_per_address=3)
    house.open(bots={"0": "random", "1": "random"})
    refused(
        house.http.post("/api/tables", json={"game": "connect_four", "bots": {"0": "random", "1": "random"}}),
        "too_many",
        429,
        "many bots",
    )
    ann = house.sit(house.open("goose", seats=4)["table"]["id"], "Ann")
    refused(ann.do("start", fill="random"), "too_many", 429)
    ann.must("bots", seat=1, bot="random")


class Looked(list[Any]):
    """Chairs that know how often they were looked through."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        Looked.times += 1
        return super().__iter__()


def test_to_count_bots_looks_at_no_seat_twice_and_counts_for_who_asks(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With many large tables, each start that was refused took milliseconds of the event loop: nobody paid for them."""
    house = build(bots_per_address=3, commands_per_second=1000)
    large = house.sit(house.open("game17", seats=500, options={"edge": 24})["table"]["id"], "Ann")
    for _ in range(3):
        house.open("game17", seats=500, options={"edge": 24})
    for kept in house.services.rooms.in_memory.values():
        kept.table.chairs = Looked(kept.table.chairs)
    opener = house.services.opener
    (owner,) = {kept.owner for kept in house.services.rooms.in_memory.values()}
    Looked.times = 0
    for _ in range(5):
        opener.check_bots(owner, 1)
    assert Looked.times == 4
    charged = list[str]()
    monkeypatch.setattr(house.services.limits.playing, "charge", lambda payer, seconds: charged.append(payer))
    refused(large.do("start", fill="random"), "too_many", 429)
    assert set(charged) == {"testclient", f"{large.table}:{large.number}"}
    assert [kept.bots for kept in house.services.rooms.in_memory.values()] == [0] * 4
    large.must("bots", seat=1, bot="random")
    assert house.services.rooms.in_memory[large.table].bots == 1


def test_thousands_of_bots_are_refused_before_each_is_looked_at(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = list[str]()
    monkeypatch.setattr("parlour.server.rooms.wishes.check_bot", lambda game, bot: looked.append(bot))
    bots = {f"{seat:04d}"[-width:]: "random" for seat in range(576) for width in (3, 4)}
    wish = {"game": "game17", "seats": 576, "options": {"edge": 24}, "bots": bots}
    refused(house.http.post("/api/tables", json=wish), "too_many", 429, "many bots")
    assert looked == []


def test_a_process_keeps_only_so_much_of_what_bots_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.get("connect_four")
    monkeypatch.setattr(bot_jobs, "_BOTS", OrderedDict())
    monkeypatch.setattr(bot_jobs, "KEPT_BYTES", 1 << 20)
    packed = Match(game).state.pack()
    for number in range(12):
        bot_jobs.choose(f"table{number}", 0, "mcts:3", game.name, packed, [], may_stand_in=False)
    assert 0 < sum(bot_jobs._memory(bot) for bot, _ in bot_jobs._BOTS.values()) <= 1 << 20
    monkeypatch.setattr(bot_jobs, "KEPT_SECONDS", -1.0)
    bot_jobs.choose("last", 0, "mcts:3", game.name, packed, [], may_stand_in=False)
    assert len(bot_jobs._BOTS) <= 1, "tables that rest keep nothing"


def test_a_match_without_seats_is_watched(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PACE", 0.01)
    table = house.open("game17", seats=0, options={"edge": 3, "rounds": 4})["table"]["id"]
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "Ann"}), "not_open", 409)
    with house.live(table, pictures=True) as live:
        until(lambda: house.view(table)["phase"] == "over")
        assert any(message["type"] == "update" and message["position"]["scene"] for message in [live.hear("update")])
    assert house.http.get(f"/api/tables/{table}/frames").json()["plies"] >= 1
    assert house.http.get(f"/api/tables/{table}/replay").json()["seats"] == 0


def has_reached(seat: Seat, ply: int) -> bool:
    return bool(seat.view()["position"]["ply"] == ply)


def test_a_bot_that_cannot_think_says_so_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any) -> Any:
        raise BotFailed("NoCache: compiled rules cannot be kept in /var/cache/parlour: Permission denied")

    monkeypatch.setattr(house.services.bots.turns, "run", fail)
    ann = house.sit(house.open(seats=2, bots={"1": "mcts:1"})["table"]["id"], "Ann")
    for ply in (0, 2):
        ann.must("act", ply=ply, action=ann.view()["choices"][0]["action"])
        until(partial(has_reached, ann, ply + 2))
    (line,) = ann.view()["chat"]
    assert (line["seat"], line["text"]) == (1, NO_CACHE)
    assert "/var" not in line["text"]


def test_the_match_goes_on_where_a_move_cannot_be_shown(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seat, shown = against(house), broadcast.of_changes

    def fail(*_: object) -> Any:
        monkeypatch.setattr(room, "of_changes", shown)
        raise ZeroDivisionError("a picture")

    monkeypatch.setattr(room, "of_changes", fail)
    assert seat.do("act", ply=0, action=3).status_code == 500
    live_room = house.services.rooms.in_memory[seat.table]
    until(lambda: live_room.table.ply == 2, 10)


def test_whoever_tells_all_processes_to_stop_does_not_end_a_bot_that_thinks() -> None:
    """As systemd does. The server would play by chance for it, just before it ends."""
    process = BotProcess()
    try:
        assert process.pid is not None
        for number in (signal.SIGTERM, signal.SIGINT):  # also while it begins, and hears nothing yet
            os.kill(process.pid, number)
        assert process.ask(abs, (-7,)) == 7
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(process.pid, number)
        assert process.ask(abs, (-8,)) == 8
    finally:
        process.kill()


def test_python_ends_though_a_bot_is_left() -> None:
    """As after a second Ctrl-C. Python asks its processes to end and waits for them, and bots hear nothing of that."""
    program = "from parlour.server.bots.pool import BotProcess\nleft = BotProcess()\nassert left.ask(abs, (-7,)) == 7"
    line = [sys.executable, "-c", f"if __name__ == '__main__':\n  exec({program!r})"]
    assert subprocess.run(line, timeout=60).returncode == 0
