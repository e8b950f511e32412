"""A room: one table in this process's memory, those who listen to it, and the one writer that changes it.

Every change goes the same way: proposed, stored, folded, acknowledged, told to everybody; in this order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from parlour.engine.language import speaking
from parlour.server import entries as kinds
from parlour.server import messages as say
from parlour.server import proposals, views
from parlour.server.entries import Entry
from parlour.server.errors import Refused
from parlour.server.listener import Listener
from parlour.server.proposals import Proposal
from parlour.server.seats import hash_token, same
from parlour.server.store import Append, Conflict, Gone, Store, StoreFailed
from parlour.server.table import Change, Facts, Table

LOG = logging.getLogger("parlour.server")
ATTEMPTS = 5  # at a command while other processes write to the same table
HTTP_HERE = 60.0  # seconds for which a request over HTTP counts as being there
KNOWN_REFUSALS = 64

encode = msgspec.json.encode
Reply = Callable[[say.Ack | say.Reject], None]
Propose = Callable[[], Proposal]


@dataclass
class Hooks:
    """Whom a room tells: ``changed`` the lobby and other processes, ``tend`` who minds what a table does by itself."""

    changed: Callable[[Room], None]
    tend: Callable[[Room], None]
    wake_at: Callable[[Table, float], float | None]  # when, though nobody may be there, something is due
    grace: Callable[[Room], dict[int, float]]  # the seat that others wait for, and for how much longer
    is_shared: bool = False  # whether other processes serve the same tables


@dataclass
class Along:
    """What is stored together with a proposal."""

    tokens: dict[str, int] = field(default_factory=dict)
    revoked: list[int] = field(default_factory=list)
    term: int | None = None
    opened: Facts | None = None
    reply: Reply | None = None  # who is to get the acknowledgement


class Room:
    """A table that somebody plays at, watches, or minds."""

    def __init__(self, store: Store, table: Table, tokens: dict[str, int], hooks: Hooks) -> None:
        self.store = store
        self.table = table
        self.tokens = tokens
        self.hooks = hooks
        self.lock = asyncio.Lock()
        self.renewing = asyncio.Lock()  # held while the table of a rematch is opened: one is enough
        self.listeners: set[Listener] = set()
        self.waiting = 0  # requests that wait for something to happen
        self.term: int | None = None  # of the lease, where this process holds it
        self.minding: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.elsewhere: dict[int, float] = {}  # seats that are here by way of another process, and until when
        self.seen: dict[int, float] = {}  # when a seat last did something over HTTP
        self.gone: dict[int, float] = {}  # when a seat's last socket was closed
        self.used = self.turn_began = time.monotonic()
        self._answers: dict[tuple[int, str], say.Ack] = {}
        self._farewells: dict[tuple[str, str], say.Ack] = {}  # to who left, by the hash of the token and the cid
        self._refusals: OrderedDict[tuple[int, str], say.Reject] = OrderedDict()
        self._happened = asyncio.Event()

    @classmethod
    def recall(cls, store: Store, facts: Facts, entries: list[Entry], tokens: dict[str, int], hooks: Hooks) -> Room:
        """The room of a table that was stored."""
        room = cls(store, Table(facts), tokens, hooks)
        for change in room.table.fold_all(entries):
            room._note(change)
        return room

    @property
    def id(self) -> str:
        return self.table.facts.id

    # Who is here.

    def seat_of(self, token: str) -> int:
        """The seat that the token holds."""
        digest = hash_token(token)
        found = [seat for known, seat in self.tokens.items() if same(known, digest)]
        if not found:
            raise Refused("unauthorised", "this token holds no seat at this table")
        return found[0]

    def seat_listener(self, listener: Listener, token: str) -> None:
        """From here on the listener acts for the seat that its token holds, for as long as it does."""
        listener.seat, listener.digest = self.seat_of(token), hash_token(token)

    def _hold(self, tokens: dict[str, int]) -> None:
        """These tokens hold the seats now. Whoever's token holds none any more only watches."""
        self.tokens = tokens
        for listener in self.listeners:
            if listener.seat is not None and tokens.get(listener.digest) != listener.seat:
                listener.seat = None

    def here(self) -> list[int]:
        """The seats whose people are here."""
        now = time.monotonic()
        elsewhere = {seat for seat, until in self.elsewhere.items() if until > now}
        return sorted(elsewhere.union(self.here_by_this_process()))

    def here_by_this_process(self) -> list[int]:
        now = time.monotonic()
        seats = {listener.seat for listener in self.listeners if listener.seat is not None}
        seats |= {seat for seat, at in self.seen.items() if now - at < HTTP_HERE}
        return sorted(seats)

    def touch(self, seat: int) -> None:
        """The seat's person was here, without a socket."""
        self.used = self.seen[seat] = time.monotonic()

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)
        self.tell_presence()

    def part(self, listener: Listener) -> None:
        if listener not in self.listeners:
            return
        self.listeners.discard(listener)
        self.used = time.monotonic()
        if listener.seat is not None and all(other.seat != listener.seat for other in self.listeners):
            self.gone[listener.seat] = self.used
            self.seen.pop(listener.seat, None)  # whoever closes the socket goes, whatever they asked for before
            self.hooks.tend(self)
        self.tell_presence()

    def tell_presence(self) -> None:
        watching = sum(listener.seat is None for listener in self.listeners)
        message = encode(say.Presence(self.here(), watching, self.hooks.grace(self)))
        for listener in self.listeners:
            listener.push(message)

    def view(self, you: int | None, *, pictures: bool, state: bool = False, undoable: bool = False) -> say.TableView:
        spent = self.spent(self.table.to_move) if self.table.to_move is not None else 0.0
        here = self.here()
        return views.table_view(self.table, you, here, spent, pictures=pictures, state=state, undoable=undoable)

    # What happens.

    async def command(self, command: say.TableCommand, seat: int, reply: Reply, propose: Propose | None = None) -> None:
        """Carry out a seat's command, once: the same cid again gets the same answer again.

        The answer goes to ``reply`` before anybody is told what happened.
        """
        async with self.lock:
            for _ in range(ATTEMPTS):
                known = self._answers.get((seat, command.cid)) or self._refusals.get((seat, command.cid))
                if known is not None:
                    return reply(known)
                try:
                    proposal = propose() if propose else self._propose(command, seat)
                    if isinstance(command, say.Leave) and self.table.phase == "open":
                        return await self.write(self._farewell(proposal, seat), Along(revoked=[seat], reply=reply))
                    return await self.write(proposal, Along(reply=reply))
                except Conflict:
                    with contextlib.suppress(StoreFailed):
                        await self.catch_up()
                except Refused as refused:
                    if refused.status >= 500 or not await self._was_behind():
                        return reply(self._refuse(command.cid, seat, refused))
        return reply(say.Reject(command.cid, "busy", "too much happens at this table just now: try again"))

    async def _was_behind(self) -> bool:
        """Before a no is said: whether other processes have done something, perhaps this very command, in between."""
        if not self.hooks.is_shared:
            return False
        with contextlib.suppress(StoreFailed):
            return bool(await self.catch_up())
        return True

    def _propose(self, command: say.TableCommand, seat: int) -> Proposal:
        return proposals.propose(self.table, command, seat, time.time(), self.spent(seat))

    def _farewell(self, proposal: Proposal, seat: int) -> Proposal:
        """Who leaves has no token to ask with once more: which ones they had is kept with the entry."""
        entry = proposal.entries[-1]
        had = [digest for digest, holds in self.tokens.items() if holds == seat]
        entry = msgspec.structs.replace(entry, body={**entry.body, Entry.TOKENS: had})
        return Proposal([*proposal.entries[:-1], entry])

    def answer_to_leaver(self, token: str, cid: str) -> say.Ack | None:
        """What was answered when the seat of this token was given up by this command."""
        digest = hash_token(token)
        farewells = self._farewells.items()
        return next((ack for (had, known), ack in farewells if known == cid and same(had, digest)), None)

    def _refuse(self, cid: str, seat: int, refused: Refused) -> say.Reject:
        """What could not be done now, but may be later, is not kept: trying again is what the client should do."""
        reject = say.Reject(cid, refused.code, str(refused))
        if refused.status < 500:
            self._refusals[seat, cid] = reject
            if len(self._refusals) > KNOWN_REFUSALS:
                self._refusals.popitem(last=False)
        return reject

    async def write(self, proposal: Proposal, along: Along | None = None) -> None:
        """Store, then fold, then tell. The lock is held.

        Raises Conflict or Fenced if another process was faster, Refused if it could not be stored: nothing happened.
        """
        along = along or Along()
        after, now = self.table.twin(), time.time()
        changes = [
            after.fold(entry, proposal.played if entry.kind == kinds.ACT else None) for entry in proposal.entries
        ]
        if proposal.played is not None:
            proposal.entries[-1] = changes[-1].entry = after.keyed(proposal.entries[-1])
        append = Append(
            table=self.id,
            entries=proposal.entries,
            line=views.table_line(after, now),
            wake=self.hooks.wake_at(after, now),
            tokens=along.tokens,
            revoked=along.revoked,
            term=along.term,
            opened=along.opened,
        )
        try:
            await self.store.append(append)
        except Gone:
            raise Refused("not_found", "this table has been deleted") from None
        except StoreFailed as error:
            LOG.error("table %s: the store failed: %s", self.id, error)
            await self._look_again(proposal, along.reply)
            return
        self.table = after
        self._hold({hash: seat for hash, seat in self.tokens.items() if seat not in along.revoked} | along.tokens)
        self._take_in(changes, along.reply)
        self.hooks.changed(self)

    async def _look_again(self, proposal: Proposal, reply: Reply | None) -> None:
        """A commit failed, perhaps after it was done: only the log can tell."""
        last = proposal.entries[-1] if proposal.entries else None
        try:
            if last is not None and last in await self.catch_up():
                if reply is not None and last.cid is not None:
                    reply(self._answers[last.body.get("by", last.seat), last.cid])
                return
        except StoreFailed:
            pass
        raise Refused("not_saved", "this could not be saved: try again")

    async def catch_up(self) -> list[Entry]:
        """Fold what others have added to the log. The lock is held."""
        entries, tokens = await self.store.ask(self.store.since, self.id, self.table.number)
        self._hold(tokens)
        if entries:
            after = self.table.twin()
            changes = [after.fold(entry) for entry in entries]
            self.table = after
            self._take_in(changes)
        return entries

    def _take_in(self, changes: list[Change], reply: Reply | None = None) -> None:
        """Acknowledge, and tell everybody what has happened."""
        self.used = time.monotonic()
        for change in changes:
            ack = self._note(change)
            if reply is not None and ack is not None:
                reply(ack)
        if any(change.moved or change.entry.kind in (kinds.AWAY, kinds.BACK) for change in changes):
            self.turn_began = self.used
        self._tell(changes)
        if self.table.to_move is not None and self.table.to_move not in self.here() and self.table.player is None:
            self.tell_presence()
        happened, self._happened = self._happened, asyncio.Event()
        happened.set()
        self.hooks.tend(self)

    def _note(self, change: Change) -> say.Ack | None:
        """Remember what the command of this entry is answered, now and whenever it is repeated."""
        entry = change.entry
        if entry.cid is None:
            return None
        by = entry.body.get("by", entry.seat)  # a bot is put at one seat by another
        ack = self._answers.setdefault((by, entry.cid), say.Ack(entry.cid, entry.number, change.ply))
        for digest in entry.body.get(Entry.TOKENS, ()):
            self._farewells[digest, entry.cid] = ack
        return ack

    def _tell(self, changes: list[Change]) -> None:
        """Everybody gets the same updates, in their language; the seat to move gets its choices besides."""
        here = self.here()
        moved = any(change.moved for change in changes)
        for language in {listener.language for listener in self.listeners}:
            listeners = [listener for listener in self.listeners if listener.language == language]
            with speaking(language):
                for pictures, state in {(listener.pictures, listener.state) for listener in listeners}:
                    updates = [
                        encode(views.update(self.table, change, here, pictures=pictures, state=state))
                        for change in changes
                    ]
                    asked = (pictures, state)
                    _push(updates, [hears for hears in listeners if (hears.pictures, hears.state) == asked])
                if moved:
                    self._tell_choices(listeners)

    def _tell_choices(self, listeners: list[Listener]) -> None:
        """Also to who has just acted: may it be undone?"""
        for seat, undoable in {(hears.seat, hears.undoable) for hears in listeners if hears.seat is not None}:
            found = views.choices(self.table, seat, undoable=undoable)
            message = encode(say.Choices(self.table.ply, found, self.table.may_undo(seat)))
            _push([message], [hears for hears in listeners if (hears.seat, hears.undoable) == (seat, undoable)])

    async def wait(self, number: int, seconds: float) -> None:
        """Until the table has moved on from this entry, or the time is over."""
        if self.table.number > number:
            return
        self.waiting += 1
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._happened.wait(), seconds)
        finally:
            self.waiting -= 1

    def spent(self, seat: int) -> float:
        """How long the seat has thought about what it is to do now."""
        return time.monotonic() - self.turn_began if seat == self.table.to_move else 0.0


def _push(messages: list[bytes], listeners: list[Listener]) -> None:
    for listener in listeners:
        for message in messages:
            listener.push(message)
