"""What the server refuses to do, and settings that it cannot be run with."""

from __future__ import annotations

from parlour.engine.errors import ParlourError
from parlour.protocol import STATUS


class Refusal(ParlourError):
    """Something that is not done: a code for programs, a sentence for people. Nothing has changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]

    @property
    def is_for_now(self) -> bool:
        """Whether the same may well be possible in a moment."""
        return self.status >= 500


class BadConfiguration(ParlourError):
    """A setting of the server that cannot be used."""
