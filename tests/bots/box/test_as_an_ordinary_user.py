"""The same attacks once more as an ordinary user, where the suite runs as root."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordinary_user import USER

HERE = Path(__file__).parent
ATTACKS = ("out_of_reach", "limits", "secrets", "sources", "stopping", "nothing_left", "protection")


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of that user's. Those that pytest gives can be entered by root only."""
    with tempfile.TemporaryDirectory(prefix="parlour-test-") as folder:
        os.chown(folder, USER, USER)
        yield Path(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="the suite runs as an ordinary user already")
def test_the_box_holds_for_an_ordinary_user_too(home: Path) -> None:
    run = subprocess.run(
        [
            *(sys.executable, str(HERE.parents[1] / "ordinary_user.py")),
            *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--basetemp={home / 'temp'}"),
            *(str(HERE / f"test_{name}.py") for name in ATTACKS),
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)},
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
