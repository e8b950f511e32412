"""``parlour check``: one line per check."""

from __future__ import annotations

from parlour.cli.console import needs_ascii, out, print_plain
from parlour.engine import registry


def check(name: str) -> int:
    game = registry.get(name)
    from parlour.engine.check import CHECKS, Failed

    good, bad = ("ok", "FAILED") if needs_ascii(False) else ("✓", "✗")
    failed = 0
    for title, run in CHECKS.items():
        try:
            run(game)
        except Failed as failure:
            failed += 1
            out.print(f"[red]{bad}[/] {title}: ", end="")
            print_plain(str(failure))
        else:
            out.print(f"[green]{good}[/] {title}")
    print_plain(f"{game.title}: {len(CHECKS) - failed} of {len(CHECKS)} checks hold", "bold")
    return 1 if failed else 0
