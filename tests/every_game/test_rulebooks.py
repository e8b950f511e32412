"""Rulebooks: numbered without gaps, every clause cited by a test, cited clauses there; the German ones say the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import parlour.games
from clauses import clauses
from parlour.engine import registry

TESTS = Path(__file__).parent.parent / "games"
GAMES = Path(parlour.games.__file__).parent
BUILT_IN = sorted(folder.name for folder in GAMES.iterdir() if (folder / "__init__.py").exists())


def cited(game: str) -> set[int]:
    """The numbers in every ``@clause(number, quote)`` above a test of the game."""
    found = set()
    for file in TESTS.glob(f"test_{game}*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.FunctionDef) and node.name.startswith("test_")):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "clause":
                    number = mark.args[0]
                    assert isinstance(number, ast.Constant), f"{file}: a clause's number is written out"
                    assert isinstance(number.value, int)
                    found.add(number.value)
    return found


def test_the_five_games_are_there() -> None:
    assert BUILT_IN == ["choccer", "game17", "goose", "mazerunner", "verfuchst"]
    assert set(BUILT_IN) <= set(registry.names())


@pytest.mark.parametrize("name", registry.names())
def test_clauses_are_numbered_without_gaps(name: str) -> None:
    numbers = list(clauses(registry.get(name).words.rulebook))
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_clause_is_cited_by_a_test(name: str) -> None:
    assert set(clauses(registry.get(name).words.rulebook)) - cited(name) == set()


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_clause_that_a_rule_cites_is_there(name: str) -> None:
    known = set(clauses(registry.get(name).words.rulebook))
    for file in (GAMES / name).rglob("*.py"):
        for words in re.findall(r"[Cc]lauses? ([\d, and to]+)", file.read_text("utf-8")):
            assert {int(number) for number in re.findall(r"\d+", words)} <= known, f"{file.name}: clause {words}"


@pytest.mark.parametrize("name", registry.names())
def test_every_option_is_in_the_rulebook(name: str) -> None:
    game = registry.get(name)
    for option in game.options:
        assert f"`{option.name}" in game.words.rulebook, f"the rulebook of {name} does not tell of {option.name}"


def figures(text: str) -> list[str]:
    """What a translation leaves as it is, in order: numbers, squares, notation, and the cells of tables."""
    return re.findall(r"`[^`]*`|[A-Y]?[−+]?\d+|\|", text)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_german_rulebook_has_the_same_clauses(name: str) -> None:
    assert (GAMES / name / "rulebook.de.md").is_file()
    english, german = (registry.get(name).words.rulebook_in(language) for language in ("en", "de"))
    assert english == registry.get(name).words.rulebook
    assert len(re.findall(r"^#+ ", german, flags=re.M)) == len(re.findall(r"^#+ ", english, flags=re.M))
    ours, theirs = clauses(german), clauses(english)
    assert list(ours) == list(theirs)
    for number, text in theirs.items():
        assert ours[number] != text, f"clause {number} is not translated"
        assert figures(ours[number]) == figures(text), f"clause {number} tells other numbers"


def test_a_game_without_a_german_rulebook_shows_the_english_one() -> None:
    game = registry.get("connect_four")
    assert game.words.rulebook_in("de") == game.words.rulebook
