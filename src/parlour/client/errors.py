"""What can go wrong at a server's table.

ParlourError
├── Refused         the server says no: a code for programs, a sentence for people; nothing has changed
├── Unreachable     no server answers there
├── BadAnswer       what answers there does not speak as a Parlour server does
└── Unproved        what the server says now contradicts what it said before
"""

from __future__ import annotations

from parlour.engine.errors import ParlourError
from parlour.engine.printable import one_line

LONGEST = 300  # characters of what a server says about a refusal


class Refused(ParlourError):
    """The server says no, and why. ``code`` is for programs: docs/protocol.md lists them."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(one_line(message, LONGEST))
        self.code = one_line(code, LONGEST)


class Unreachable(ParlourError):
    """No server answers at that address, or it is not an address."""


class BadAnswer(ParlourError):
    """What answers there does not speak as a Parlour server does: it says something else, or too much of it."""


class Unproved(ParlourError):
    """What the server says now contradicts what it said before."""
