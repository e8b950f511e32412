"""Random numbers for bots in boxes: the same again for the same match, but no way back to its seed.

A seed such as 7 is soon found by trying: whatever follows from it alone tells it, and with it all dice to come. So a
secret of this machine is mixed in, which no bot can read.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
from functools import cache
from pathlib import Path

import platformdirs

from parlour.engine.errors import NotWritten
from parlour.engine.files import read_file, write_whole

FILE = "bots.secret"
LENGTH = 32


def own_numbers(what: str) -> bytes:
    """32 random bytes for a bot, by what they are for."""
    return hmac.digest(_secret(), what.encode(), "sha256")


@cache
def _secret() -> bytes:
    """This user's on this machine; where nothing can be kept, this process's."""
    file = Path(platformdirs.user_state_dir("parlour", appauthor=False)) / FILE
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(NotWritten):  # as a rule, it is there already
        write_whole(file, secrets.token_bytes(LENGTH), overwrite=False, private=True)
    with contextlib.suppress(OSError):
        kept = read_file(file, LENGTH)
        if len(kept) == LENGTH:
            return kept
    return secrets.token_bytes(LENGTH)
