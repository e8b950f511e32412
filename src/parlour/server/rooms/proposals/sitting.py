"""Who sits where before the match, and by which token."""

from __future__ import annotations

from typing import NamedTuple

from parlour.protocol import AnyEntry, BotSat, Left, PutBot, Sat, Sit, TokenRenewed
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.beginning import start_if_full
from parlour.server.rooms.proposals.proposal import Proposal, check_open, numbered
from parlour.server.tables.table import Table


class ChosenSeat(NamedTuple):
    """Where somebody sits until the match begins, and the seat that they will have then, if it is another one."""

    seat: int
    lot: bool = False
    wants: int | None = None


def sit(table: Table, place: ChosenSeat, name: str, wish: Sit, at: float) -> Proposal:
    """A person sits down; with that, the match begins if no seat is left free and nothing is to be revealed."""
    nonce = "" if wish.seal else wish.nonce
    drafts: list[AnyEntry] = [Sat(**place._asdict(), name=name, nonce=nonce, seal=wish.seal)]
    return Proposal(numbered(table, drafts if wish.seal else drafts + start_if_full(table, {place.seat}), at))


def renew(table: Table, seat: int, token_hash: str, at: float) -> Proposal:
    """The seat gets another token, and the old ones end."""
    entries = numbered(table, [TokenRenewed(seat=seat)], at)
    return Proposal(entries, tokens={token_hash: seat}, revoked=[seat])


def put_bot(table: Table, command: PutBot, seat: int) -> list[AnyEntry]:
    check_open(table)
    if command.seat >= table.spec.seats:
        raise Refusal("bad_request", f"there are seats 0 to {table.spec.seats - 1}, no seat {command.seat}")
    if table.chairs[command.seat].person is not None or command.seat in table.spec.kept:
        raise Refusal("seat_taken", f"that seat is {table.name(command.seat)}'s")
    if command.bot is None:
        return [Left(seat=command.seat, by=seat)]
    return [BotSat(seat=command.seat, bot=command.bot, by=seat), *start_if_full(table, {command.seat}, by=seat)]
