"""The tutorial shows the real game: all of it, in order, and nothing else."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import connect_four
import goofspiel
import pytest

from parlour.cli import run
from parlour.engine import registry
from parlour.engine.check import CHECKS
from parlour.engine.state import HEADER

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "write-a-game.md").read_text("utf-8")
EXAMPLE = ROOT / "examples" / "connect_four"
MODULE = (EXAMPLE / "connect_four" / "__init__.py").read_text("utf-8")
PICTURE = (EXAMPLE / "connect_four" / "picture.py").read_text("utf-8")
BOTS = (EXAMPLE / "connect_four" / "bots.py").read_text("utf-8")

# The chapter on secrets shows pieces of another game.
BEFORE, SECRETS, AFTER = re.split(r"(^## 16\. .*?)(?=^## )", PAGE, flags=re.M | re.S)
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", BEFORE + AFTER, flags=re.M | re.S)


def blocks(language: str) -> list[str]:
    return [block for kind, block in BLOCKS if kind == language]


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert (BEFORE + AFTER).count("```") == 2 * len(BLOCKS)
    assert {kind for kind, _ in BLOCKS} == {"text", "toml", "sh", "markdown", "python", "pycon"}


PIECES = [block for block in blocks("python") if block not in (PICTURE, BOTS)]


@pytest.mark.parametrize("block", PIECES, ids=lambda block: block.splitlines()[-1].strip()[:30])
def test_every_piece_of_code_stands_in_the_module(block: str) -> None:
    assert block in MODULE


def test_the_pieces_are_the_whole_module_in_order() -> None:
    shown = "\n".join(PIECES).splitlines()
    assert [line for line in shown if line] == [line for line in MODULE.splitlines() if line]


*GOOFSPIEL, SCRIPT = re.findall(r"^```python\n(.*?)^```$", SECRETS, flags=re.M | re.S)


@pytest.mark.parametrize("block", GOOFSPIEL, ids=lambda block: block.splitlines()[-1].strip()[:30])
def test_every_piece_of_the_game_with_secrets_stands_in_it(block: str) -> None:
    assert block in Path(goofspiel.__file__).read_text("utf-8")


def test_the_script_of_the_game_with_secrets_prints_what_it_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "get", {"goofspiel": goofspiel.GAME}.__getitem__)
    exec(SCRIPT)
    first, second = capsys.readouterr().out.splitlines()
    assert f"print(match.chosen, match.seen_by(1).state.bid)  # {first}\n" in SCRIPT
    assert f"print(match.story[-2:])  # {second}\n" in SCRIPT


def test_the_other_files_are_shown_whole() -> None:
    project, step = blocks("toml")
    assert project == (EXAMPLE / "pyproject.toml").read_text("utf-8")
    assert step in (EXAMPLE / "connect_four" / "lesson.toml").read_text("utf-8")
    assert {PICTURE, BOTS} <= set(blocks("python"))
    assert blocks("markdown") == [registry.get("connect_four").words.rulebook]


def test_the_folder_is_as_drawn() -> None:
    (drawn,) = blocks("text")
    names = set(re.findall(r"[\w.]+(?=/?$)", drawn, flags=re.M))
    inside = {"__init__.py", "bots.py", "connect_four.judge", "de.po", "lesson.toml", "picture.py", "rulebook.md"}
    assert names == {"connect_four", "pyproject.toml", *inside}
    assert all((EXAMPLE / name).exists() or (EXAMPLE / "connect_four" / name).exists() for name in names)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("parlour ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out


def test_the_python_session_is_true() -> None:
    (session,) = blocks("pycon")
    test = doctest.DocTestParser().get_doctest(session, {}, "write-a-game", None, None)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert test.examples


def test_every_check_and_every_header_field_is_explained() -> None:
    explained = re.findall(r"^\| ([^|]+) \|", PAGE, flags=re.M)
    assert set(CHECKS) <= set(explained)
    assert {f"`{name}`" for name in HEADER} <= set(explained)


def test_the_game_is_the_installed_one() -> None:
    assert Path(connect_four.__file__).read_text("utf-8") == MODULE
