"""Whole tournaments from the command line: repeatable, interrupted, continued, here and on Ray."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.arena_runs import lines, replays
from commands import PARLOUR, carried_out, good, refusal, refused, run, run_apart
from parlour import cli
from parlour.arena.executor import make_executor
from parlour.bots.box import BoxedBot
from parlour.cli import rank as ranking
from parlour.engine import replay
from parlour.engine.errors import ParlourError

ROBIN = ("rank", "choccer", "random", "greedy", "mcts:1", "--rounds", "4", "--seed", "11")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that was played through, on one core."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    good(*ROBIN, folder, "--cores", "1")
    return folder


def same(folder: Path, other: Path) -> bool:
    return lines(folder) == lines(other) and replays(folder) == replays(other)


def test_the_same_seed_gives_the_same_tournament_on_more_cores(whole: Path, tmp_path: Path) -> None:
    good(*ROBIN, tmp_path / "out", "--cores", "3")
    assert same(whole, tmp_path / "out")
    assert len(lines(whole)) == 24


def test_every_replay_is_true(whole: Path) -> None:
    files = sorted((whole / "replays").iterdir())
    assert len(files) == 24
    assert [replay.verify(file) for file in files] == [[]] * 24


def test_a_killed_run_goes_on_where_it_was(whole: Path, tmp_path: Path) -> None:
    """Killed again and again, with all its workers left behind: no match is lost, none played twice."""
    folder = tmp_path / "out"
    kills = 0
    for finished in (2, 7, 15):
        process = subprocess.Popen([*PARLOUR, *ROBIN, str(folder)], start_new_session=True)
        while _count(folder) < finished and process.poll() is None:
            time.sleep(0.005)
        kills += process.poll() is None
        process.kill()
        process.wait()
    assert kills == 3, "the run was over before it could be killed"
    kept = lines(folder) if (folder / "results.jsonl").read_bytes().endswith(b"\n") else {}
    good(*ROBIN, folder)
    assert same(whole, folder)
    assert all(lines(folder)[number] == result for number, result in kept.items())


def _count(folder: Path) -> int:
    file = folder / "results.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    slow = ("rank", "choccer", "mcts:3", "mcts:3", "--rounds", "500")
    process = subprocess.Popen(
        [*PARLOUR, *slow, str(tmp_path / "out")],
        stderr=subprocess.PIPE,
        text=True,
        # What is started in the background ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while _count(tmp_path / "out") < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    report = json.loads(good("report", tmp_path / "out", "--json"))
    assert 2 <= report["played"] < report["matches"] == 1000


def test_workers_leave_with_a_killed_parent(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*PARLOUR, "rank", "choccer", "mcts:600s", "mcts:600s", str(tmp_path / "out"), "--cores", "2"]
    )
    while not (workers := _descendants(process.pid)) or len(workers) < 3:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    end = time.monotonic() + 30
    while any(Path(f"/proc/{pid}/stat").exists() and not _is_dead(pid) for pid in workers):
        assert time.monotonic() < end, "a worker outlived its parent by half a minute"
        time.sleep(0.05)


def _descendants(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == pid:
            child = int(stat.parent.name)
            found += [child, *_descendants(child)]
    return found


def _is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def test_on_a_real_ray_cluster_the_result_is_the_same(whole: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    carried_out(run_apart(*ROBIN, tmp_path / "out", "--on", "ray", "--cores", "2"))
    assert same(whole, tmp_path / "out")


@pytest.mark.parametrize("format", ["royale", "robin", "swiss", "gauntlet"])
def test_every_format(tmp_path: Path, format: str) -> None:
    command = ("rank", "goose", "random", "random", "greedy", tmp_path / "out", "--format", format, "--rounds", "3")
    table = json.loads(good(*command, "--json"))
    assert table["format"] == format
    assert table["played"] == table["matches"] == {"royale": 9, "robin": 18, "swiss": 6, "gauntlet": 12}[format]
    assert {row["bot"] for row in table["table"]} == {"random", "random#2", "greedy"}
    for row in table["table"]:
        assert row["won"] + row["drawn"] + row["lost"] + row["forfeited"] == row["matches"] > 0
        assert row["rating"]["low"] <= row["rating"]["value"] <= row["rating"]["high"]
        assert row["score"]["low"] <= row["score"]["value"] <= row["score"]["high"]
        assert row["seconds_per_action"] >= 0


def test_a_better_bot_comes_out_on_top(whole: Path) -> None:
    table = json.loads(good("report", whole, "--json"))["table"]
    assert table[0]["bot"] == "greedy"
    assert table[0]["rating"]["low"] > 0


def test_the_table_for_people(whole: Path) -> None:
    said = good(*ROBIN, whole)
    assert "choccer (rules 1), robin, 24 matches, seed 11" in said
    assert re.search(r"1 +greedy +\+\d+ \[\+\d+, \+\d+\] +16 +\d+\.\d% \[\d+, \d+\] +\d+–\d+–\d+ +–", said)
    assert f"parlour report {whole}" in said


def test_without_a_seed_the_folder_keeps_its_own(tmp_path: Path) -> None:
    command = ("rank", "goose", "random", "random", tmp_path / "out", "--rounds", "2", "--json")
    first, again = json.loads(good(*command)), json.loads(good(*command))
    assert first == again
    assert "another tournament: its seed" in refused(*command, "--seed", "1")


def test_one_bot_alone(tmp_path: Path) -> None:
    command = ("rank", "game17", "random", tmp_path / "out", "--rounds", "2", "--set", "edge=3", "--set", "rounds=4")
    table = json.loads(good(*command, "--json"))["table"]
    assert [(row["rank"], row["matches"]) for row in table] == [(1, 2)]


def test_bot_files_and_their_faults(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("def choose(decision):\n    return decision.legal[0]\n")
    (tmp_path / "bad.py").write_text(
        "def choose(decision):\n    if len(decision.actions) > 5:\n        raise ValueError('oh no')\n    return -5\n"
    )
    ranked = ("rank", "choccer", "file:first.py", "file:bad.py", "out", "--rounds", "1")
    command = (*ranked, "--opening", "0", "--json")
    table = {row["bot"]: row for row in json.loads(good(*command, cwd=tmp_path))["table"]}
    assert (table["file:bad.py"]["forfeited"], table["file:bad.py"]["lost"]) == (2, 0)
    assert table["file:bad.py"]["faults"] == {"illegal": 6, "crashed": 2}
    assert (table["file:first.py"]["won"], table["file:first.py"]["faults"]) == (2, {})
    with (tmp_path / "first.py").open("a") as file:
        file.write("# better\n")
    assert "file:first.py has changed since" in refused(*command, cwd=tmp_path)


def test_very_many_matches_are_not_played_unasked(tmp_path: Path) -> None:
    command = ("rank", "goose", *["random"] * 1000, tmp_path / "out", "--format", "robin", "--rounds", "1")
    said = refused(*command)
    assert re.search(r"1,000 bots, robin, rounds: 1. These are 999,000 matches, which take about \d", said)
    assert "--yes" in said
    assert not (tmp_path / "out").exists()


def test_many_matches_are_played_if_that_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "MANY", 3)
    command = ["rank", "goose", "random", "random", str(tmp_path / "out"), "--rounds", "2"]
    assert cli.run(command) == 2
    assert not (tmp_path / "out").exists()
    assert cli.run([*command, "--yes"]) == 0
    assert len(lines(tmp_path / "out")) == 4


def test_the_limits_of_bot_files(tmp_path: Path) -> None:
    """They are heeded, and they are part of the tournament."""
    (tmp_path / "slow.py").write_text(
        "import time\ndef choose(decision):\n    time.sleep(0.3)\n    return decision.legal[0]\n"
    )
    (tmp_path / "big.py").write_text("x = bytearray(100 << 20)\ndef choose(decision):\n    return decision.legal[0]\n")
    match = ("match", "goose", "file:slow.py", "random", "--json")
    tight = json.loads(good(*match, "--seconds", "0.05", "--bank", "0.1", cwd=tmp_path))
    assert {fault["status"] for fault in tight["faults"]} == {"timeout"}
    assert "memory" in refused("match", "goose", "file:big.py", "random", "--memory", "50", cwd=tmp_path)
    rank = ("rank", "goose", "random", "file:big.py", "out", "--rounds", "1", "--seed", "1")
    table = json.loads(good(*rank, "--memory", "300", "--json", cwd=tmp_path))
    assert table["limits"]["memory"] == 300 << 20
    assert "its limit memory is 314572800, not 1073741824" in refused(*rank, cwd=tmp_path)
    sprt = ("sprt", "goose", "file:slow.py", "random", "--max-matches", "2", "--json")
    late = json.loads(good(*sprt, "--seconds", "0.05", "--bank", "0", cwd=tmp_path))
    assert late["bots"][0]["faults"]["timeout"] > 0


@pytest.mark.parametrize("bot", ["file:mine", "process:mine", "process:cat mine/notes"])
@pytest.mark.parametrize("out", ["mine/notes/out", "link"])
def test_a_bot_that_could_read_the_results_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bot: str, out: str
) -> None:
    """They tell the seed of all that is to come."""
    (tmp_path / "mine" / "notes").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "mine" / "notes")
    for name in ("bot.py", "bot"):
        (tmp_path / "mine" / name).write_text("#!/bin/sh\n")
        (tmp_path / "mine" / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(BoxedBot, "start", lambda _: pytest.fail("it was started"))
    assert cli.run(["rank", "goose", bot, "random", out]) == 2
    said = f"parlour: {bot} could read {out}, where the seed and the results are: name another folder\n"
    assert capsys.readouterr().err == said
    assert not list((tmp_path / "mine" / "notes").iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["match", "goose", "random", "random", "--seconds", "0"], "--seconds takes a number from 0.001 to 1000000"),
        (["match", "goose", "random", "random", "--bank", "-1"], "--bank"),
        (["rank", "goose", "random", "random", "OUT", "--memory", "0"], "--memory"),
        (["sprt", "goose", "random", "random", "--seconds", "nan"], "--seconds"),
        (["rank", "choccer"], "BOT"),
        (["rank", "choccer", "out"], "BOT"),
        (["rank", "choccer", "random", "OUT"], "at least two bots, not 1"),
        (["rank", "goose", "random", "greedy", "mcts"], "'mcts' is a bot"),
        (["rank", "chocer", "random", "random", "OUT"], "did you mean 'choccer'?"),
        (["rank", "choccer", "random", "gredy", "OUT"], "did you mean 'greedy'?"),
        (["rank", "choccer", "random", "you", "OUT"], "nobody called 'you'"),
        (["rank", "choccer", "random", "file:none.py", "OUT"], "no bot file 'none.py'"),
        (["rank", "choccer", "random", "greedy", "mcts:1", "OUT", "--format", "royale"], "2 seats, not 3"),
        (["rank", "choccer", "random", "greedy", "OUT", "--format", "knockout"], "royale, robin, swiss, gauntlet"),
        (["rank", "choccer", "random", "greedy", "OUT", "--rounds", "0"], "from 1 to 1000000, not 0"),
        (["rank", "choccer", "random", "greedy", "OUT", "--rounds", "-3"], "not -3"),
        (["rank", "choccer", "random", "greedy", "OUT", "--seed", "-3"], "whole number"),
        (["rank", "choccer", "random", "greedy", "OUT", "--set", "maze=30"], "no option 'maze'"),
        (["rank", "choccer", "random", "greedy", "OUT", "--cores", "0"], "--cores"),
        (["rank", "choccer", "random", "greedy", "OUT", "--on", "mars"], "here, ray or ray:ADDRESS"),
        (["rank", "choccer", "random", "greedy", "full"], "holds something else (diary.txt)"),
        (["rank", "choccer", "random", "greedy", "full/diary.txt"], "cannot be written"),
        (["report", "full"], "holds no tournament"),
        (["report", "nowhere"], "holds no tournament"),
        (["match", "choccer", "random"], "2 seats, not 1"),
        (["match", "choccer"], "BOT"),
        (["match", "choccer", "random", "random", "--save", "full/diary.txt"], "exists already"),
        (["match", "choccer", "random", "random", "--save", "no/x.json"], "does not exist"),
        (["sprt", "choccer", "random"], "OLD"),
        (["sprt", "choccer", "random", "gredy"], "did you mean 'greedy'?"),
        (["sprt", "choccer", "random", "greedy", "--better", "0.4"], "the lower one first"),
        (["sprt", "choccer", "random", "greedy", "--alpha", "0"], "alpha"),
        (["sprt", "choccer", "random", "greedy", "--max-matches", "1"], "--max-matches"),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(
    tmp_path: Path,
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("dear diary")
    assert cli.run(arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith("parlour: ")
    assert said.count("\n") == 1
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["full", "diary.txt"]
    assert (tmp_path / "full" / "diary.txt").read_text() == "dear diary"


def test_match_saves_under_a_new_name(tmp_path: Path) -> None:
    for name in ("choccer-7.json", "choccer-7-2.json"):
        said = good("match", "choccer", "greedy", "random", "--seed", "7", cwd=tmp_path)
        assert f"Saved in {name}" in said
        assert "greedy wins" in said
    first, second = ((tmp_path / name).read_bytes() for name in ("choccer-7.json", "choccer-7-2.json"))
    assert first == second
    assert replay.verify(tmp_path / "choccer-7.json") == []


def test_match_as_json(tmp_path: Path) -> None:
    said = json.loads(good("match", "goose", "random", "random", "--json", "--set", "maze=30", cwd=tmp_path))
    assert said["bots"] == ["random", "random#2"]
    assert sum(said["points"]) == 1
    assert replay.read(tmp_path / said["replay"]).options["maze"] == 30


def test_sprt_says_which_and_stops() -> None:
    said = good("sprt", "choccer", "greedy", "random", "--seed", "1")
    assert "greedy is better than random: it scores more than 50%" in said
    answer = json.loads(good("sprt", "choccer", "random", "greedy", "--seed", "1", "--cores", "2", "--json"))
    assert answer["answer"] == "not better"
    assert answer["pairs"] < 50
    assert answer["score"]["high"] < 0.55
    again = json.loads(good("sprt", "choccer", "random", "greedy", "--seed", "1", "--cores", "1", "--json"))
    assert again | {"bots": []} == answer | {"bots": []}, "on one core as on two"


def test_sprt_ends_by_itself() -> None:
    answer = json.loads(good("sprt", "goose", "random", "random", "--max-matches", "20", "--json"))
    assert answer["answer"] == "undecided"
    assert (answer["pairs"], answer["broken"]) == (10, 0)
    assert [bot["matches"] for bot in answer["bots"]] == [20, 20]


def test_a_folder_cannot_be_used_by_two_at_once(tmp_path: Path) -> None:
    slow = ["rank", "choccer", "mcts:600s", "random", str(tmp_path / "out"), "--rounds", "1", "--seed", "1"]
    first = subprocess.Popen([*PARLOUR, *slow], stderr=subprocess.DEVNULL)
    while not (tmp_path / "out" / "results.jsonl").exists():
        assert first.poll() is None
        time.sleep(0.02)
    try:
        time.sleep(0.2)
        done = run(*slow)
        assert done.returncode == 2
        assert "another run" in done.stderr
    finally:
        first.kill()
        first.wait()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nonsense", "ray://127.0.0.1:1"])
def test_no_ray_at_that_address(tmp_path: Path, address: str) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    command = ("rank", "goose", "random", "random", tmp_path / "out", "--on", f"ray:{address}")
    assert f"no Ray cluster at {address}" in refusal(run_apart(*command))
    assert not (tmp_path / "out").exists()


def test_without_ray_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ParlourError, match=r"pip install 'parlour\[ray\]'"):
        make_executor("ray")
