"""What the arena's tests share: what a tournament leaves in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


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
