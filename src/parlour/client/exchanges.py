"""What takes one request or several. An exchange yields each one, is sent its answer, and returns what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

import msgspec

from parlour import protocol
from parlour.client import calls, limits
from parlour.client.calls import Call
from parlour.client.errors import BadAnswer, Refused, Unproved
from parlour.client.proof import Proof
from parlour.client.ticket import Ticket
from parlour.engine import fair

T = TypeVar("T")
Exchange = Generator[Call[Any], Any, T]
Choose = Callable[[protocol.TableView], int]

NONCE_BYTES = 16
TOKEN_BYTES = 24
MOVED_ON = {"stale", "not_your_turn", "not_playing"}  # somebody was faster: look again


class Seats:
    """The seats that one client takes."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._sealed: list[HeldSeat] = []  # those whose nonces may still have to be revealed

    def sit(
        self,
        table: str,
        name: str,
        *,
        seat: int | None = None,
        lot: bool = False,
        invite: str | None = None,
        token: str | None = None,
    ) -> Exchange[HeldSeat]:
        """Take a seat. The commitment is seen first; only then is the nonce drawn, and its seal shown."""
        before: protocol.TableView = yield calls.table(table)
        nonce = secrets.token_urlsafe(NONCE_BYTES)
        fresh = None if token else secrets.token_urlsafe(TOKEN_BYTES)  # ours, so that the wish can be said twice
        wish = protocol.Sit(name=name, seat=seat, lot=lot, seal=fair.seal(nonce), invite=invite, token=fresh)
        seated: protocol.Seated = yield calls.sit(table, wish, token)
        if seated.table.commitment != before.commitment:
            raise Unproved("the table has changed its commitment while you sat down: its dice cannot be trusted")
        held = HeldSeat(Ticket(table, seated.seat, seated.token, before.commitment, nonce, self._server))
        self._sealed.append(held)
        yield from self._reveal(seated.table)
        return held

    def rematch(self, held: HeldSeat) -> Exchange[HeldSeat]:
        """The same table once more: asks for it, unless somebody has, and takes the seat that is kept."""
        try:
            yield from held.do(protocol.Rematch(cid=calls.new_cid()))
        except Refused as refused:
            if refused.code != "stale":
                raise
        view = yield from held.look()
        if view.rematch is None or view.you is None or view.you >= len(view.seats):
            raise BadAnswer("the server has granted a rematch and does not say where")
        name = view.seats[view.you].name
        return (yield from self.sit(view.rematch, name, token=held.ticket.token))

    def _reveal(self, view: protocol.TableView) -> Exchange[None]:
        """If all have sat down: reveal the nonces of all seats there that this client has, not only of the last."""
        self._sealed = [held for held in self._sealed if held.is_sealed]
        for held in self._sealed:
            if held.ticket.table == view.id and held.is_to_reveal(view.phase, view.seats):
                yield from held.reveal(view.seats)


class HeldSeat:
    """A seat that is held: what can be done from it, as exchanges, and what has been seen from it."""

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self.proof = Proof(ticket)
        self.is_sealed = bool(ticket.nonce) and not ticket.seals  # whether its nonce may still have to be revealed

    def is_to_reveal(self, phase: protocol.Phase, seats: Sequence[protocol.SeatView]) -> bool:
        """Whether it is time to show the nonce: all have sat down, and the match has not begun."""
        if phase != "open":
            self.is_sealed = False
        full = all(seat.kind in ("person", "bot") for seat in seats)
        return self.is_sealed and full and self.ticket.seat < len(seats) and not seats[self.ticket.seat].nonce

    def reveal(self, seats: Sequence[protocol.SeatView]) -> Exchange[None]:
        """Show the nonce, and remember what the others had shown of theirs by then."""
        self.is_sealed = False
        seals = tuple(seat.seal or seat.nonce for seat in seats)
        self.ticket = self.proof.ticket = msgspec.structs.replace(self.ticket, seals=seals)
        try:
            yield calls.command(self.ticket, protocol.Reveal(cid=calls.new_cid(), nonce=self.ticket.nonce))
        except Refused as refused:
            if refused.code != "not_open":  # the match has begun without it, which the proof will say
                raise

    def look(self, *, pictures: bool = False, state: bool = False) -> Exchange[protocol.TableView]:
        """The table, with what this seat can do now."""
        call = calls.table(self.ticket.table, self.ticket.token, pictures=pictures, state=state)
        view: protocol.TableView = yield call
        if self.is_to_reveal(view.phase, view.seats):
            yield from self.reveal(view.seats)
            view = yield call
        self.proof.saw_table(view)
        return view

    def log(self, since: int, wait: float) -> Exchange[protocol.Log]:
        """What has happened since an entry."""
        if self.is_sealed:
            yield from self.look()
        log: protocol.Log = yield calls.log(self.ticket.table, since, wait, self.ticket.token)
        self.proof.saw_entries(log.entries)
        return log

    def act(self, action: int | str | list[int], ply: int) -> Exchange[protocol.Ack]:
        """Play an action by number or in notation, or several in a row."""
        if self.is_sealed:
            yield from self.look()
        ack: protocol.Ack = yield calls.act(self.ticket, action, ply)
        if not isinstance(action, str):
            self.proof.acted(ack, [action] if isinstance(action, int) else action)
        return ack

    def do(self, command: protocol.TableCommand) -> Exchange[protocol.Ack]:
        """Any other command."""
        ack: protocol.Ack = yield calls.command(self.ticket, command)
        if isinstance(command, protocol.Start | protocol.PutBot):
            yield from self.look()  # these may have filled the table
        return ack

    def hint(self) -> Exchange[protocol.HintAnswer]:
        """The best actions, as far as a second of thought can tell."""
        answer: protocol.HintAnswer = yield calls.hint(self.ticket)
        return answer

    def renew(self) -> Exchange[HeldSeat]:
        """Another token for the seat; those that held it before do so no more."""
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        try:
            yield calls.renew(self.ticket, fresh)
        except Refused as refused:
            # Perhaps it was done, and only the answer was lost. Then the new token holds the seat.
            view: protocol.TableView = yield calls.table(self.ticket.table, fresh)
            if view.you is None:
                raise refused
        return HeldSeat(msgspec.structs.replace(self.ticket, token=fresh))

    def verify(self) -> Exchange[list[str]]:
        """Why the finished match is not proved (no reason: it is)."""
        text: str = yield calls.replay(self.ticket.table, self.ticket.token)
        log: protocol.Log = yield calls.log(self.ticket.table, 0, 0, self.ticket.token)
        return self.proof.doubts(text, log.entries)

    def play(self, choose: Choose, *, state: bool) -> Exchange[protocol.TableView]:
        """Play the seat to the end of the match; returns the table as it is then."""
        while True:
            view = yield from self.look(state=state)
            if view.phase == "over":
                return view
            if view.choices and view.position is not None and view.position.to_move == view.you:
                try:
                    yield from self.act(choose(view), view.position.ply)
                except Refused as refused:
                    if refused.code not in MOVED_ON:
                        raise
            else:
                yield from self.log(view.number, limits.WAIT)
