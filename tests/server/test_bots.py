"""Bots at the server's tables: off the event loop, and never the end of a match."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

from parlour.engine.match import Match
from parlour.server.bot_pool import BotFailed, BotPool
from parlour.server.bots import Bots
from serving import House, Seat, play_out, until


def against(house: House, bot: str = "random") -> Seat:
    """Somebody whose turn it is, against a bot."""
    return house.sit(house.open(bots={"1": bot})["table"]["id"], "Ann")


def sleepy(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """All bots sleep for so long before they choose, in the processes where bots think."""

    async def choose(self: Bots, table_id: str, bot: str, match: Match, owner: str) -> int:
        await self.turns.run(owner, None, time.sleep, seconds)
        return match.legal()[0]

    monkeypatch.setattr(Bots, "choose", choose)


def test_a_bot_that_thinks_delays_nobody_else(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sleepy(monkeypatch, 2)
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
    sleepy(monkeypatch, 0.3)
    ann = against(house)
    ann.must("act", ply=0, action=3)
    ann.must("undo", ply=1)
    time.sleep(0.5)
    assert [entry["kind"] for entry in house.log(ann.table)][-1] == "undo"
    ann.must("act", ply=0, action=4)
    until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    assert [entry["kind"] for entry in house.log(ann.table)][-2:] == ["act", "act"]


def test_a_bot_that_fails_plays_by_chance(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: BotPool, *job: Any) -> Any:
        raise BotFailed("a bug")

    monkeypatch.setattr(BotPool, "run", fail)
    assert play_out([against(house)])["ending"]["reason"] == "rules"


def test_a_bot_that_breaks_the_rules_plays_by_chance(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cheat(self: BotPool, *job: Any) -> Any:
        return 4711

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
        return 0

    monkeypatch.setattr(BotPool, "run", look)
    table = house.open("goose", seats=2, bots={"0": "random", "1": "random"})["table"]["id"]
    until(lambda: house.view(table)["phase"] == "over")
    secret = house.view(table)["secret"]
    seed = house.http.get(f"/api/tables/{table}/replay").json()["seed"]
    assert jobs
    for told in (secret, bytes.fromhex(secret).hex(), str(seed), f"{seed:x}"):
        assert told not in repr(jobs)
