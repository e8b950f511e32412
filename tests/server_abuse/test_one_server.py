"""Two servers on one SQLite file would not know of each other: the second one does not start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from serving import Server, free_port

PARLOUR = str(Path(sys.executable).with_name("parlour"))


def test_the_second_server_says_why_it_does_not_start(guarded: Server, tmp_path: Path) -> None:
    """By whatever name it calls the file."""
    link = tmp_path / "other.sqlite"
    link.symlink_to(guarded.folder / "parlour.sqlite")
    line = [PARLOUR, "serve", "--port", str(free_port()), "--database", f"sqlite:///{link}"]
    second = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert (second.returncode, second.stdout) == (2, "")
    (said,) = second.stderr.splitlines()
    assert said.startswith("parlour: another server uses ")
    assert "parlour.sqlite already" in said
    assert guarded.place.http.get("/readyz").status_code == 200
