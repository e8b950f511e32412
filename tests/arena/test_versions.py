"""Results of two versions are never mixed: of a bot and what it brings along, of Parlour, or of what is asked for."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import parlour
from arena.arena_runs import lines
from commands import PARLOUR, carried_out, good, refused, run_apart
from parlour.arena.duel import duel
from parlour.arena.executor import make_executor
from parlour.arena.sequential import SequentialTest
from parlour.arena.tournament import announce
from parlour.arena.versions import bot_version, code_version
from parlour.bots.box import BoxedBot, command
from parlour.engine import registry, replay
from parlour.engine.chance import Chance
from parlour.engine.errors import BadTournament
from parlour.engine.match import Match
from serving import until

PROGRAM = """#!/usr/bin/python3
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"protocol": 1}', flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"ask": message["ask"], "action": message["legal"][0]}), flush=True)
"""


def a_file(folder: Path) -> str:
    (folder / "bot.py").write_text("def choose(decision):\n    return decision.legal[0]\n")
    return f"file:{folder / 'bot.py'}"


def a_folder(folder: Path) -> str:
    (folder / "bot.py").write_text("from parts import deep\ndef choose(decision):\n    return deep.choose(decision)\n")
    (folder / "parts").mkdir()
    (folder / "parts" / "deep.py").write_text("def choose(decision):\n    return decision.legal[0]\n")
    return f"file:{folder}"


def a_program(folder: Path) -> str:
    (folder / "player").write_text(PROGRAM)
    (folder / "player").chmod(0o755)
    return f"process:{folder / 'player'}"


def a_program_with_a_file(folder: Path) -> str:
    (folder / "weights.txt").write_text("1 2 3")
    return f"{a_program(folder)} {folder / 'weights.txt'}"


def a_program_in_a_folder(folder: Path) -> str:
    (folder / "bot").write_text(PROGRAM)
    (folder / "bot").chmod(0o755)
    (folder / "table.txt").write_text("1 2 3")
    return f"process:{folder}"


KINDS: dict[str, tuple[Callable[[Path], str], str]] = {
    "file": (a_file, "bot.py"),
    "folder": (a_folder, "parts/deep.py"),
    "program": (a_program, "player"),
    "program and file": (a_program_with_a_file, "weights.txt"),
    "program in a folder": (a_program_in_a_folder, "table.txt"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_that_has_changed_is_refused(kind: str, tmp_path: Path) -> None:
    make, part = KINDS[kind]
    folder = tmp_path / "bot"
    folder.mkdir()
    name = make(folder)
    rank = ("rank", "connect_four", name, "random", tmp_path / "out", "--rounds", "1")
    good(*rank)
    before = lines(tmp_path / "out")
    good(*rank)
    with (folder / part).open("a") as file:
        file.write("\n# better\n")
    assert "has changed since" in refused(*rank)
    assert lines(tmp_path / "out") == before


def test_what_comes_and_goes_beside_a_bot_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    name, game = a_folder(folder), registry.get("connect_four")
    before = bot_version(game, name)
    for left in ("__pycache__", ".git"):
        (folder / left).mkdir()
        (folder / left / "x").write_text("x")
    assert bot_version(game, name) == before
    (tmp_path / "weights").write_text("1")
    (folder / "weights").symlink_to(tmp_path / "weights")
    linked = bot_version(game, name)
    (tmp_path / "weights").write_text("2")
    assert len({before, linked, bot_version(game, name)}) == 3


def test_no_file_in_a_folder_holds_up_the_arena(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    name = a_folder(folder)
    os.mkfifo(folder / "pipe")
    (folder / "zero").symlink_to("/dev/zero")
    (folder / "up").symlink_to(tmp_path)
    (folder / "nowhere").symlink_to(folder / "missing")
    good("rank", "connect_four", name, "random", tmp_path / "out", "--rounds", "1")


def test_a_judge_counts_with_all_that_is_in_it(tmp_path: Path) -> None:
    game, judge = registry.get("choccer"), tmp_path / "my.judge"
    judge.write_bytes(b"one")
    names = (f"judge:{judge}", f"judge:{judge}:20p")
    before = [bot_version(game, name) for name in names]
    assert before[0] == before[1] != ""
    judge.write_bytes(b"two")
    assert not {bot_version(game, name) for name in names} & set(before)
    assert {bot_version(game, name) for name in ("judge", "judge:0.5s", "mcts:3", "random", "easy")} == {""}


def test_results_of_another_parlour_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rank = ("rank", "connect_four", "random", "random", tmp_path / "out", "--rounds", "1")
    good(*rank)
    before = lines(tmp_path / "out")
    monkeypatch.setattr(parlour, "__version__", "99.1")
    said = refused(*rank)
    assert f"was begun with Parlour {code_version(registry.get('connect_four')).replace('99.1', '0.1.0')}" in said
    assert "and this is 99.1 (" in said
    assert lines(tmp_path / "out") == before
    good("report", tmp_path / "out")


def test_results_of_a_parlour_that_noted_no_version_are_refused(tmp_path: Path) -> None:
    rank = ("rank", "connect_four", "random", "random", tmp_path / "out", "--rounds", "1", "--seed", "1")
    good(*rank)
    file = tmp_path / "out" / "tournament.json"
    content = json.loads(file.read_text())
    del content["code"], content["opening"]
    file.write_text(json.dumps(content))
    assert "was begun with an older Parlour" in refused(*rank)
    good("report", tmp_path / "out")


def test_a_games_own_code_counts() -> None:
    versions = {code_version(registry.get(name)) for name in ("choccer", "goose", "connect_four")}
    assert len(versions) == 3


def test_a_bot_that_changes_meanwhile_ends_the_tournament(tmp_path: Path) -> None:
    """Whoever works on a bot while a tournament runs has no match of the new version in it."""
    bot, results = tmp_path / "bot.py", tmp_path / "out" / "results.jsonl"
    bot.write_text("def choose(decision):\n    return decision.legal[0]\n")
    line = ("rank", "connect_four", f"file:{bot}", "random", tmp_path / "out", "--rounds", "5000", "--cores", "1")
    with subprocess.Popen([*PARLOUR, *map(str, line)], stderr=subprocess.PIPE, text=True) as process:
        until(lambda: results.exists() and results.read_bytes().count(b"\n") > 3)
        bot.write_text("def choose(decision):\n    return decision.legal[-1]\n")
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert said == f"parlour: file:{bot} has changed since this began: no match of its new version is counted\n"
    drawn = replay.read(tmp_path / "out" / "replays" / "00000.json").drawn
    for number, result in lines(tmp_path / "out").items():
        match = replay.load(tmp_path / "out" / "replays" / f"{number:05}.json")
        seat = result["bots"].index(0)
        for ply in range(drawn, len(match.actions)):
            before = replay.run(replay.read(tmp_path / "out" / "replays" / f"{number:05}.json"), until=ply)
            assert before.to_move != seat or match.actions[ply] == before.legal()[0]


def test_a_bot_that_is_gone_meanwhile_has_changed(tmp_path: Path) -> None:
    plan = announce(registry.get("connect_four"), [a_file(tmp_path), "random"], seed=1)
    (tmp_path / "bot.py").unlink()
    test = SequentialTest()
    with (
        make_executor(None, 1) as executor,
        pytest.raises(BadTournament, match=r"bot\.py has changed since this began"),
    ):
        duel(plan, test, executor)
    assert test.scores == []


RANDOM = """
import random
import numpy

HERE = random.Random()

class Bot:
    def __init__(self):
        self.own = random.Random()
        self.numbers = numpy.random.default_rng()

    def choose(self, decision):
        texts = {decision.text(action) for action in decision.legal}
        ways = (
            lambda: random.choice(sorted(texts)),
            lambda: list(texts)[0],
            lambda: sorted(texts)[int(numpy.random.randint(len(texts)))],
            lambda: sorted(texts)[int(self.numbers.integers(len(texts)))],
            lambda: self.own.choice(sorted(texts)),
            lambda: HERE.choice(sorted(texts)),
        )
        return ways[len(decision.actions) // 2 % len(ways)]()
"""


def test_bots_that_use_random_play_the_same_again(tmp_path: Path) -> None:
    """Python's generators, NumPy's, and the order of sets: in two runs, each with processes of its own."""
    (tmp_path / "bot.py").write_text(RANDOM)
    for run in ("one", "two"):
        line = ("rank", "connect_four", f"file:{tmp_path / 'bot.py'}", "greedy", tmp_path / run)
        carried_out(run_apart(*line, "--rounds", "4", "--seed", "5", "--key", "a5" * 16, "--opening", "0"))
    assert lines(tmp_path / "one") == lines(tmp_path / "two")
    courses = {result["course"] for result in lines(tmp_path / "one").values()}
    assert len(courses) > 4, "matches have random numbers of their own"


def test_a_program_is_told_where_its_random_numbers_begin(tmp_path: Path) -> None:
    said = PROGRAM.replace(
        '"hello":',
        '"match":\n        print(message["seed"], file=sys.stderr, flush=True)\n    elif message["type"] == "hello":',
    )
    (tmp_path / "player").write_text(said)
    (tmp_path / "player").chmod(0o755)
    game = registry.get("connect_four")
    seeds = []
    for lane in (1, 1, 2):
        with BoxedBot(game, command(str(tmp_path / "player"))) as bot:
            bot.choose(Match(game, seed=1).seen_by(0).decision(Chance([lane, 2, 3, 4])))
            seeds.append(int(bot.stderr))
    assert seeds[0] == seeds[1] != seeds[2]
    assert all(0 <= seed < 2**53 for seed in seeds)
