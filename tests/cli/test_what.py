"""What stands on a spot, asked in the terminal."""

from __future__ import annotations

from parlour.cli.what import what
from parlour.engine import Match, registry


def test_what_stands_on_a_spot() -> None:
    """Whatever its case; and nothing that was typed is taken for more than text."""
    seen = Match(registry.get("choccer"), seed=1).seen_by(0)
    assert what(seen.explain, "d3").startswith("White's circle. A circle goes one square")
    assert what(seen.explain, "D3").endswith("(clause 6).")
    assert what(seen.explain, "Z9").startswith("Nothing here is called 'Z9'")
    assert what(seen.explain, "").startswith("Type what and")
    assert "\x1b" not in what(seen.explain, "\x1b[2J")
    assert "Column 4" in what(Match(registry.get("connect_four")).seen_by(None).explain, "4")
