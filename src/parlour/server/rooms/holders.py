"""Who holds the seats of a table: the hashes of the tokens that prove it."""

from __future__ import annotations

from typing import NamedTuple

from parlour.server.basics.errors import Refusal
from parlour.server.people.tokens import hash_token, same
from parlour.server.rooms.proposals import Proposal


class Holder(NamedTuple):
    """Who holds a seat, by the token with this hash, as far as was known when they asked for something."""

    seat: int
    digest: str


class Holders:
    """The tokens of one table. Never changed, only replaced."""

    def __init__(self, seats: dict[str, int]) -> None:
        self.seats = seats  # by the hash of the token

    def seat_of(self, token: str) -> int:
        """The seat that the token holds."""
        digest = hash_token(token)
        found = [seat for known, seat in self.seats.items() if same(known, digest)]
        if not found:
            raise Refusal("unauthorised", "this token holds no seat at this table")
        return found[0]

    def check(self, holder: Holder) -> None:
        """Refuse whoever's token holds the seat no more: it may have been renewed since they asked, at any process.

        Each change of tokens comes with an entry in the log. A process that has not seen that entry must catch up
        before it can write, and then proposes again: to check whenever something is proposed is enough.
        """
        seat = self.seats.get(holder.digest)
        if seat is None:
            raise Refusal("unauthorised", "your token does not hold this seat any more")
        if seat != holder.seat:
            raise Refusal("busy", "lots were drawn just now, and you have another seat: try again")

    def check_free(self, token: str, seat: int) -> None:
        """Refuse a token that already holds another seat of the table."""
        if self.seats.get(hash_token(token), seat) != seat:
            raise Refusal("seat_taken", "this token holds another seat here: make one of its own")

    def of_seat(self, seat: int) -> list[str]:
        """The hashes of all tokens that hold a seat."""
        return [digest for digest, held in self.seats.items() if held == seat]

    def after(self, proposal: Proposal, seating: list[int]) -> dict[str, int]:
        """The tokens once the proposal is stored; ``seating`` is the new seat of each old one, if people change."""
        if not (proposal.tokens or proposal.revoked or seating):
            return self.seats
        seats = {digest: seat for digest, seat in self.seats.items() if seat not in proposal.revoked}
        seats |= proposal.tokens
        return {digest: seating[seat] for digest, seat in seats.items()} if seating else seats
