"""What holds a seat."""

from __future__ import annotations

import msgspec


class Ticket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that is held: whoever has its token plays it. Keep it, and the seat is yours tomorrow.

    The commitment was seen before the nonce was given; with both, the dice can be proved when the match is over.
    """

    table: str
    seat: int
    token: str
    commitment: str = ""
    nonce: str = ""
