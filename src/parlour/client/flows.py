"""What takes several questions. A flow yields each one, is sent its answer, and returns what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from parlour import protocol
from parlour.client import calls, proof
from parlour.client.calls import Call
from parlour.client.errors import Refused, Unproved
from parlour.client.ticket import Ticket

T = TypeVar("T")
Flow = Generator[Call[Any], Any, T]
Choose = Callable[[protocol.TableView], int]

NONCE_BYTES = 16
WAIT = 25.0  # seconds that the server may let a question wait for news
MOVED_ON = {"stale", "not_your_turn", "not_playing"}  # somebody was faster: look again


def sit(
    table: str, name: str, *, seat: int | None = None, invite: str | None = None, token: str | None = None
) -> Flow[Ticket]:
    """Take a seat. The commitment is seen first; only then is the nonce drawn."""
    before: protocol.TableView = yield calls.table(table)
    nonce = secrets.token_urlsafe(NONCE_BYTES)
    wish = protocol.Sit(name=name, seat=seat, nonce=nonce, invite=invite)
    seated: protocol.Seated = yield calls.sit(table, wish, token)
    if seated.table.commitment != before.commitment:
        raise Unproved("the table has changed its commitment while you sat down: its dice cannot be trusted")
    return Ticket(table, seated.seat, seated.token, before.commitment, nonce)


def rematch(ticket: Ticket) -> Flow[Ticket]:
    """The same table once more: asks for it, unless somebody has, and takes the seat that is kept."""
    try:
        yield calls.command(ticket, protocol.Rematch(cid=calls.new_cid()))
    except Refused as refused:
        if refused.code != "stale":
            raise
    view: protocol.TableView = yield calls.table(ticket.table, ticket.token)
    if view.rematch is None:
        raise Unproved("the server has granted a rematch and does not say where")
    return (yield from sit(view.rematch, view.seats[ticket.seat].name, token=ticket.token))


def renew(ticket: Ticket) -> Flow[Ticket]:
    """Another token for the seat; those that held it before do so no more."""
    seated: protocol.Seated = yield calls.renew(ticket)
    return Ticket(ticket.table, ticket.seat, seated.token, ticket.commitment, ticket.nonce)


def verify(ticket: Ticket) -> Flow[list[str]]:
    """What is wrong with the finished match (nothing: it is proved)."""
    text: str = yield calls.replay(ticket.table)
    return proof.doubts(text, ticket)


def bot(ticket: Ticket, choose: Choose, *, state: bool) -> Flow[protocol.TableView]:
    """Play the seat to the end of the match; returns the table as it is then."""
    while True:
        view: protocol.TableView = yield calls.table(ticket.table, ticket.token, state=state)
        if view.phase == "over":
            return view
        if view.choices and view.position is not None:
            try:
                yield calls.act(ticket, choose(view), view.position.ply)
            except Refused as refused:
                if refused.code not in MOVED_ON:
                    raise
        else:
            yield calls.log(ticket.table, view.number, WAIT, ticket.token)
