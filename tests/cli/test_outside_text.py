"""Files that lie: nothing in one is run, and nothing in one steers the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import commands
import parlour
from commands import run
from parlour.engine import replay

EVIL = "Eve\x1b]0;owned\x07\x1b[2J\nparlour: all is well\u202e\u2028"


def refused(*arguments: object) -> str:
    said = commands.refused(*arguments)
    assert_harmless(said)
    return said


def assert_harmless(text: str) -> None:
    assert all(line.isprintable() for line in text.split("\n")), text
    assert not any(line.startswith("parlour: all is well") for line in text.split("\n")), "a forged line"


def written(folder: Path, plies: int = 2, **changes: Any) -> Path:
    match = parlour.new("goose", seats=2, seed=4)
    for _ in range(plies):
        match.play("roll")
    content = json.loads(replay.dumps(match)) | changes
    file = folder / "gift.json"
    file.write_text(json.dumps(content))
    return file


@pytest.mark.parametrize("bot", ["process:/usr/bin/touch {trap}", "file:{trap}.py"])
def test_opening_a_replay_runs_nothing_that_it_names(bot: str, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    Path(f"{trap}.py").write_text(f"open({str(trap)!r}, 'w')")
    file = written(tmp_path, names=["Blue", f"Red ({bot.format(trap=trap)})"])
    assert "with --seat" in refused("play", file)
    for command in ("replay", "verify"):
        assert run(command, file, *(["--speed", "0"] if command == "replay" else [])).returncode == 0
    assert not trap.exists()


def test_whoever_is_no_bot_of_parlours_own_is_you(tmp_path: Path) -> None:
    names = ["Anna (from work)", "Red (random)"]
    done = run("play", written(tmp_path, names=names), typed="quit\n")
    assert done.returncode == 0, done.stderr
    assert "(you)> " in done.stdout


def test_names_in_a_file_cannot_steer_the_terminal_or_forge_a_line(tmp_path: Path) -> None:
    file = written(tmp_path, names=[EVIL, f"Red ({EVIL})"], ended={"reason": EVIL, "winners": []})
    for arguments in (["replay", file, "--speed", "0"], ["replay", file, "--at", "1"], ["verify", file]):
        done = run(*arguments)
        assert done.returncode == 0, done.stderr
        assert "Eve" in done.stdout
        assert_harmless(done.stdout + done.stderr)
    played = run("play", file, typed="log\nquit\n")
    assert played.returncode == 0, played.stderr
    assert_harmless(played.stdout + played.stderr)


def test_a_bot_cannot_either(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"GAME = 'goose'\ndef choose(decision):\n    print({EVIL!r})\n    return {EVIL!r}\n")
    for arguments in (
        ["check-bot", bot, "--matches", "1"],
        ["match", "goose", f"file:{bot}", "random", "--save", tmp_path / "match.json"],
        ["play", "goose", "--seat", f"file:{bot}", "--seat", "random", "--seed", "1"],
    ):
        done = run(*arguments)
        assert "illegal" in done.stdout
        assert_harmless(done.stdout + done.stderr)


def test_nor_can_names_on_the_command_line(tmp_path: Path) -> None:
    refused("play", f"{EVIL}.json")
    refused("rules", EVIL)
    refused("play", "goose", "--seat", EVIL)
    refused("report", tmp_path / "x\udcff\x1b[2J")


@pytest.mark.parametrize("name", ["game", "names", "seed", "self", "seats", "Ω\x1b[2J"])
def test_odd_options_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    file = written(tmp_path, options={name: 1})
    for command in ("play", "replay", "verify"):
        refused(command, file)


def test_bytes_that_are_no_text_are_refused_in_one_line(tmp_path: Path) -> None:
    file = written(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"Blue", b"\xff\xfe"))
    for command in ("play", "replay", "verify"):
        assert "UTF-8" in refused(command, file)


def test_half_a_character_is_refused_or_shown_but_never_a_traceback(tmp_path: Path) -> None:
    file = written(tmp_path, names=["\ud800", "Red"])
    for command in ("play", "replay", "verify"):
        done = run(command, file, *(["--speed", "0"] if command == "replay" else []), typed="1\nquit\n")
        assert "Traceback" not in done.stderr, done.stderr
        assert_harmless(done.stdout + done.stderr)
