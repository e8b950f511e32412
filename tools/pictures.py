"""Draw the pictures in docs/images: terminal boards, and what docs/kit.md draws. ``make pictures`` runs it."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from rich.console import Console

from parlour.engine import registry
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check import choose
from parlour.engine.match import Match
from parlour.engine.picture import whole

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SCENES = {"choccer": (7, 34), "goose": (7, 21), "verfuchst": (12, 40), "game17": (3, 120), "mazerunner": (5, 160)}


def scene(name: str, seed: int, plies: int) -> Match:
    """A match after some random actions."""
    match = Match(registry.get(name), seed=seed)
    policy = Chance.of_game(seed, 0, POLICY_STREAM)
    while len(match.plies) < plies and not match.over:
        match.play(choose(match.game, match.state, policy))
    return match


def picture(match: Match) -> str:
    """The board as a self-contained SVG: rich's own, without the web fonts it would load."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(match.board(), no_wrap=True, crop=False)
    svg = console.export_svg(title=match.game.title, unique_id=match.game.name)
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)
    return re.sub(r"[ \t]+\n", "\n", svg.replace("Fira Code", "monospace"))


def kit_pictures() -> dict[str, str]:
    """What the page about the kit shows, by the names of its files: each as the code above it draws it."""
    page = (FOLDER.parent / "kit.md").read_text("utf-8")
    found = re.findall(r"^```python\n(.*?)^```\n+!\[(.*?)\]\(images/(kit-\w+\.svg)\)", page, flags=re.M | re.S)
    drawn = {}
    for code, title, file in found:
        names: dict[str, Any] = {}
        exec(code, names)
        drawn[file] = whole(names["size"], title, *names["drawing"]) + "\n"
    return drawn


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (seed, plies) in SCENES.items():
        (FOLDER / f"{name}.svg").write_text(picture(scene(name, seed, plies)), "utf-8")
        print(f"wrote {name}.svg")
    for file, drawn in kit_pictures().items():
        (FOLDER / file).write_text(drawn, "utf-8")
        print(f"wrote {file}")
