"""``what D3``: what stands on a spot of the board, and what it does."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine.explanation import Explanation

USAGE = "Type what and the name of something on the board, such as what D3"


def what(explain: Callable[[str], Explanation | None], name: str) -> str:
    """What the game says about it, with the clause."""
    if not name:
        return f"{USAGE}."
    found = find(explain, name)
    if found is None:
        return f"Nothing here is called {name!r:.40}. {USAGE}."
    return f"{found.text.rstrip('.')} (clause {found.clause})." if found.clause else found.text


def find(explain: Callable[[str], Explanation | None], name: str) -> Explanation | None:
    """What the game says about it. Case does not matter."""
    tried = (explain(written) for written in (name, name.upper(), name.lower()))
    return next((found for found in tried if found is not None), None)
