"""``what D3``: what stands on a spot of the board, and what it does."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine.explanation import Explanation

USAGE = "Type what and the name of something on the board, such as what D3"


def what(explain: Callable[[str], Explanation | None], name: str) -> str:
    """What the game says about it, with the clause. Case does not matter."""
    if not name:
        return f"{USAGE}."
    for written in (name, name.upper(), name.lower()):
        if (found := explain(written)) is not None:
            return f"{found.text.rstrip('.')} (clause {found.clause})." if found.clause else found.text
    return f"Nothing here is called {name!r:.40}. {USAGE}."
