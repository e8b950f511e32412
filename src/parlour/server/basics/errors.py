"""What the server refuses to do, what the database did not take, and settings that it cannot be run with."""

from __future__ import annotations

import math

from parlour.engine.errors import ParlourError
from parlour.protocol import STATUS

SOON = 2.0  # seconds, where nobody can know
LONGEST = 3600.0


class Refusal(ParlourError):
    """A request that is refused, with a code for programs and a sentence for people. Nothing has changed."""

    def __init__(self, code: str, message: str, wait: float = SOON) -> None:
        """``wait`` is after how many seconds it may be possible, where that is only a matter of time."""
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]
        self.wait = wait

    @property
    def is_for_now(self) -> bool:
        """Whether the same may well be possible in a moment."""
        return self.status >= 500

    @property
    def retry_after(self) -> str | None:
        """What the header of this name says, in whole seconds."""
        if self.status not in (429, 503):
            return None
        return str(math.ceil(min(self.wait, LONGEST)))


class StoreFailed(Exception):
    """The database did not take it. Whether it was written is not certain: look before going on."""


class BadConfiguration(ParlourError):
    """A setting of the server that cannot be used."""
