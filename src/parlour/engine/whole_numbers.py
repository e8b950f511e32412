"""Whole numbers, wherever they come from: of Python, of NumPy, or of anything else that counts as one."""

from __future__ import annotations

from operator import index
from typing import Any


def whole_number(given: Any) -> int | None:
    """The number, if it is a whole one; None for anything else, such as a fraction, a text or a truth value."""
    if isinstance(given, bool):
        return None
    try:
        return index(given)
    except TypeError:
        return None
