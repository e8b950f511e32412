"""Who may do what: a seat is held by a token, of which only a hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata

from parlour.server.errors import Refused

TOKEN_BYTES = 24
MAX_NAME = 24
MAX_CHAT = 300
MAX_NONCE = 64


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_id() -> str:
    """The name of a table in links: as hard to guess as a token, for a private table is found by it alone."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Whether a table could have this name."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,32}", text) is not None


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two hashes are the same, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def clean_name(name: str) -> str:
    """A name as it is shown: one line, no control characters, not too long."""
    cleaned = _one_line(name)
    if not 1 <= len(cleaned) <= MAX_NAME:
        raise Refused("bad_request", f"a name has 1 to {MAX_NAME} characters")
    return cleaned


def clean_chat(text: str) -> str:
    cleaned = _one_line(text)
    if not 1 <= len(cleaned) <= MAX_CHAT:
        raise Refused("bad_request", f"a chat message has 1 to {MAX_CHAT} characters")
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
