"""Names and chat as they are shown: one line, nothing that hides or turns text around, not too long."""

from __future__ import annotations

import unicodedata

from parlour.server.errors import Refusal

MAX_NAME = 24
MAX_CHAT = 300


def clean_name(name: str) -> str:
    """A name as it is shown: one line, no control characters, not too long."""
    cleaned = _one_line(name)
    if not 1 <= len(cleaned) <= MAX_NAME:
        raise Refusal("bad_request", f"a name has 1 to {MAX_NAME} characters")
    return cleaned


def clean_chat(text: str) -> str:
    cleaned = _one_line(text)
    if not 1 <= len(cleaned) <= MAX_CHAT:
        raise Refusal("bad_request", f"a chat message has 1 to {MAX_CHAT} characters")
    return cleaned


def _one_line(text: str) -> str:
    """Without control, formatting and unassigned characters: nothing that turns text around or hides it."""
    normal = unicodedata.normalize("NFC", text)
    seen = "".join(" " if char.isspace() else char for char in normal if char.isspace() or _is_seen(char))
    return " ".join(seen.split())


def _is_seen(char: str) -> bool:
    return unicodedata.category(char)[0] != "C"


def differing(name: str, taken: list[str]) -> str:
    """The name, with a number where somebody at the table has it already."""
    number, found = 1, name
    while found.casefold() in {other.casefold() for other in taken}:
        number += 1
        found = f"{name[: MAX_NAME - 3]} {number}"
    return found
