"""``parlour bot``: a bot of one's own at a server's tables, run as a person runs it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import good, refused, run
from hostile import Liar
from parlour.bots import Bot
from parlour.bots.box import BotLimits
from parlour.cli.online import bot_host
from parlour.cli.online.bot_host import BotHost
from parlour.cli.online.bot_table import BotSpec, BotTable, time_limit
from parlour.cli.options import HostBot
from parlour.client import AsyncClient
from parlour.engine import registry, replay
from parlour.engine.bots import Decision, TimeLimit
from parlour.engine.chance import Chance
from parlour.engine.match import Match
from parlour.engine.seen import Seen
from parlour.protocol import ClockSpec
from serving import Seat, Server, until
from terminals import Terminal

FIRST = "GAME = 'connect_four'\ndef choose(decision):\n    return decision.legal[0]\n"
SLOW = (
    "GAME = 'connect_four'\n"
    "import time\n"
    "def choose(decision):\n"
    "    time.sleep(0.95 * decision.clock.seconds)\n"
    "    return decision.legal[0]\n"
)
HANGING = (
    "GAME = 'connect_four'\n"
    "def choose(decision):\n"
    "    while len(decision.actions) < 4: pass\n"
    "    return decision.legal[0]\n"
)
CRASHING = "GAME = 'connect_four'\ndef choose(decision):\n    return 1 // 0\n"
PROGRAM = """#!/usr/bin/python3
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"protocol": 1}', flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"ask": message["ask"], "action": message["legal"][-1]}), flush=True)
"""
LINK = r"http://[\d.:]+/table/([\w-]+)"


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that can be killed."""
    running = Server(tmp_path).start()
    yield running
    running.close()


def written(folder: Path, text: str, name: str = "four.py") -> str:
    (folder / name).write_text(text)
    return f"file:{folder / name}"


def bot(server: Server, name: str, *arguments: str) -> Terminal:
    return Terminal(name, "--server", server.url, *arguments, command="bot")


def table_in(text: str) -> str:
    """The table that was told last."""
    return str(re.findall(LINK, text)[-1])


def waits_at(terminal: Terminal) -> str:
    """The table at which the bot waits next."""
    terminal.sees("Waiting at ")
    return table_in(terminal.sees("; "))


def answers(seat: Seat) -> bool:
    """Plays the last legal action, if it is this person's turn; True once the match is over."""
    view = seat.view()
    if view["choices"]:
        seat.do("act", ply=view["position"]["ply"], action=view["choices"][-1]["action"])
    return bool(view["phase"] == "over")


def play_to_the_end(*seats: Seat) -> None:
    until(lambda: all(answers(seat) for seat in seats))


def plies(seat: Seat) -> int:
    return int((seat.view()["position"] or {"ply": 0})["ply"])


def must_wait(seat: Seat) -> bool:
    view = seat.view()
    return view["position"] is not None and view["position"]["to_move"] != view["you"]


def nobody_sits_at(server: Server, table: str) -> bool:
    """A table where nobody sits any more is soon removed."""
    answer = server.place.http.get(f"/api/tables/{table}")
    return answer.status_code == 404 or {seat["kind"] for seat in answer.json()["seats"]} == {"free"}


def kinds(server: Server, table: str) -> list[str]:
    return [line["kind"] for line in server.place.log(table)]


# At the table.


def test_a_bot_waits_for_a_person_and_plays_to_the_end(server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, FIRST), "--matches", "1") as terminal:
        table = waits_at(terminal)
        assert len(list(home.glob("*.json"))) == 1
        play_to_the_end(server.place.sit(table, "Ada"))
        terminal.sees("the match with Ada begins.")
        terminal.sees("against Ada (")
        terminal.sees("the dice are proved.")
        terminal.sees("1 match played: ")
        assert terminal.ends() == 0
    assert server.place.view(table)["seats"] is not None
    assert {seat["name"] for seat in server.place.view(table)["seats"]} == {"Ada", "four"}
    assert list(home.glob("*")) == [], "nothing is left of a seat whose match is over"


def test_two_bots_meet(server: Server, home: Path, tmp_path: Path) -> None:
    """Any bot that the arena knows: here a file against a program's search."""
    game = ("--anybody", "--matches", "1", "--clock", "1+1")
    with bot(server, written(tmp_path, FIRST), *game) as terminal:
        table = waits_at(terminal)
        with bot(server, "mcts:1", "--game", "connect_four", *game) as other:
            assert table_in(other.sees("the match with four begins.")) == table
            other.sees("the dice are proved")
            assert other.ends() == 0
        terminal.sees("the dice are proved")
        assert terminal.ends() == 0
    assert kinds(server, table).count("act") >= 7


def test_it_plays_at_several_tables_at_once_and_waits_at_one(server: Server, home: Path, tmp_path: Path) -> None:
    people = []
    with bot(server, written(tmp_path, FIRST), "--tables", "3", "--matches", "4") as terminal:
        for number in range(3):
            people.append(server.place.sit(waits_at(terminal), f"Ada{number}"))
            terminal.sees(f"the match with Ada{number} begins.")
        until(lambda: all(answers(seat) or plies(seat) > 2 for seat in people))
        assert len({seat.table for seat in people}) == 3
        assert "Waiting" not in terminal.seen[terminal._looked :], "all three are taken"
        play_to_the_end(people[1])
        people.append(server.place.sit(waits_at(terminal), "Ada3"))
        play_to_the_end(*people)
        terminal.sees("4 matches played: ")
        assert terminal.ends() == 0


def test_it_joins_a_table_by_link_and_by_code(server: Server, home: Path, tmp_path: Path) -> None:
    name = written(tmp_path, FIRST)
    for way in ("link", "code", "private"):
        opened = server.place.open(public=way != "private")
        table, code = opened["table"]["id"], opened["table"]["code"]
        link = f"{server.url}/table/{table}#invite={opened['invite']}"
        ada = server.place.sit(table, "Ada", **({"invite": opened["invite"]} if way == "private" else {}))
        with bot(server, name, "--table", code if way == "code" else link) as terminal:
            terminal.sees("the match with Ada begins.")
            play_to_the_end(ada)
            assert ada.do("rematch").status_code == 200
            again = server.place.sit(ada.view()["rematch"], "Ada", token=ada.token)
            play_to_the_end(again)
            terminal.sees("the dice are proved")
            terminal.sees("the dice are proved")
            terminal.process.send_signal(signal.SIGINT)
            assert terminal.ends() == 0


def test_it_declines_draws(server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, FIRST)) as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or plies(ada) > 1)
        ada.must("draw")
        until(lambda: {"decline", "act"} & set(kinds(server, ada.table)[-2:]) and ada.view()["offer"] is None)
        play_to_the_end(ada)
        terminal.sees("the dice are proved")


def test_in_a_game_for_one_it_waits_for_nobody(server: Server, home: Path) -> None:
    with bot(server, "random", "--game", "mazerunner", "--seats", "1", "--matches", "1") as terminal:
        terminal.sees("the match begins.")
        assert " against " not in terminal.sees("the dice are proved")
        assert terminal.ends() == 0


def test_programs_and_judges_play_with_three_seats(server: Server, home: Path, tmp_path: Path) -> None:
    (tmp_path / "player").write_text(PROGRAM)
    (tmp_path / "player").chmod(0o755)
    game = ("--game", "verfuchst", "--seats", "3", "--anybody", "--matches", "1")
    with (
        bot(server, f"process:{tmp_path / 'player'}", *game) as program,
        bot(server, "judge", *game, "--name", "Judge") as judge,
        bot(server, "random", *game) as third,
    ):
        for terminal in (program, judge, third):
            terminal.sees("the dice are proved")
            assert terminal.ends() == 0
        assert "player" in third.seen
        assert "Judge" in third.seen


# The clock, and faults.


@pytest.mark.parametrize("source", [SLOW, HANGING], ids=["slow", "hanging"])
def test_its_seat_never_runs_out_of_time(source: str, server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, source), "--clock", "2s", "--matches", "1") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        play_to_the_end(ada)
        terminal.sees("the dice are proved")
    assert "away" not in kinds(server, ada.table)
    assert ("timeout" in terminal.seen) == (source == HANGING)
    assert ("a random action is played" in terminal.seen) == (source == HANGING)


def test_it_plays_on_after_a_bot_of_the_server_has_played_for_it(server: Server, home: Path, tmp_path: Path) -> None:
    """As after its machine was asleep."""
    with bot(server, written(tmp_path, SLOW), "--clock", "2s", "--matches", "1") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or must_wait(ada))
        terminal.process.send_signal(signal.SIGSTOP)
        until(lambda: not must_wait(ada))
        terminal.process.send_signal(signal.SIGCONT)
        until(lambda: "back" in kinds(server, ada.table), 20)
        play_to_the_end(ada)
        terminal.sees("1 match played: ")
    assert kinds(server, ada.table).count("away") == 1


def test_where_its_time_is_used_up_the_match_counts(server: Server, home: Path, tmp_path: Path) -> None:
    """A bot of the server plays on to the end, and nothing can bring this one back."""
    with bot(server, written(tmp_path, SLOW), "--clock", "0.05+0", "--matches", "1") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or must_wait(ada))
        terminal.process.send_signal(signal.SIGSTOP)
        until(lambda: "away" in kinds(server, ada.table))
        terminal.process.send_signal(signal.SIGCONT)
        play_to_the_end(ada)
        terminal.sees("1 match played: ")
        assert terminal.ends() == 0


def test_how_long_it_may_think() -> None:
    limits = BotLimits(seconds=5.0)
    assert time_limit(ClockSpec(), None, limits).seconds is None
    turn, bank = ClockSpec("turn", 10), ClockSpec("bank", 600, 2)
    assert time_limit(turn, 10.0, limits).seconds == 4.75
    assert time_limit(turn, 4000.0, limits).seconds == 5.0
    assert time_limit(turn, 0.1, limits).seconds == pytest.approx(0.05)
    assert time_limit(bank, 60.5, limits).seconds == 4.0
    left = 600.0
    for _ in range(2000):
        left += 2 - (time_limit(bank, left, limits).seconds or 0)
        assert left > 2


def test_a_crash_costs_the_match(server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, CRASHING), "--matches", "1") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        play_to_the_end(ada)
        terminal.sees("crashed: ZeroDivisionError: ")
        terminal.sees("it resigns.")
        terminal.sees("lost against Ada")
        assert terminal.ends() == 0
    assert ada.view()["ending"]["reason"] == "resigned"


def test_a_match_that_is_closed_counts_for_nobody(server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, FIRST), "--matches", "1") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or plies(ada) > 1)
        good("admin", "--database", server.database, "close", ada.table)
        terminal.sees("closed against Ada")
        terminal.sees("1 match played: 0 won, 0 drawn, 0 lost, 1 closed.")
        assert terminal.ends() == 0


# Away and back.


def test_it_comes_back_when_the_server_does(own_server: Server, home: Path, tmp_path: Path) -> None:
    with bot(own_server, written(tmp_path, FIRST), "--tables", "2", "--matches", "2") as terminal:
        people = [own_server.place.sit(waits_at(terminal), "Ada")]
        until(lambda: answers(people[0]) or plies(people[0]) > 2)
        waiting = waits_at(terminal)
        own_server.kill()
        terminal.sees("trying again …")
        own_server.start()
        terminal.sees("Connected again.")
        people.append(own_server.place.sit(waiting, "Bob"))
        play_to_the_end(*people)
        terminal.sees("2 matches played: ")
        assert terminal.ends() == 0
    assert terminal.seen.count("trying again …") == terminal.seen.count("Connected again.") == 1
    assert {"away", "leave"} & {kind for seat in people for kind in kinds(own_server, seat.table)} == set()


def test_the_same_command_goes_on_after_a_kill(server: Server, home: Path, tmp_path: Path) -> None:
    name = written(tmp_path, FIRST)
    with bot(server, name, "--tables", "2") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or plies(ada) > 2)
        waiting = waits_at(terminal)
        terminal.process.kill()
        terminal.ends()
    with bot(server, name, "--tables", "2") as terminal:
        terminal.sees("going on against Ada.")
        bob = server.place.sit(waiting, "Bob")
        play_to_the_end(ada, bob)
        terminal.sees("the dice are proved")
        terminal.sees("the dice are proved")


def test_two_of_one_user_do_not_play_the_same_seat(server: Server, home: Path, tmp_path: Path) -> None:
    name = written(tmp_path, FIRST)
    with bot(server, name) as terminal:
        table = waits_at(terminal)
        with bot(server, name) as other:
            assert waits_at(other) != table


# Stopping.


def test_ctrl_c_frees_a_seat_where_nobody_has_come(server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, FIRST)) as terminal:
        table = waits_at(terminal)
        terminal.process.send_signal(signal.SIGINT)
        terminal.sees("the seat is left.")
        terminal.sees("0 matches played")
        assert terminal.ends() == 0
    assert "Traceback" not in terminal.seen
    assert nobody_sits_at(server, table)
    assert list(home.glob("*")) == []


def test_ctrl_c_lets_a_match_be_played_to_its_end(server: Server, home: Path, tmp_path: Path) -> None:
    with bot(server, written(tmp_path, FIRST), "--tables", "2") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        waiting = waits_at(terminal)
        terminal.process.send_signal(signal.SIGINT)
        terminal.sees("Stopping: a match is played to the end.")
        play_to_the_end(ada)
        terminal.sees("1 match played: ")
        assert terminal.ends() == 0
    assert "away" not in kinds(server, ada.table)
    assert nobody_sits_at(server, waiting)


@pytest.mark.parametrize("signals", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM,)], ids=["twice", "term"])
def test_who_is_told_again_leaves_at_once(
    signals: tuple[signal.Signals, ...], server: Server, home: Path, tmp_path: Path
) -> None:
    """Also while it thinks. A bot of the server plays on, so that nobody waits for nothing."""
    thinks = "GAME = 'connect_four'\nimport time\ndef choose(decision):\n    time.sleep(1000)\n"
    with bot(server, written(tmp_path, thinks), "--seconds", "1000") as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or must_wait(ada))
        for number in signals:
            terminal.process.send_signal(number)
            terminal.sees("Ctrl-C again leaves" if len(signals) > 1 and number is signals[0] else "the seat is left.")
            signals = signals[1:]
        assert terminal.ends() == 130
    assert "Traceback" not in terminal.seen
    assert [line["body"]["reason"] for line in server.place.log(ada.table) if line["kind"] == "away"] == ["left"]
    assert list(home.glob("*")) == []


def test_a_seat_is_kept_where_no_server_hears_that_it_is_left(own_server: Server, home: Path, tmp_path: Path) -> None:
    name = written(tmp_path, FIRST)
    with bot(own_server, name) as terminal:
        table = waits_at(terminal)
        own_server.kill()
        terminal.sees("trying again …")
        terminal.process.send_signal(signal.SIGINT)
        terminal.sees("the seat could not be left; the same command goes on there.")
        assert terminal.ends() == 0
    own_server.start()
    with bot(own_server, name) as terminal:
        assert waits_at(terminal) == table


# What the bot is asked.


class Recorder:
    def __init__(self) -> None:
        self.asked: list[Decision] = []

    def choose(self, decision: Decision) -> int:
        self.asked.append(decision)
        return decision.legal[decision.chance.below(len(decision.legal))]


SHORT = {"mazerunner": {"rounds": 4}}


@pytest.mark.parametrize("game", ["connect_four", "goose", "mazerunner", "verfuchst"])
def test_it_is_asked_by_what_its_seat_may_see(
    game: str, server: Server, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each decision is that of ``match.seen_by(seat)``, with the position and the actions that there truly were."""
    recorder, truth = Recorder(), Seen.decision
    shown: list[int] = []

    def decision(seen: Seen, chance: Chance, clock: TimeLimit | None = None) -> Decision:
        shown.append(seen.seat)
        return truth(seen, chance, clock)

    monkeypatch.setattr(Seen, "decision", decision)

    async def play() -> tuple[int, str]:
        async with AsyncClient(server.url) as client:
            opened = await client.open_table(game, seats=2, options=SHORT.get(game), bots={1: "random"})
            seat = await client.sit(opened.table.id, "four")
            table = BotTable(BotSpec(registry.get(game), "", "four", BotLimits()), recorder, seat, lambda *_: None)
            await table.play(lambda message: None)
            return table._you, await client.replay(opened.table.id)

    while len(recorder.asked) < 4:  # lucky dice may end a match before
        recorder.asked.clear()
        shown.clear()
        you, text = asyncio.run(play())
    content = replay.loads(text)
    assert len(recorder.asked) == len(shown)
    assert set(shown) == {you}
    for asked in recorder.asked:
        there = replay.run(content, until=len(asked.actions))
        seen = Match.seen_by(there, you)
        assert list(asked.actions) == content.actions[: asked.state.ply]
        assert (asked.seat, asked.state, list(asked.legal)) == (you, seen.state, seen.legal)


def test_whoever_asks_for_a_rematch_and_goes_holds_up_nobody(
    server: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot waits for them a while, meanwhile nowhere else, and then for others."""
    monkeypatch.setattr(bot_host, "COMING", 2.0)
    plan = BotSpec(registry.get("connect_four"), written(tmp_path, FIRST), "patient", BotLimits())
    host = BotHost(plan, HostBot(plan.bot, server.url), server.url)

    def waits() -> list[str]:
        tables = server.place.http.get("/api/tables", params={"phase": "open", "name": plan.name}).json()
        return [table["id"] for table in tables if sits_at(table["id"])]

    def sits_at(table: str) -> bool:
        answer = server.place.http.get(f"/api/tables/{table}")
        seats = answer.json()["seats"] if answer.status_code == 200 else []
        return any((seat["name"], seat["kind"]) == (plan.name, "person") for seat in seats)

    def play() -> None:
        ada = server.place.sit(until(waits)[0], "Ada")
        play_to_the_end(ada)
        ada.must("rematch")
        again = ada.view()["rematch"]
        until(lambda: sits_at(again))
        seen: list[list[str]] = []

        def is_left() -> bool:
            seen.append(waits())
            return again not in seen[-1]

        until(is_left)
        assert seen[-2] == [again]
        play_to_the_end(server.place.sit(until(waits)[0], "Bob"))

    async def run() -> None:
        running = asyncio.create_task(host.run())
        await asyncio.to_thread(play)
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(run())


def test_a_bot_that_is_not_wanted_any_more_when_it_has_started_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = BotSpec(registry.get("connect_four"), written(tmp_path, FIRST), "four", BotLimits())
    begin, started = threading.Event(), list[Bot]()

    def ready(plan: BotSpec) -> Bot:
        begin.wait(60)
        started.append(truth(plan))
        return started[-1]

    truth = BotSpec.ready
    monkeypatch.setattr(BotSpec, "ready", ready)

    async def run() -> None:
        host = BotHost(plan, HostBot(plan.bot, "http://127.0.0.1:1"), "http://127.0.0.1:1")
        host._begin(asyncio.Event().wait, is_kept=False)  # type: ignore[arg-type]
        (task,) = host._tables
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        begin.set()
        async with asyncio.timeout(60):
            while not started or vars(started[0])["_connection"] is not None:
                await asyncio.sleep(0.01)

    asyncio.run(run())


# What goes wrong.


def told(*arguments: str) -> str:
    return refused("bot", *arguments)


def test_each_error_is_one_line(server: Server, home: Path, tmp_path: Path) -> None:
    four = written(tmp_path, FIRST)
    at = ("--server", server.url)
    opened = server.place.open()["table"]["id"]
    other = server.place.open("goose")["table"]["id"]
    assert "Missing option '--server'" in run("bot", four).stderr
    for arguments, words in {
        (four, "--server", "http://127.0.0.1:9"): "http://127.0.0.1:9 does not answer",
        (four, "--server", "localhost"): "a server's address is such as",
        ("file:missing.py", *at): "no bot file 'missing.py'",
        ("mcts:3", *at): "which game shall mcts:3 play? --game GAME",
        ("nobody", *at, "--game", "goose"): "nobody called 'nobody' plays goose",
        (four, *at, "--game", "goose"): "for connect_four, not for goose",
        (four, *at, "--game", "chess"): "chess",
        (written(tmp_path, "GAME = 'connect_four'\nx =", "broken.py"), *at): "line 2 is not valid Python",
        (four, *at, "--tables", "0"): "--tables takes a whole number from 1 to 64, not 0",
        (four, *at, "--matches", "0"): "--matches takes a whole number",
        (four, *at, "--name", "x" * 25): "a name has 1 to 24 characters",
        (four, *at, "--name", "a(b)"): "brackets",
        (four, *at, "--seats", "3"): "connect_four takes 2 seats, not 3",
        ("random", *at, "--game", "game17", "--seats", "0"): "a bot needs a seat",
        (four, "--server", f"{server.url}/elsewhere"): "is this the address of the server?",
        (four, *at, "--set", "maze=3"): "no option",
        (four, *at, "--clock", "soon"): "a clock is such as",
        (four, *at, "--seconds", "0"): "--seconds takes a number",
        (four, *at, "--table", "K7M-4XQ"): "no table",
        (four, *at, "--table", "nonsense/nonsense"): "a link to a table is such as",
        (four, *at, "--table", f"http://127.0.0.1:9/table/{opened}"): "is to http://127.0.0.1:9, and --server says",
        (four, *at, "--table", f"{server.url}/table/{other}"): "goose is played, not connect_four",
        (four, *at, "--table", opened, "--anybody"): "leave out --anybody",
    }.items():
        assert words in told(*arguments), arguments


def test_a_server_with_other_rules_is_refused(server: Server, home: Path, tmp_path: Path) -> None:
    def lie(path: str, said: Any) -> Any:
        for game in said if path == "/api/games" else ():
            game["rules"] += 1
        return said

    with Liar(server.url, lie) as liar:
        said = told(written(tmp_path, FIRST), "--server", liar.url)
    assert "plays connect_four by rules 2; this Parlour has rules 1" in said


def test_a_server_that_lies_about_what_was_played_is_not_played_with(
    server: Server, home: Path, tmp_path: Path
) -> None:
    def lie(path: str, said: Any) -> Any:
        text = json.dumps(said).replace('"kind": "act"', '"kind": "chat"')
        return json.loads(text)

    with Liar(server.url, lie) as liar, bot(server, written(tmp_path, FIRST), "--server", liar.url) as terminal:
        ada = server.place.sit(waits_at(terminal), "Ada")
        until(lambda: answers(ada) or plies(ada) > 1)
        terminal.sees("the seat is left.")
        terminal.sees("the server's log and its position are not of the same ply.")
        assert "Traceback" not in terminal.seen
