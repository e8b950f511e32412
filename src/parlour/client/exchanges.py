"""What takes one request or several. An exchange yields each one, is sent its answer, and returns what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import msgspec

from parlour import protocol
from parlour.client import calls, limits
from parlour.client.calls import Call
from parlour.client.errors import BadAnswer, Refused, Unproved
from parlour.client.proof import Proof
from parlour.client.ticket import Ticket

T = TypeVar("T")
Exchange = Generator[Call[Any], Any, T]
Choose = Callable[[protocol.TableView], int]

NONCE_BYTES = 16
MOVED_ON = {"stale", "not_your_turn", "not_playing"}  # somebody was faster: look again


def sit(
    server: str,
    table: str,
    name: str,
    *,
    seat: int | None = None,
    invite: str | None = None,
    token: str | None = None,
) -> Exchange[Ticket]:
    """Take a seat. The commitment is seen first; only then is the nonce drawn."""
    before: protocol.TableView = yield calls.table(table)
    nonce = secrets.token_urlsafe(NONCE_BYTES)
    wish = protocol.Sit(name=name, seat=seat, nonce=nonce, invite=invite)
    seated: protocol.Seated = yield calls.sit(table, wish, token)
    if seated.table.commitment != before.commitment:
        raise Unproved("the table has changed its commitment while you sat down: its dice cannot be trusted")
    return Ticket(table, seated.seat, seated.token, before.commitment, nonce, server)


class HeldSeat:
    """A seat that is held: what can be done from it, as exchanges, and what has been seen from it."""

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self.proof = Proof(ticket)

    def look(self, *, pictures: bool = False, state: bool = False) -> Exchange[protocol.TableView]:
        """The table, with what this seat can do now."""
        view: protocol.TableView = yield calls.table(
            self.ticket.table, self.ticket.token, pictures=pictures, state=state
        )
        self.proof.saw_table(view)
        return view

    def log(self, since: int, wait: float) -> Exchange[protocol.Log]:
        """What has happened since an entry."""
        log: protocol.Log = yield calls.log(self.ticket.table, since, wait, self.ticket.token)
        self.proof.saw_entries(log.entries)
        return log

    def act(self, action: int | str | list[int], ply: int) -> Exchange[protocol.Ack]:
        """Play an action by number or in notation, or several in a row."""
        ack: protocol.Ack = yield calls.act(self.ticket, action, ply)
        if not isinstance(action, str):
            self.proof.acted(ack, [action] if isinstance(action, int) else action)
        return ack

    def do(self, command: protocol.TableCommand) -> Exchange[protocol.Ack]:
        """Any other command."""
        ack: protocol.Ack = yield calls.command(self.ticket, command)
        return ack

    def hint(self) -> Exchange[protocol.HintAnswer]:
        """The best actions, as far as a second of thought can tell."""
        answer: protocol.HintAnswer = yield calls.hint(self.ticket)
        return answer

    def rematch(self) -> Exchange[Ticket]:
        """The same table once more: asks for it, unless somebody has, and takes the seat that is kept."""
        try:
            yield from self.do(protocol.Rematch(cid=calls.new_cid()))
        except Refused as refused:
            if refused.code != "stale":
                raise
        view = yield from self.look()
        if view.rematch is None or self.ticket.seat >= len(view.seats):
            raise BadAnswer("the server has granted a rematch and does not say where")
        name = view.seats[self.ticket.seat].name
        return (yield from sit(self.ticket.server, view.rematch, name, token=self.ticket.token))

    def renew(self) -> Exchange[Ticket]:
        """Another token for the seat; those that held it before do so no more."""
        seated: protocol.Seated = yield calls.renew(self.ticket)
        return msgspec.structs.replace(self.ticket, token=seated.token)

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
            if view.choices and view.position is not None:
                try:
                    yield from self.act(choose(view), view.position.ply)
                except Refused as refused:
                    if refused.code not in MOVED_ON:
                        raise
            else:
                yield from self.log(view.number, limits.WAIT)
