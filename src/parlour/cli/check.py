"""``parlour check``: one line per check."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from parlour.cli.console import needs_ascii, out, print_plain
from parlour.engine import registry

if TYPE_CHECKING:
    from parlour.engine.check import CheckResult


def check(name: str, *, as_json: bool = False) -> int:
    game = registry.get(name)
    from parlour.engine.check import run  # it brings Numba along

    if as_json:
        results = list(run(game))
        print(json.dumps(_told(game.name, results)))
        return 1 if any(one.problem for one in results) else 0
    good, bad, untried = ("ok", "FAILED", "-") if needs_ascii(False) else ("✓", "✗", "–")
    held = total = 0
    for result in run(game):
        total += 1
        held += not result.problem
        if result.problem:
            out.print(f"[red]{bad if result.tried else untried}[/] {result.title}: ", end="")
            print_plain(result.problem)
        else:
            out.print(f"[green]{good}[/] {result.title}")
    print_plain(f"{game.title}: {held} of {total} checks hold", "bold")
    return 0 if held == total else 1


def _told(name: str, results: list[CheckResult]) -> dict[str, Any]:
    """For a program: every check, and what has to be mended, each thing once."""
    found = [{"check": one.title, "game": name, **asdict(one.finding)} for one in results if one.finding]
    told = [{"check": one.title, "holds": not one.problem, "problem": one.problem or None} for one in results]
    return {"game": name, "holds": not any(one.problem for one in results), "findings": found, "checks": told}
