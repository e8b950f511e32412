"""What the arena's tests share: the command, run as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PARLOUR = [sys.executable, "-c", "from parlour.cli import main; main()"]
ENVIRONMENT = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "80"}


def run(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PARLOUR, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        cwd=cwd,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
    )


def good(*arguments: object, cwd: Path | None = None) -> str:
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def refused(*arguments: object, cwd: Path | None = None) -> str:
    """The one line that a refusal prints."""
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("parlour: ")
    return done.stderr


def lines(folder: Path) -> dict[int, dict[str, Any]]:
    """The results of a folder by match, without what differs from run to run: how long bots thought."""
    found = {}
    for line in (folder / "results.jsonl").read_text("utf-8").splitlines():
        result = json.loads(line)
        del result["seconds"]
        assert result["number"] not in found, "a match was played twice"
        found[result["number"]] = result
    return found


def replays(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "replays").iterdir()}
