"""Bots are made ready in the background; until they are, simpler ones play in their place."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from parlour.bots import roster, warmth
from parlour.bots.simple import Glance
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.server.basics.errors import Refusal
from parlour.server.bots import jobs as bot_jobs
from parlour.server.bots import warming
from parlour.server.bots.service import NO_CACHE
from parlour.server.bots.warming import Warming
from serving import Build, House, Seat, until

SEARCHING = ["connect_four", "choccer", "verfuchst"]


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which nothing has been compiled yet, for this process and those that it starts."""
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(warmth, "_known", set())
    return tmp_path / "cache"


def has_ply(seat: Seat, ply: int) -> bool:
    return bool(seat.view()["position"]["ply"] >= ply)


def act(seat: Seat, ply: int) -> None:
    seat.must("act", ply=ply, action=seat.view()["choices"][0]["action"])
    until(partial(has_ply, seat, ply + 2))


def test_a_cold_bot_answers_at_once_says_so_and_becomes_itself(
    build: Build, cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "NICE", 0)  # other tests take all the time there is
    house = build(warm=True)
    ann = house.sit(house.open(bots={"1": "mcts:2"})["table"]["id"], "Ann")
    game = registry.get("connect_four")
    with ann.live() as live:
        told = live.hear("presence")
        while told["warming"] != [1]:
            told = live.hear("presence")
        act(ann, 0)
        assert house.services.bots.warming.is_awaited(game, "mcts:2"), "it has not been waited for"
        while told["warming"]:
            told = live.hear("presence")
    assert warmth.is_ready(game, "mcts:2")
    assert warmth.is_ready(game, "mcts:5"), "all levels are the same code"
    act(ann, 2)
    assert ann.view()["chat"] == []


def test_whoever_stands_in_plays_by_the_rules_and_is_remembered_as_nobody(cold: Path) -> None:
    for name in [*SEARCHING, "mazerunner", "game17"]:
        game = registry.get(name)
        match = Match(game, seed=1)
        for bot in {face.name for face in roster.faces(game)}:
            chosen = bot_jobs.choose("table", 0, bot, name, match.state.pack(), [], may_stand_in=True)
            assert chosen.action in match.legal()
            assert chosen.is_ready == (name == "game17" or bot in ("runner:1", "runner:2", "runner:3", "runner:4"))
    assert not (cold / "compiled").exists(), "nothing was compiled"


@pytest.mark.parametrize("name", SEARCHING)
def test_who_stands_in_looks_at_what_comes_of_it(name: str) -> None:
    """It wins against chance; where it has no time, it still chooses."""
    game = registry.get(name)
    judge = game.players.judge
    assert judge is not None
    wins = 0
    for seed in range(6):
        match, chance, mine = Match(game, 2, seed), Chance.at(seed, 0), seed % 2
        bot = Glance(judge)
        bot.SECONDS = 0.02
        while not match.over:
            seen = match.seen_by(match.to_move)
            if match.to_move == mine:
                match.play(bot.choose(seen.decision(chance)))
            else:
                match.play(seen.legal[chance.below(len(seen.legal))])
        wins += mine in match.winners
    assert wins >= 5


def test_usual_bots_come_first_and_nothing_is_made_ready_twice(
    house: House, cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    async def make() -> list[tuple[str, str]]:
        every = Warming(is_on=True)

        async def note(owner: str, about: object, job: object, game: str, bot: str) -> None:
            asked.append((game, bot))

        monkeypatch.setattr(every._pool, "run", note)
        await every.make_all_ready()
        first = list(asked)
        await every.make_all_ready()
        every.close()
        return first

    first = house.run(make)
    assert asked == first, "what is ready stays so"
    games = registry.all_games()
    usual = [game.name for game in games if not warmth.needs_nothing(game, roster.usual(game))]
    assert {game for game, bot in first[: len(usual)] if bot == "mcts"} == set(usual)
    assert len(first) == len(set(first))


def test_of_several_workers_one_makes_bots_ready(house: House, tmp_path: Path) -> None:
    async def race() -> list[bool]:
        one, two = Warming(is_on=True, folder=tmp_path), Warming(is_on=True, folder=tmp_path)
        found = [one._is_first(), two._is_first()]
        one.close()
        found.append(two._is_first())  # the other has ended
        two.close()
        return found

    assert house.run(race) == [True, False, True]


def test_without_a_folder_nobody_stands_in_for_ever(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What keeps a bot from ever becoming ready is said at the table."""
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("PARLOUR_CACHE", str(file))
    house = build(warm=True)
    ann = house.sit(house.open(bots={"1": "mcts:2"})["table"]["id"], "Ann")
    until(lambda: not house.services.bots.warming.may_be_awaited(registry.get("connect_four"), "mcts:2"))
    act(ann, 0)
    assert [line["text"] for line in ann.view()["chat"]] == [NO_CACHE]


def test_a_process_that_is_killed_while_it_compiles_is_not_the_end(
    house: House, cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory that ran out, for example. But what always kills its process is not tried for ever."""
    monkeypatch.setattr(warming, "RETRY", 0.0)
    game = registry.get("connect_four")

    async def kill_often() -> list[bool]:
        every, may_be_awaited = Warming(is_on=True), []
        for _ in range(warming.TRIES):
            every.ask(game, "mcts:2", "somebody")
            task = every._tasks["connect_four", "mcts"]
            while not every._pool.pids:
                await asyncio.sleep(0.01)
            os.kill(every._pool.pids[0], signal.SIGKILL)
            await asyncio.wait([task])
            may_be_awaited.append(every.may_be_awaited(game, "mcts:2"))
        every.close()
        return may_be_awaited

    assert house.run(kill_often) == [True] * (warming.TRIES - 1) + [False]


def test_what_is_not_wanted_is_not_begun(house: House) -> None:
    """Tests and measurements switch it off: then a bot is always itself."""
    bots = house.services.bots
    house.run(bots.warming.ask, registry.get("connect_four"), "mcts:2", "somebody")
    house.run(asyncio.wait_for, bots.warming.make_all_ready(), 5)
    assert not bots.warming.is_busy
    assert bots.warming._pool.pids == []


def test_orders_are_suggested_at_once_where_nothing_is_compiled(cold: Path) -> None:
    """Game17's trials take a minute to compile on a busy machine; until then the strongest general plans the turn."""
    game = registry.get("game17")
    match = Match(game, 2, seed=1, edge=6)
    while match.legal() != [0] and not bot_jobs.plan("game17", match.state.pack(), [], may_stand_in=True).actions:
        match.play(0)
    planned = bot_jobs.plan("game17", match.state.pack(), [], may_stand_in=True)
    assert not planned.is_ready
    assert set(planned.actions) <= set(match.legal())
    assert not (cold / "compiled").exists(), "nothing was compiled"


def test_who_asks_for_a_hint_does_not_wait_for_ever(cold: Path, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was compiled by the process that thinks, which was ended after a minute; asking again began anew."""
    match = Match(registry.get("connect_four"), 2, seed=1)
    assert bot_jobs.hint("connect_four", match.state.pack(), [], may_wait=True) is None
    assert not (cold / "compiled").exists(), "nothing was compiled"
    bots, asked = house.services.bots, []

    async def wait(game: Game, bot: str, owner: str, seconds: float) -> bool:
        asked.append((game.name, bot, owner))
        return False

    monkeypatch.setattr(bots.warming, "is_on", True)
    monkeypatch.setattr(bots.warming, "wait", wait)
    with pytest.raises(Refusal, match="being made ready: ask again"):
        house.run(bots.hint, match, "ann")
    assert asked == [("connect_four", warmth.HINT, "ann")]
