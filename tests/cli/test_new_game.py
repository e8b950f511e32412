"""``parlour new-game``, and games in folders that are not installed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import carried_out, good, refusal, refused, run_apart
from parlour.engine import folders, registry


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test adds is gone after it."""
    monkeypatch.setenv(folders.ADDED, "{}")
    yield
    folders.forget()
    registry.forget()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    good("new-game", "castle_run", cwd=tmp_path)
    return tmp_path / "castle_run"


def test_what_is_written_passes_check_and_its_own_tests(package: Path) -> None:
    told = good("check", package)
    assert "FAILED" not in told
    assert re.search(r"(\d+) of \1 checks hold", told)
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=package, capture_output=True, text=True)
    assert tests.returncode == 0, tests.stdout
    assert "4 passed" in tests.stdout


def test_nothing_is_left_of_the_names_of_the_template(package: Path) -> None:
    for file in package.rglob("*"):
        assert "small" not in file.name
        if file.is_file():
            text = file.read_text("utf-8")
            assert "small_game" not in text
            assert "Small game" not in text
            assert "template" not in text
    assert (package / "castle_run" / "rulebook.md").read_text("utf-8").startswith("# Castle run\n")


def test_it_is_played_without_an_installation_wherever_it_is_named(package: Path) -> None:
    assert good("rules", ".", cwd=package).startswith("# Castle run")
    for place in (package, package / "castle_run", package / "castle_run" / "rules.py"):
        assert "Castle run" in carried_out(run_apart("play", place, "--seat", "random", "--seat", "random"))
    assert "Take one" in run_apart("learn", package, typed="quit\n").stdout


def test_a_match_of_it_is_shown_again_with_its_folder(package: Path, tmp_path: Path) -> None:
    saved = tmp_path / "match.json"
    carried_out(run_apart("match", package, "random", "random", "--save", saved))
    assert "there is no game 'castle_run'" in refusal(run_apart("replay", saved))
    assert "0 left" in carried_out(run_apart("replay", saved, "--speed", 0, "--game", package))
    assert "true" in carried_out(run_apart("verify", saved, "--game", package))


def test_bots_in_boxes_and_processes_find_it(package: Path, tmp_path: Path) -> None:
    carried_out(run_apart("new-bot", package, "my_bot.py", cwd=tmp_path))
    assert "Nothing is wrong" in carried_out(run_apart("check-bot", "my_bot.py", "--game", package, cwd=tmp_path))
    assert "1,000 random games" in carried_out(run_apart("simulate", package, "--games", 1000, "--cores", 2))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("goose", "there is a game 'goose' already"),
        ("random", "Python has a module 'random' already"),
        ("class", "'class' cannot be a game's name"),
        ("My-Game", "such as my_game"),
        ("../up", "such as my_game"),
        ("a" * 41, "at most 40 characters"),
        ("", "such as my_game"),
    ],
)
def test_names_that_cannot_be(name: str, words: str, tmp_path: Path) -> None:
    assert words in refused("new-game", name, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    assert "mine is there already" in refused("new-game", "castle_run", "mine", cwd=tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "thesis.txt"]


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("rules.py", "state.left -= ", "state.left -= = ", "castle_run/rules.py line 30: SyntaxError"),
        ("state.py", "MOST = 3", "LEAST = 3", "castle_run/rules.py line 4: ImportError"),
        ("notation.py", '"""How', '1 / 0\n"""How', "castle_run/notation.py line 1: ZeroDivisionError"),
        ("__init__.py", "seats=(2, 2)", "seats=(3, 2)", "castle_run/__init__.py line 7: game 'castle_run': seats"),
        ("__init__.py", "version=1", "versoin=1", "castle_run/__init__.py line 7: TypeError"),
        ("__init__.py", "GAME = ", "MY_GAME = ", "has no attribute 'GAME'"),
        ("__init__.py", '"castle_run"', '"goose"', "another game is called 'goose'"),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_line(package: Path, file: str, old: str, new: str, words: str) -> None:
    source = package / "castle_run" / file
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new, 1), "utf-8")
    assert words in refused("play", package, "--seat", "random", "--seat", "random")


def test_folders_and_files_that_are_no_games(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "dice-hill.py").write_text("GAME = 1")
    (tmp_path / "dice_hill.py").write_text("GAME = 1")
    (tmp_path / "json.py").write_text("GAME = 1")
    (tmp_path / "empty").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project")
    for place, words in (
        ("./nowhere", "there is no folder or file"),
        ("./notes.txt", "there is no game in it"),
        ("empty", "there is no game in it"),
        ("dice-hill.py", "no name that Python can import"),
        ("dice_hill.py", "GAME in dice_hill is a int, not a Game"),
        ("json.py", "rename yours"),
        (".", "pyproject.toml cannot be read"),
    ):
        assert words in refused("check", place, cwd=tmp_path), place


def test_one_file_is_a_game(package: Path, tmp_path: Path) -> None:
    """Everything in one module, as in the tutorial."""
    text = (Path(__file__).parents[2] / "examples" / "connect_four" / "connect_four" / "__init__.py").read_text("utf-8")
    text = text.replace('name="connect_four"', 'name="one_file"')
    text = text.replace('picture=f"{__name__}.picture", bots=f"{__name__}.bots",', "")
    (tmp_path / "one_file.py").write_text(text, "utf-8")
    told = carried_out(run_apart("play", "one_file.py", "--seat", "random", "--seat", "random", cwd=tmp_path))
    assert "Connect Four" in told
