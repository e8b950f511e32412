"""What can go wrong at a server's table.

ParlourError
├── Refused         the server says no: a code for programs, a sentence for people; nothing has changed
├── Unreachable     no server answers there, or none that speaks as Parlour does
└── Unproved        what the server says now contradicts what it said before
"""

from __future__ import annotations

from parlour.engine.errors import ParlourError


class Refused(ParlourError):
    """The codes are listed in docs/protocol.md."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unreachable(ParlourError):
    pass


class Unproved(ParlourError):
    pass
