"""Writes src/parlour/README.md: every package and every file, in the order of dependency. A test keeps it true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent / "src" / "parlour"
PAGE = ROOT / "README.md"
PARTS = ("engine", "bots", "games", "arena", "lab", "rl", "protocol", "server", "site", "client", "mcp", "cli")
SERVER = (
    *("basics", "people", "tables", "store", "push", "telling", "previews"),
    *("bots", "cluster", "rooms", "admin", "running", "http", "api"),
)
LEFT_OUT = {"__pycache__", "web", "migrations", "fonts"}
HEAD = """# What is where

Every package and every file, each with the first sentence of what it says of itself. A package stands below all that it
imports. Made from the sources (`make contents`).
"""


def said(file: Path) -> str:
    """The first sentence of what a module says of itself, in one line."""
    told = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return re.sub(r"\s+", " ", told.split("\n\n")[0]).strip()


def packages(folder: Path) -> list[Path]:
    """The packages in a folder, those of the server in the order in which they build on each other."""
    found = [path for path in folder.iterdir() if (path / "__init__.py").exists() and path.name not in LEFT_OUT]
    order = {"parlour": PARTS, "server": SERVER}.get(folder.name, ())
    return sorted(found, key=lambda path: (order.index(path.name) if path.name in order else 0, path.name))


def section(folder: Path, depth: int = 2) -> list[str]:
    lines = [f"{'#' * depth} {folder.relative_to(ROOT).as_posix()}", "", said(folder / "__init__.py"), ""]
    files = [file for file in sorted(folder.glob("*.py")) if file.name != "__init__.py"]
    if files:
        lines += ["| file | what |", "|---|---|"]
        lines += [f"| [{file.stem}]({file.relative_to(ROOT).as_posix()}) | {said(file)} |" for file in files]
        lines += [""]
    for package in packages(folder):
        lines += section(package, min(depth + 1, 4))
    return lines


def page() -> str:
    lines = [HEAD]
    for part in packages(ROOT):
        lines += section(part)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
