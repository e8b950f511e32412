"""Tokens hold seats, and ids name tables. Of a token only a hash is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

from parlour.protocol.codes import LENGTH, LETTERS

TOKEN_BYTES = 24


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_id() -> str:
    """The name of a table in links: as hard to guess as a token, for a private table is found by it alone."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    number, code = secrets.randbelow(len(LETTERS) ** LENGTH), ""
    while len(code) < LENGTH:
        number, letter = divmod(number, len(LETTERS))
        code += LETTERS[letter]
    return code


def invitation(secret: str) -> str:
    """The invitation to the table with this secret: so that nothing has to be kept of it."""
    digest = hmac.digest(secret.encode(), b"invitation", "sha256")
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def is_id(text: str) -> bool:
    """Whether a table could have this name."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,32}", text) is not None


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two hashes are the same, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())
