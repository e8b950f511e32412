"""Every built-in game has the same shape: who knows one game's folder finds everything in another's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour.games
from parlour.engine import registry

GAMES = Path(parlour.games.__file__).parent
FOLDERS = sorted(path.parent for path in GAMES.glob("*/__init__.py"))
MODULES = {
    "state",
    "rules",
    "notation",
    "events",
    "seats",
    "terminal",
    "picture",
    "observation",
}  # each a file or a folder
OPTIONAL = {"bots", "foreign", "reasons", "sight"}
RULEBOOKS = {"rulebook.md", "rulebook.de.md"}
OTHER_TEXTS = {"de.po", "lesson.toml"}


def modules(folder: Path) -> set[str]:
    """The modules of a game, be they files or folders."""
    return {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}


def imported(path: Path) -> Iterator[str]:
    """The names of all modules that a module imports, be it a file or a folder."""
    for file in path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_game_has_these_modules_and_no_others(folder: Path) -> None:
    found = modules(folder) - {"__init__"}
    assert found >= MODULES
    assert found <= MODULES | OPTIONAL


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_game_has_its_rulebooks_lesson_and_translations(folder: Path) -> None:
    texts = {path for path in folder.iterdir() if path.is_file() and path.suffix != ".py"}
    rulebooks = {path for path in texts if path.suffix == ".md"}
    assert {path.name for path in rulebooks} == RULEBOOKS
    assert {path.name for path in texts - rulebooks} - {*registry.get(folder.name).players.bots.judges} == OTHER_TEXTS


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("state", {"rules", "notation", "events", "seats", "terminal", "picture", "bots"}),
        ("rules", {"notation", "seats", "terminal", "picture", "bots"}),
        ("seats", {"rules", "notation", "events", "terminal", "picture", "bots"}),
        ("terminal", {"picture", "bots"}),
        ("picture", {"terminal", "bots"}),
    ],
)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_both_need_stands_beside_the_state(folder: Path, module: str, others: set[str]) -> None:
    """The picture never imports the terminal, nor the other way round."""
    package = f"parlour.games.{folder.name}"
    wrong = {f"{package}.{other}" for other in others}
    assert not [name for name in imported(folder / module) if any(f"{name}.".startswith(f"{bad}.") for bad in wrong)]
