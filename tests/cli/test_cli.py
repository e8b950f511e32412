"""The command line, run as a person runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.main import get_command

import parlour
from commands import PARLOUR, carried_out, good, refused, run, run_apart
from compiling import EACH_GAME
from parlour.cli import check
from parlour.cli.app import app
from parlour.engine import registry, replay
from parlour.engine.check import CHECKS, CheckResult, Finding


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    match = parlour.new("goose", seats=2, seed=4)
    while not match.over:
        match.play("roll")
    replay.save(match, tmp_path / "match.json")
    return tmp_path / "match.json"


def test_parlour_alone_says_what_there_is_and_what_to_type_next() -> None:
    said = good()
    for name in registry.names():
        assert name in said
    assert "parlour play choccer" in said


def test_python_runs_it_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "parlour", "games"], capture_output=True, text=True, check=True)
    assert "goose" in done.stdout


def test_help_imports_neither_numba_nor_numpy() -> None:
    code = (
        "import sys; from parlour.cli import run; code = run(['--help']);"
        "heavy = {'numba', 'numpy'} & set(sys.modules); sys.exit(f'imported {heavy}' if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "simulate" in done.stdout


@pytest.mark.parametrize("command", get_command(app).commands)  # type: ignore[attr-defined]
def test_every_command_has_help_and_is_documented(command: str) -> None:
    assert "Usage:" in good(command, "--help")
    documented = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text("utf-8")
    assert f"parlour {command}" in documented


def test_games_as_json() -> None:
    games = {game["name"]: game for game in json.loads(good("games", "--json"))}
    assert games["goose"]["seats"] == {"min": 2, "max": 4, "usual": 4}
    assert games["game17"]["seats"] == {"min": 0, "max": 196, "usual": 2}
    assert [option["name"] for option in games["goose"]["options"]] == ["maze", "drink", "stakes"]
    assert set(games) == set(registry.names())


def test_rules_shows_the_rulebook() -> None:
    assert good("rules", "goose") == registry.get("goose").words.rulebook


@pytest.mark.parametrize("name", EACH_GAME)
def test_simulate_as_json(name: str) -> None:
    summary = json.loads(good("simulate", name, "--games", "40", "--seed", "5", "--json"))
    assert set(summary) == {
        "game",
        "seats",
        "games",
        "seed",
        "options",
        "seconds",
        "games_per_second",
        "plies_per_second",
        "mean_turns",
        "win_share",
        "win_share_by_order",
        "outcomes",
        "mean_scores",
    }
    assert summary["games"] == sum(summary["outcomes"].values()) == 40
    assert len(summary["win_share"]) == len(summary["win_share_by_order"]) == summary["seats"]
    won = summary["outcomes"]["sole"] + summary["outcomes"]["shared"]
    assert sum(summary["win_share"]) <= won / 40 + 1e-9


def test_simulate_takes_options_and_zero_seats() -> None:
    summary = json.loads(good("simulate", "game17", "--games", "5", "--seats", "0", "--set", "rounds=3", "--json"))
    assert summary["options"]["rounds"] == 3
    assert summary["win_share"] == []
    assert summary["outcomes"] == {"sole": 0, "shared": 0, "none": 5}


def test_simulate_for_people() -> None:
    assert "turns a game" in good("simulate", "goose", "--games", "20")


def test_play_to_the_end_and_verify(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    said = good(
        "play", "goose", "--seat", "you", "--seat", "random", "--seed", "4", "--save", str(file), typed="\n" * 200
    )
    assert "wins" in said
    assert "Company: random" in said
    assert "Blue (Company) rolls" in said
    assert "(random)" not in said
    assert "the result is true" in good("verify", str(file))


def test_play_with_bots_alone() -> None:
    assert "wins" in good("play", "goose", "--seat", "random", "--seat", "random", "--seed", "4")


def test_where_nobody_plays_people_can_watch() -> None:
    said = run("play", "game17", "--watch", "--set", "edge=4", "--set", "rounds=3", "--speed", "100").stdout
    assert "0 players and 16 zombies" in said
    assert [f"Round {number} of 3" in said for number in (1, 2, 3)] == [True] * 3, "the board is shown every round"
    assert "the last of 3 rounds is over" in said


def test_the_same_seed_plays_the_same_match() -> None:
    runs = [good("play", "choccer", "--seat", "random", "--seat", "random", "--seed", "9") for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize(("name", "opponent"), [("choccer", "mcts:2"), ("mazerunner", "runner:2"), ("goose", "random")])
def test_play_seats_a_decent_opponent_unless_told(name: str, opponent: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    good("play", name, "--seed", "1", "--save", str(file), typed="quit\n")
    you, *others = replay.load(file).names
    assert you.endswith("(you)")
    assert others
    assert all(name.endswith(f"({opponent})") for name in others)


def test_play_takes_notation_numbers_and_commands() -> None:
    said = good(
        "play", "choccer", "--seed", "1", typed="?\nlist\nboard\nlog\nwhat d3\nnonsense\n999\n1\nundo\nquit\n\n"
    )
    assert "White's circle. A circle goes one square up, down, left or right" in said
    assert "take your last choice back" in said
    assert "'nonsense' is not a legal action here" in said
    assert "no number 999" in said
    assert re.search(r"Taken back: \S+, \S+", said), "with what the bot has answered"
    assert "Not saved." in said


def test_undo_takes_back_an_own_choice() -> None:
    said = good("play", "choccer", "--seat", "you", "--seat", "you", "--seed", "1", typed="undo\n1\nundo\nquit\n\n")
    assert "nothing to take back: nobody has played yet" in said
    assert "nothing to take back: you have not played yet" in said
    typed = "1\n1\nundo\nquit\n\n"
    said = good("play", "choccer", "--seat", "you", "--seat", "you", "--seed", "1", typed=typed)
    assert "another person has chosen since" in said
    said = good("play", "game17", "--seat", "you", "--seed", "2", typed="2\nundo\n1\nundo\nquit\n\n")
    assert said.count("Taken back") == 1, "an order can be taken back"
    assert said.count("dice have been rolled since") == 1, "the end of a turn cannot: the zombies have moved"


def test_quit_offers_to_save_and_play_goes_on_from_there(tmp_path: Path) -> None:
    file = tmp_path / "later.json"
    said = good("play", "choccer", "--seed", "1", typed=f"1\nquit\n{file}\n")
    assert f"parlour play {file}" in said
    before = replay.read(file).actions
    good("play", str(file), typed="1\nquit\n")
    after = replay.read(file).actions
    assert after[: len(before)] == before
    assert len(after) == len(before) + 2


def test_quit_never_overwrites(tmp_path: Path) -> None:
    file = tmp_path / "diary.txt"
    file.write_text("dear diary")
    said = good("play", "choccer", "--seed", "1", typed=f"quit\n{file}\n\n")
    assert "exists already" in said
    assert file.read_text() == "dear diary"


def test_a_match_is_kept_as_it_is_played(tmp_path: Path) -> None:
    """Pull the plug in mid-match: what was played is in the file."""
    file = tmp_path / "match.json"
    process = subprocess.Popen(
        [*PARLOUR, "play", "choccer", "--seed", "1", "--save", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("1\n")
    process.stdin.flush()
    seen = ""
    while seen.count("Black (you)>") < 2:
        seen += process.stdout.read(1)
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert len(replay.load(file).plies) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]


def test_end_of_input_ends_the_match_quietly() -> None:
    assert "Not saved." in good("play", "choccer", "--seed", "1", typed="")


@pytest.mark.parametrize("name", registry.names())
def test_ascii_is_ascii(name: str) -> None:
    done = run("play", name, "--seed", "3", "--ascii", typed="?\nlist\n1\nlog\nquit\n\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii(), re.findall(r"[^\x00-\x7f]", done.stdout)[:10]
    assert max(map(len, done.stdout.splitlines())) <= 300


def test_a_terminal_without_unicode_gets_ascii() -> None:
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    assert carried_out(run_apart("play", "choccer", "--seed", "3", typed="quit\n\n", env=env)).isascii()


def test_replay(saved: Path) -> None:
    said = good("replay", str(saved), "--speed", "0")
    plies = len(replay.read(saved).actions)
    assert f"ply {plies} of {plies}" in said
    assert "wins" in said
    at = good("replay", str(saved), "--at", "2")
    assert f"ply 2 of {plies}" in at
    assert at.count("of the Goose") == 1


def test_verify_a_lie(saved: Path) -> None:
    saved.write_text(saved.read_text().replace('"winners": [', '"winners": [0, 1, '))
    done = run_apart("verify", str(saved))
    assert done.returncode == 1
    assert "FALSE winners" in done.stdout


def test_verify_and_check_for_programs(saved: Path) -> None:
    told = json.loads(good("verify", str(saved), "--json"))
    assert (told["is_true"], told["doubts"], told["game"], told["dice_proved"]) == (True, [], "goose", None)
    saved.write_text(saved.read_text().replace('"over": true', '"over": false'))
    done = run("verify", str(saved), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["doubts"][0].startswith("over: ")


def test_a_shell_completes_names_of_games() -> None:
    asked = {"_PARLOUR_COMPLETE": "complete_bash", "COMP_WORDS": "parlour rules go", "COMP_CWORD": "2"}
    assert carried_out(run_apart(env=asked)).split() == ["goose"]


def test_it_does_so_wherever_one_is_typed() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    commands |= commands["admin"].commands
    offered = {
        (name, one.name): [item.value for item in one.shell_complete(typer.Context(command), "go")]
        for name, command in commands.items()
        for one in command.params
        if (one.metavar or "").startswith("GAME")
    }
    assert len(offered) >= 12
    assert {where for where, names in offered.items() if names != ["goose"]} == set()


def test_check() -> None:
    assert f"{len(CHECKS)} of {len(CHECKS)} checks hold" in good("check", "goose")


def test_check_for_programs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = Finding("it fails", "rules.py", 7, "apply", (2, 4), "left", "Took")
    results = [CheckResult("one", ""), CheckResult("two", "it fails", finding=found), CheckResult("three", "likewise")]
    monkeypatch.setattr("parlour.engine.check.run", lambda game: results)
    assert check.check("goose", as_json=True) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["checks"][1] == {"check": "two", "holds": False, "problem": "it fails"}
    known = {"file": "rules.py", "line": 7, "function": "apply", "clauses": [2, 4], "field": "left", "event": "Took"}
    assert told["findings"] == [{"check": "two", "game": "goose", "words": "it fails", **known}]
    assert not told["holds"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "gose"], "did you mean 'goose'?"),
        (["rules", "chocer"], "did you mean 'choccer'?"),
        (["simulate", "nothing", "--games", "1"], "there is no game 'nothing'"),
        (["check", ""], "there is no game ''"),
        (["play", "goose", "--seat", "you"], "2 to 4 seats, not 1"),
        (["play", "goose", "--seat", "randm", "--seat", "you"], "did you mean 'random'?"),
        (["play", "goose", "--set", "maze"], "OPTION=VALUE"),
        (["play", "goose", "--set", "maze=40"], "39 or 30, not '40'"),
        (["play", "goose", "--set", "maze=39", "--set", "maze=30"], "set twice"),
        (["play", "goose", "--set", "mazes=30"], "did you mean 'maze'?"),
        (["play", "goose", "--seed", "-1"], "whole number"),
        (["play", "goose", "--seed", "seven"], "whole number"),
        (["play", "goose", "--seed", "9" * 60], "whole number"),
        (["play", "goose", "--speed", "-2"], "from 0 up"),
        (["play", "goose", "--speed", "nan"], "from 0 up"),
        (["play", "no-such-file.json"], "cannot be read"),
        (["simulate", "goose", "--games", "0"], "from 1 to"),
        (["simulate", "goose", "--games", "many"], "--games"),
        (["simulate", "goose"], "--games"),
        (["simulate", "goose", "--games", "5", "--seats", "7"], "2 to 4 seats, not 7"),
        (["simulate", "game17", "--games", "5", "--seats", "10", "--set", "edge=3"], "seats"),
        (["simulate", "goose", "--games", "5", "--cores", "0"], "--cores"),
        (["replay", "no-such-file.json"], "No such file"),
        (["verify", "."], "directory"),
        (["frobnicate"], "frobnicate"),
        (["play", "goose", "--frobnicate"], "--frobnicate"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    assert words in refused(*arguments)


def test_bad_files(saved: Path, tmp_path: Path) -> None:
    assert "from 0 to" in refused("replay", str(saved), "--at", "-1")
    assert "from 0 to" in refused("replay", str(saved), "--at", "100000")
    assert "exists already" in refused("play", "goose", "--save", str(saved))
    saved.write_text(saved.read_text().replace('"rules": 1', '"rules": 99'))
    assert "newer rules of goose" in refused("verify", str(saved))
    saved.write_text("{}")
    assert "is not a replay" in refused("play", str(saved))
    assert "does not exist" in refused("play", "goose", "--save", str(tmp_path / "no" / "file.json"))


def test_a_reader_who_leaves_early_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -c 'from parlour.cli import main; main()' rules goose | head -1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
