"""What each part may import: CONTRIBUTING.md shows it to people."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import parlour

ROOT = Path(parlour.__file__).parent
SERVER = ROOT / "server"
CONTENTS = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "contents.py"))
MAY_IMPORT = {
    "engine": set[str](),
    "games": {"engine"},
    "bots": {"engine"},
    "arena": {"engine", "bots"},
    "lab": {"engine", "bots"},
    "rl": {"engine", "bots"},
    "protocol": {"engine"},
    "server": {"engine", "bots", "protocol"},
    "site": {"engine", "bots", "protocol", "server"},
    "client": {"engine", "protocol"},
    "mcp": {"engine", "bots", "protocol", "client"},
    "cli": {"engine", "bots", "arena", "lab", "protocol", "server", "site", "client", "mcp"},
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


def may_import(package: Path) -> set[str]:
    """The packages of the server that one of them names, in what it says of itself."""
    told = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    named = re.search(r"^May import: (.*)\.$", told, re.MULTILINE)
    assert named, f"{package}/__init__.py should say what it may import"
    return set() if named[1] == "nothing else of the server" else set(named[1].split(", "))


def test_every_package_of_the_server_imports_only_what_it_says() -> None:
    """And each stands below all that it may import, so there are no circles."""
    packages = [SERVER / name for name in CONTENTS["SERVER"]]
    assert {path.parent for path in SERVER.glob("*/__init__.py")} == set(packages)
    wrong = []
    for number, package in enumerate(packages):
        allowed = may_import(package)
        below = {path.name for path in packages[:number]}
        wrong += [f"{package.name} may import {name}, which stands above it" for name in allowed - below]
        used = dict[str, Path]()
        for file in package.rglob("*.py"):
            parts = [name.split(".") for name in imported(file) if name.startswith("parlour.server.")]
            used |= {part[2]: file for part in parts if len(part) > 2}
        used.pop(package.name, None)
        wrong += [
            f"{file} imports {name}, which {package.name} may not" for name, file in used.items() if name not in allowed
        ]
        wrong += [f"{package.name} may import {name}, and does not" for name in allowed - used.keys()]
    assert not wrong


def test_the_list_of_all_files_is_as_they_are() -> None:
    assert CONTENTS["PAGE"].read_text("utf-8") == CONTENTS["page"](), (
        "src/parlour/README.md is stale: run `make contents`"
    )


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
