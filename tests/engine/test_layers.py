"""Imports point one way: engine ← games ← bots ← arena, lab, rl ← server ← client ← cli, tui."""

from __future__ import annotations

import ast
from pathlib import Path

import parlour

ROOT = Path(parlour.__file__).parent
LAYERS = [{"engine"}, {"games"}, {"bots"}, {"arena", "lab", "rl"}, {"server"}, {"client"}, {"cli", "tui"}]
HEIGHT = {part: height for height, parts in enumerate(LAYERS) for part in parts}


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


def test_imports_point_one_way() -> None:
    wrong = []
    for file in ROOT.rglob("*.py"):
        part = file.relative_to(ROOT).parts[0]
        if part == "__init__.py":
            continue
        for name in imported(file):
            target = name.split(".")[1]
            if target in HEIGHT and target != part and HEIGHT[target] >= HEIGHT[part]:
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_every_part_has_a_layer() -> None:
    parts = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert parts <= HEIGHT.keys()


def test_no_game_imports_another() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        here = file.relative_to(ROOT / "games").parts[0]
        others = {name.split(".")[2] for name in imported(file) if name.startswith("parlour.games.")}
        assert others <= {here}, f"{file} imports another game"
