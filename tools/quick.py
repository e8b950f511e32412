"""Lint, types, and the tests nearest to what has changed, in less than two minutes: ``make quick``.

Changed is whatever differs from the branch main; on main itself, from the last commit. The nearest tests are those that
import what has changed, or else what imports it, and so on. ``make test`` is what everything has to pass in the end.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SECONDS = 80  # after which no further test begins
FOLDERS = ("src", "tests", "benchmarks", "tools", "examples")
TOPS = (ROOT / "src", ROOT / "tests", ROOT / "examples/connect_four", ROOT)  # where names of modules begin
IN_BROWSERS = "tests/web/"  # run only if they have changed themselves: they take too long
# What no import leads to: files that begin so, or end so, and the tests that are about them.
BESIDE = (
    ("", ".md", ("tests/docs/test_pages.py", "tests/every_game/test_rulebooks.py")),
    ("", ".po", ("tests/every_game/test_languages.py", "tests/engine/test_language.py")),
    ("", ".toml", ("tests/engine/test_lesson.py", "tests/every_game/test_learning.py")),
    ("deploy/", "", ("tests/docs/test_deploy.py",)),
    ("src/parlour/", ".py", ("tests/engine/test_layers.py", "tests/every_game/test_shape.py")),
)


def changed() -> list[str]:
    """The files that differ, new ones among them, as paths from the root."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return sorted({*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")})


def _git(*words: str) -> list[str]:
    """The lines that git says; none where it refuses."""
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.splitlines()


def nearest(files: Iterable[str]) -> list[str]:
    """The tests of these files: those that have changed themselves, then those that are nearest to the most of them."""
    importers = _importers()
    found: dict[str, float] = {}
    for file in files:
        for test, worth in _tests_of(file, importers).items():
            found[test] = found.get(test, 0) + worth
    return sorted(found, key=lambda test: (-found[test], test))


def _tests_of(file: str, importers: dict[str, set[str]]) -> dict[str, float]:
    """The tests of one file, and what each is worth: the fewer it has, the more each of them."""
    if _is_test(file):
        return {file: 1000.0} if file in importers else {}
    tests = {test for begin, end, tests in BESIDE if file.startswith(begin) and file.endswith(end) for test in tests}
    parts, name = file.split("/"), file.rpartition("/")[2]
    if parts[:3] == ["src", "parlour", "games"]:  # a game's parts are found by their names
        tests |= {test for test in importers if test.startswith(f"tests/games/test_{parts[3]}")}
    tests |= {test for test in importers if test.endswith(f"/test_{name}")}
    level = seen = {file}
    while level and not any(_is_test(one) for one in level):
        level = {one for imported in level for one in importers.get(imported, ())} - seen
        seen = seen | level
    tests |= {one for one in level if _is_test(one)}
    quick = {test for test in tests if not test.startswith(IN_BROWSERS)}
    return {test: 1 / len(quick) for test in quick}


def _is_test(file: str) -> bool:
    return file.startswith("tests/") and file.rpartition("/")[2].startswith("test_")


@cache
def _importers() -> dict[str, set[str]]:
    """For each file of Python, those that import it."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if "data" not in path.parts]
    files = {_module(path): path.relative_to(ROOT).as_posix() for path in paths}
    found: dict[str, set[str]] = {file: set() for file in files.values()}
    for path in paths:
        for imported in _imported(path) & files.keys():
            found[files[imported]].add(files[_module(path)])
    return found


def _module(path: Path) -> str:
    """What a file is imported as."""
    top = next(top for top in TOPS if path.is_relative_to(top))
    return ".".join(path.relative_to(top).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path) -> set[str]:
    """All that could be a module of what a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


class Within:
    """A plugin of pytest: once the time is up, no further test begins."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds
        self.left_out = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        if time.monotonic() < self.until:
            return None
        self.left_out += 1
        return True  # it counts as done

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.write_line(f"The time is up: {self.left_out} tests were not run. make test runs them.")


def main() -> int:
    if not _git("rev-parse", "HEAD"):
        print("make quick asks git what has changed, and there is none: make test runs everything", file=sys.stderr)
        return 2
    files = changed()
    tests = nearest(files)
    beside = [subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=ROOT) for line in _checks(files)]
    print(f"{len(files)} files have changed; {len(tests)} files of tests are near to them", flush=True)
    fast = ["-q", "-p", "no:schemathesis", "-p", "no:faker"]
    codes = [int(pytest.main([*fast, *tests], plugins=[Within(SECONDS)]))] if tests else []
    for check in beside:
        said, _ = check.communicate()
        print(said, end="")
        codes.append(check.returncode)
    return int(any(code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED) for code in codes))


def _checks(files: list[str]) -> Iterator[list[str]]:
    programs = Path(sys.executable).parent
    yield [str(programs / "ruff"), "check", "--quiet"]
    yield [str(programs / "ruff"), "format", "--check", "--quiet"]
    yield [str(programs / "mypy")]
    if any(file.startswith("web/") for file in files):
        yield ["npm", "--prefix", "web", "run", "--silent", "test"]


if __name__ == "__main__":
    sys.exit(main())
