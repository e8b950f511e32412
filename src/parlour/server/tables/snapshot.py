"""A snapshot: a table as it stood after one of its entries, packed. From it and the few entries after it a table comes
back, so that this takes no longer after a thousand entries than after a hundred.

The log is the truth. A snapshot that is not what this version makes, or does not lead to the position that it names, is
as good as none. Raise ``FORMAT`` when another version would unpack the same bytes to something else.
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from array import array
from functools import lru_cache

import msgspec
from msgspec import Struct, field

from parlour.engine.match import Match
from parlour.engine.state import Layout
from parlour.protocol import ChatLine, Ending
from parlour.server.tables.fold import STORY_LINES, opening, pass_milestone
from parlour.server.tables.table import Chair, Milestone, Table, TableSpec

FORMAT = 1


class Unfit(Exception):
    """The table cannot be had from this snapshot."""


class Played(Struct, frozen=True):
    """A match: all its actions, and a position on the way from which they are to be played again, to tell the story."""

    layout: str  # which fields a state has
    seats: bytes  # of all plies, and their actions
    actions: bytes
    ply: int  # of the position; 0 is the opening
    event_count: int = field(name="told")  # how many events had been told by then
    by_chance: bool  # whether dice or draws had a part in what led there
    state: bytes  # it; nothing for the opening
    last: bytes  # a hash of the last position


class Snapshot(Struct, frozen=True):
    """What a table has in memory besides what was fixed when it was opened."""

    number: int
    turn_began: float
    chairs: list[Chair]
    left: list[float]  # on each clock
    offer: int | None
    rematch: str | None
    chat: list[ChatLine]
    event_count: int = field(name="told")
    gains: dict[int, float]
    picks: list[str]
    ending: Ending | None
    match: Played | None
    rules_hash: str = ""
    began_later: dict[int, float] = {}


def pack(table: Table) -> bytes:
    """The snapshot of a table, which is not changed while this is done."""
    snapshot = Snapshot(
        table.number,
        table.turn_began,
        table.chairs,
        table.clocks.left,
        table.offer,
        table.rematch,
        table.chat,
        table.event_count,
        table.gains,
        table.picks,
        table.ending,
        _played(table, table.match) if table.match else None,
        table.rules_hash,
        table.began_later,
    )
    return zlib.compress(msgspec.msgpack.encode(snapshot), 1)


def _played(table: Table, match: Match) -> Played:
    old = [milestone for milestone in table.milestones if table.event_count - milestone.event_count >= STORY_LINES]
    base = old[-1] if old else None
    return Played(
        layout=_fields(match.game.layout),
        seats=array("h", [ply.seat for ply in match.plies]).tobytes(),
        actions=array("q", [ply.action for ply in match.plies]).tobytes(),
        ply=base.ply if base else 0,
        event_count=base.event_count if base else 0,
        by_chance=base is not None and match.plies[base.ply - 1].by_chance,
        state=base.state.pack() if base else b"",
        last=_hash(match),
    )


def unpack(spec: TableSpec, number: int, packed: bytes) -> Table:
    """The table of a snapshot, as it stood after that entry. Raises Unfit."""
    try:
        snapshot = msgspec.msgpack.decode(zlib.decompress(packed), type=Snapshot)
        table = Table(spec)
        table.number = number
        table.turn_began, table.chairs = snapshot.turn_began, snapshot.chairs
        table.clocks.left = snapshot.left
        table.offer, table.rematch, table.chat = snapshot.offer, snapshot.rematch, snapshot.chat
        table.gains, table.rules_hash = snapshot.gains, snapshot.rules_hash
        table.began_later = snapshot.began_later
        if snapshot.match is not None:
            _play(table, snapshot.match)
        table.event_count, table.picks = snapshot.event_count, snapshot.picks
        table.ending = snapshot.ending
        if table.match is not None and table.ending is not None and table.ending.reason != "rules":
            table.match = table.match.settled(table.ending.winners)
    except Exception as error:  # whatever a game makes of what is not its own
        raise Unfit(f"{type(error).__name__}: {error}") from error
    if snapshot.number != number:
        raise Unfit(f"it is of entry {snapshot.number}, not {number}")
    if snapshot.match is not None and (table.match is None or _hash(table.match) != snapshot.match.last):
        raise Unfit("its actions lead to another position")
    return table


def _play(table: Table, played: Played) -> None:
    match = table.match = opening(table)
    if played.layout != _fields(match.game.layout):
        raise Unfit("its states have other fields")
    seats, actions = array("h", played.seats), array("q", played.actions)
    table.event_count = len(match.opening)
    if played.ply:
        state = match.game.layout.unpack(played.state)
        before = list(zip(seats[: played.ply], actions[: played.ply], strict=True))
        match.take_up(before, state, by_chance=played.by_chance)
        table.event_count = played.event_count
        table.milestones = (Milestone(played.ply, played.event_count, state),)
    for seat, action in zip(seats[played.ply :], actions[played.ply :], strict=True):
        table.event_count += len(match.repeat(action, seat))
        pass_milestone(table)


def _hash(match: Match) -> bytes:
    return hashlib.sha256(match.state.pack()).digest()


@lru_cache(maxsize=100)
def _fields(layout: Layout) -> str:
    """Which fields a state has, in which order, and how this machine writes numbers."""
    fields = "".join(f"{name}:{field.bits}:{field.length};" for name, field in layout.fields.items())
    return hashlib.sha256(f"{sys.byteorder};{fields}".encode()).hexdigest()
