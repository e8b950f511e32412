"""What holds a seat."""

from __future__ import annotations

import msgspec

from parlour.client.errors import Refused


class Ticket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that is held: whoever has its token plays it. Keep it, and the seat is yours tomorrow.

    The commitment was seen before the nonce was drawn, and the seals of all seats before it was revealed: with these
    the dice can be proved when the match is over. ``seat`` is where you sat down: if lots are drawn for the seats, the
    table's ``you`` says which one you have. The token is for ``server`` alone, and is sent to no other.
    """

    table: str
    seat: int
    token: str
    commitment: str = ""
    nonce: str = ""
    server: str = ""
    seals: tuple[str, ...] = ()  # of each seat; or its nonce, where that was given in the open

    def at(self, server: str) -> Ticket:
        """The same ticket, for that server alone."""
        return msgspec.structs.replace(self, server=server)

    def check_for(self, server: str) -> None:
        """Refuse to let the token leave the server that it was made for."""
        if self.server and self.server != server:
            raise Refused("unauthorised", f"this seat is held at {self.server}: its token is not sent to {server}")
