"""Coming to a server's table and leaving it: by link or code, where somebody waits, and with the proof of the dice."""

from __future__ import annotations

from collections.abc import Mapping

from parlour import protocol
from parlour.client import AsyncClient, AsyncSeat, Link, Refused
from parlour.engine.errors import ParlourError
from parlour.protocol import read_code

LONGEST_NAME = 24
ATTEMPTS = 5  # at a seat where somebody waits
TAKEN = ("not_open", "seat_taken")  # somebody else was faster


async def follow(client: AsyncClient, link: Link) -> Link:
    """The link with the table's id, where what was given is a code."""
    if link.server is None and read_code(link.table) is not None:
        found = await client.find(link.table)
        return link._replace(table=found.table, invite=found.invite or None)
    return link


async def meet(
    client: AsyncClient,
    name: str,
    game: str,
    options: Mapping[str, str],
    clock: protocol.ClockSpec,
    *,
    seats: int | None = None,
) -> AsyncSeat:
    """Sit down where somebody waits for the same, or wait for them."""
    for attempt in range(ATTEMPTS):
        opened = await client.pair(game, seats=seats, options=options, clock=clock)
        try:
            return await client.sit(opened.table.id, name, lot=True)
        except Refused as refused:
            if refused.code not in TAKEN or attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("the last attempt returns or raises")


def check_name(name: str) -> str:
    """The name, if a server takes it: before a table is opened for it."""
    if not 1 <= len(name.strip()) <= LONGEST_NAME:
        raise ParlourError(f"a name has 1 to {LONGEST_NAME} characters")
    return name.strip()


async def doubt_of(seat: AsyncSeat) -> str:
    """Why the finished match and its dice are not proved; nothing if they are."""
    try:
        doubts = await seat.verify()
    except ParlourError as error:
        return str(error)
    more = f" (and {len(doubts) - 1} more)" if len(doubts) > 1 else ""
    return f"{doubts[0]}{more}" if doubts else ""
