"""What is installed without extras suffices for playing, bots and simulating; what does not says what to install."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from parlour.engine.extras import EXTRA_OF

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BESIDES = {"markupsafe", "llvmlite"}  # which Jinja2 and Numba bring
WITHOUT_EXTRAS = ("engine", "games", "bots", "arena", "lab", "protocol", "cli")


def modules(requirements: list[str]) -> set[str]:
    """The modules that these requirements bring, as they are called in an import."""
    names = (re.match(r"[\w-]+", requirement) for requirement in requirements)
    return {name[0].replace("-", "_") for name in names if name is not None}


def imported(file: Path, *, inside_functions: bool = True) -> set[str]:
    """The outermost modules that a file imports; inside a function, it can do without them."""
    found, tree = set[str](), ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree) if inside_functions else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"parlour", "game17"}


def test_playing_and_simulating_need_no_extra() -> None:
    base = modules(PROJECT["dependencies"]) | BESIDES
    files = [file for part in WITHOUT_EXTRAS for file in (ROOT / "src" / "parlour" / part).rglob("*.py")]
    files += (ROOT / "src" / "game17").glob("*.py")
    needed = {str(file.relative_to(ROOT)): imported(file, inside_functions=False) - base for file in files}
    assert not {name: more for name, more in needed.items() if more}


def test_every_extra_is_known_by_what_it_brings() -> None:
    extras = PROJECT["optional-dependencies"]
    for module, extra in EXTRA_OF.items():
        assert module in modules(extras[extra]), (module, extra)
    parts = [*(ROOT / "src/parlour/server").rglob("*.py"), *(ROOT / "src/parlour/client").rglob("*.py")]
    needed = set[str]().union(*map(imported, parts)) - modules(PROJECT["dependencies"])
    assert needed <= EXTRA_OF.keys()


def test_a_missing_extra_is_one_clear_line() -> None:
    lines = (
        "import sys; sys.modules.update({'httpx': None, 'litestar': None})",
        "import parlour; from parlour.cli import run",
        "codes = [run(['play', 'goose', '--server', 'http://127.0.0.1:1']), run(['serve', '--port', '0'])]",
        "sys.exit(0 if codes == [2, 2] else 1)",
    )
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.splitlines() == [
        "parlour: this needs httpx, which is not installed: pip install 'parlour[client]'",
        "parlour: this needs litestar, which is not installed: pip install 'parlour[server]'",
    ]
