"""The codes of tables: short enough to be typed, and to be said aloud."""

from __future__ import annotations

LETTERS = "34679BCDFGHJKMNPQRSTVWXYZ"  # none looks like another, and without vowels no code is a word
LENGTH = 6
_MEANT = str.maketrans("258", "ZSB", " -")  # digits that people read in place of letters; and how they part a code


def read_code(text: str) -> str | None:
    """The code that was typed, as the server knows it; None if it cannot be one."""
    code = text.upper().translate(_MEANT)
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None
