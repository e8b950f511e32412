"""What each part may import: CONTRIBUTING.md shows it to people."""

from __future__ import annotations

import ast
from pathlib import Path

import parlour

ROOT = Path(parlour.__file__).parent
MAY_IMPORT = {
    "engine": set[str](),
    "games": {"engine"},
    "bots": {"engine"},
    "arena": {"engine", "bots"},
    "lab": {"engine", "bots"},
    "rl": {"engine", "bots"},
    "protocol": {"engine"},
    "server": {"engine", "bots", "protocol"},
    "client": {"engine", "protocol"},
    "cli": {"engine", "bots", "arena", "lab", "protocol", "server", "client"},
}


def imported(file: Path) -> set[str]:
    """Every parlour module that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative imports hide where they point"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("parlour.")}


def test_every_part_imports_only_what_it_may() -> None:
    wrong = []
    for file in ROOT.rglob("*.py"):
        part = file.relative_to(ROOT).parts[0]
        if part in MAY_IMPORT:
            targets = {name.split(".")[1]: name for name in imported(file)}
            wrong += [
                f"{file.relative_to(ROOT)} imports {name}"
                for target, name in targets.items()
                if target in MAY_IMPORT and target not in {part, *MAY_IMPORT[part]}
            ]
    assert not wrong


def test_every_part_is_there_and_no_other() -> None:
    parts = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert parts == MAY_IMPORT.keys()


def test_no_game_imports_another() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        here = file.relative_to(ROOT / "games").parts[0]
        others = {name.split(".")[2] for name in imported(file) if name.startswith("parlour.games.")}
        assert others <= {here}, f"{file} imports another game"


def test_no_play_loop_is_written_again() -> None:
    """Only ``begin`` and ``advance`` call a game's setup and apply: a copy of them could forget to count a ply."""
    wrong = []
    for file in [*ROOT.rglob("*.py"), *(ROOT.parent / "game17").rglob("*.py")]:
        if file == ROOT / "engine" / "turns.py":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setup", "apply"):
                wrong.append(f"{file.name}:{node.lineno}")
    assert not wrong
