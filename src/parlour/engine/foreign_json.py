"""JSON from outside: from bots, and from files that somebody else may have written."""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 100  # lists and objects inside each other: whatever is done with what was read can go so deep


def read_json(text: str | bytes) -> Any:
    """What the text says. ValueError unless it is plain JSON in UTF-8, with finite numbers and nested within bounds."""
    try:
        found = json.loads(
            text if isinstance(text, str) else text.decode(), parse_constant=_finite, parse_float=_finite
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    level, depth = [found], 0
    while level := [each for thing in level for each in _inside(thing)]:
        depth += 1
        if depth > DEEPEST:
            raise ValueError("it is nested too deeply")
    return found


def _inside(thing: Any) -> Any:
    if isinstance(thing, dict):
        return thing.values()
    return thing if isinstance(thing, list) else ()


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number of JSON")
    return number
