"""``make quick`` finds the tests of what has changed, and ends in time; and what git asks before each commit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from tools import quick

HOOKS = Path(__file__).parents[2] / "tools" / "hooks"


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("tests/engine/test_match.py", {"tests/engine/test_match.py"}),
        ("src/parlour/engine/fair.py", {"tests/server/test_fair_dice.py", "tests/engine/test_layers.py"}),
        ("src/parlour/games/goose/rules.py", {"tests/games/test_goose.py"}),
        ("src/parlour/games/goose/picture.py", {"tests/games/test_goose_picture.py"}),
        ("src/parlour/games/goose/de.po", {"tests/every_game/test_languages.py"}),
        ("src/parlour/cli/report.py", {"tests/arena/test_report.py"}),
        ("src/game17/cli.py", {"tests/game17/test_command.py"}),
        ("examples/connect_four/connect_four/__init__.py", {"tests/examples/test_connect_four.py"}),
        ("docs/arena.md", {"tests/docs/test_pages.py"}),
        ("tests/no_such_file.py", set()),
        ("tests/engine/test_that_was_deleted.py", set()),
    ],
)
def test_the_nearest_tests_are_found(changed: str, tests: set[str]) -> None:
    found = quick.nearest([changed])
    assert set(found) >= tests
    assert bool(found) is bool(tests)
    assert not [test for test in found if test.startswith("tests/web/")]


def test_what_has_changed_itself_comes_first() -> None:
    found = quick.nearest(["src/parlour/engine/match.py", "tests/web/test_sounds.py"])
    assert found[0] == "tests/web/test_sounds.py"
    assert len(found) > 10


def test_once_the_time_is_up_no_test_begins() -> None:
    in_time, late, screen = quick.Within(60), quick.Within(0), Mock()
    assert in_time.pytest_runtest_protocol() is None
    assert late.pytest_runtest_protocol() is True
    late.pytest_terminal_summary(screen)
    screen.write_line.assert_called_once_with("The time is up: 1 tests were not run. make test runs them.")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository in which git asks our hook."""
    shutil.copytree(HOOKS, tmp_path / "tools" / "hooks")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "ruff").symlink_to(Path(sys.executable).with_name("ruff"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "core.hooksPath", "tools/hooks")
    return tmp_path


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("content", "is_committed"), [("x = 1\n", True), ("import os\n", False), ("x  =  1\n", False)], ids=repr
)
def test_what_lint_refuses_is_not_committed(content: str, is_committed: bool, repository: Path) -> None:
    (repository / "with a space.py").write_text(content)
    (repository / "not committed.py").write_text("import os\n")
    git(repository, "add", "with a space.py")
    done = git(repository, "commit", "--quiet", "-m", "one")
    assert (done.returncode == 0) is is_committed, done.stderr
    assert ("Not committed" in done.stderr) is not is_committed
