"""``parlour check``: one line per check."""

from __future__ import annotations

import json

from parlour.cli.console import needs_ascii, out, print_plain
from parlour.engine import registry


def check(name: str, *, as_json: bool = False) -> int:
    game = registry.get(name)
    from parlour.engine.check import run  # it brings Numba along

    if as_json:
        results = list(run(game))
        told = [{"check": one.title, "holds": not one.problem, "problem": one.problem or None} for one in results]
        print(json.dumps({"game": game.name, "holds": not any(one.problem for one in results), "checks": told}))
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
