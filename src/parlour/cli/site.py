"""``parlour site``: pages that need no server, in a folder for any host of plain files."""

from __future__ import annotations

import json
from pathlib import Path

from parlour.cli.console import err, print_plain
from parlour.engine import registry
from parlour.site import build

MIB = 1 << 20


def site(folder: Path, games: list[str], *, as_json: bool) -> None:
    """Build the pages of these games, or of all that can be played in a browser."""
    asked = list(dict.fromkeys(games))
    for name in asked:
        registry.get(name)
    built = build.build(folder, asked or [game.name for game in registry.all_games()], needs_all=bool(asked))
    if as_json:
        told = {"folder": str(built.folder), "games": built.games, "left_out": built.left_out}
        print_plain(json.dumps(told | {"bytes": built.bytes, "engine_bytes": built.engine}))
        return
    for name, why in built.left_out.items():
        print_plain(f"{name} is left out: {why}", to=err)
    print_plain(f"{built.folder}: {', '.join(built.games)}")
    print_plain(
        f"{built.bytes / MIB:.1f} MB in all; a browser loads {built.engine / MIB:.1f} MB before the first board, once."
    )
    print_plain(f"To look at it: python -m http.server --directory {built.folder} 8000")
