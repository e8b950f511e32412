"""How a match begins: the table, nonces, and the start."""

from __future__ import annotations

from typing import Any

from parlour.engine import fair
from parlour.engine.sources import rules_hash
from parlour.protocol import AnyEntry, BotSat, Reveal, Revealed, Start, Started
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.proposal import Proposal, check_open, numbered
from parlour.server.tables.table import Table


def open_table(table: Table, bots: dict[int, str], at: float) -> list[AnyEntry]:
    """The first entries of a new table. Bots take their seats at once; if they take all seats, the match begins."""
    drafts: list[AnyEntry] = [BotSat(seat=seat, bot=bot) for seat, bot in sorted(bots.items())]
    return numbered(table, drafts + start_if_full(table, set(bots)), at)


def start_without(table: Table, at: float) -> Proposal | None:
    """The match begins, without the nonces that were not revealed in time."""
    if not table.is_revealing:
        return None
    return Proposal(numbered(table, [_started(table, left_out=table.sealed)], at))


def start_if_full(table: Table, taken: set[int], by: int | None = None) -> list[AnyEntry]:
    return [] if set(table.free) - taken or table.sealed else [_started(table, by=by)]


def reveal(table: Table, command: Reveal, seat: int) -> list[AnyEntry]:
    if not table.is_revealing:
        raise Refusal("not_open", "nonces are revealed when all have sat down, and before the match begins")
    if not table.chairs[seat].is_sealed or fair.seal(command.nonce) != table.chairs[seat].seal:
        raise Refusal("bad_request", "this is not the nonce that you have sealed")
    starts: list[AnyEntry] = [] if table.sealed != [seat] else [_started(table)]
    return [Revealed(seat=seat, nonce=command.nonce, cid=command.cid), *starts]


def start(table: Table, command: Start, seat: int) -> list[AnyEntry]:
    check_open(table)
    if table.free and command.fill is None:
        raise Refusal("forbidden", f"{len(table.free)} of {table.spec.seats} seats are still free")
    by = seat if table.sealed else None
    filled: list[AnyEntry] = [BotSat(seat=free, bot=command.fill or "", by=by) for free in table.free]
    return filled if table.sealed else [*filled, _started(table, seat=seat)]


def _started(table: Table, **given: Any) -> Started:
    """The match begins, by the rules as they are now."""
    return Started(rules_hash=rules_hash(table.game), **given)
