"""Nonsense and play out of turn change nothing and break nothing. ``benchmarks/server/fuzz.py`` has the long form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_five_thousand_messages_that_must_be_refused() -> None:
    fuzz = [sys.executable, "-m", "benchmarks.server.fuzz", "--messages", "5000"]
    ran = subprocess.run(fuzz, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (ran.returncode, ran.stdout.splitlines()[-1:]) == (0, ["nothing failed, nothing changed"]), (
        ran.stdout + ran.stderr
    )
