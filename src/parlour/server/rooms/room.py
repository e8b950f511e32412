"""A room: one table in this process's memory, and the lock under which alone it changes.

Every change goes the same way: proposed, stored, folded, acknowledged, told to everybody; in this order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import NamedTuple, Protocol

import msgspec

from parlour.protocol import Acted, AnyEntry, Bye, Forgotten, Left, Reply, TableLine, TableView
from parlour.server.basics.errors import Refusal, StoreFailed
from parlour.server.rooms.answers import Answers, Command
from parlour.server.rooms.deadlines import Deadlines
from parlour.server.rooms.holders import Holder, Holders
from parlour.server.rooms.news import News
from parlour.server.rooms.playing import Payers, Playing
from parlour.server.rooms.proposals import Proposal
from parlour.server.store import Append, Conflict, Gone, Store, Stored
from parlour.server.tables.fold import Change, fold, fold_all
from parlour.server.tables.listener import Listener
from parlour.server.tables.past import PastTable
from parlour.server.tables.presence import Presence
from parlour.server.tables.snapshot import unpack
from parlour.server.tables.table import Table
from parlour.server.telling import views
from parlour.server.telling.broadcast import deliver, encode, of_changes, tell_presence, welcome

LOG = logging.getLogger("parlour.server")
NEVER = float("-inf")
WATCHED_FOR = 60.0  # seconds for which a look at the table over HTTP counts as watching it
ATTEMPTS = 5  # at a change while other processes write to the same table
NOTE_EVERY = 10.0  # seconds after which lists say that a match has gone on
RETOLD = (
    "The rules of this game have changed since the match began, and their version has not: "
    "what happened before is told by the rules as they are now."
)
CROWD = 16  # sockets at one table
TELL_CROWD_EVERY = 0.3  # seconds
FEW = 20  # entries, which are folded on the event loop

Respond = Callable[[Reply], None]  # to whom the answer to a command goes
Propose = Callable[[], Proposal | None]


class Known(Exception):
    """The command was answered before, like this."""

    def __init__(self, reply: Reply) -> None:
        super().__init__()
        self.reply = reply


class Prepared(NamedTuple):
    """What a proposal would make of the table."""

    proposal: Proposal
    after: Table
    changes: list[Change]

    @property
    def seating(self) -> list[int]:
        return next((change.seating for change in self.changes if change.seating), [])


class Observer(Protocol):
    """Who is told of what happens in a room, after those at the table."""

    @property
    def notice(self) -> str:
        """What whoever runs the server has to say to everybody."""

    def warming(self, table: Table) -> list[int]:
        """The seats whose bots are not ready yet, so that simpler ones play in their place."""

    def changed(self, room: Room) -> None:
        """Its log has grown."""

    def attended(self, room: Room) -> None:
        """Somebody came or went."""


class Shared(NamedTuple):
    """What all rooms of a process use."""

    store: Store
    deadlines: Deadlines
    playing: Playing
    observer: Observer


class Room:
    """A table that somebody plays at or watches, or that this process runs."""

    def __init__(self, shared: Shared, table: Table, tokens: dict[str, int]) -> None:
        self.store, self.deadlines, self.playing, self._observer = shared
        self.table = table
        self._counted: tuple[Table | None, int] = None, 0  # bots, and at which table: another one after each change
        self.holders = Holders(tokens)
        self.clock = self.deadlines.clock
        self.presence = Presence(self.clock)
        self.lock = asyncio.Lock()
        self.loaded = self.used = self.asked = self.clock.now()
        self.owner = ""  # for whom its bots think: the address that opened it, as ``Store.opener`` tells addresses
        self.news = News()
        self._has_ended = False  # whether it is out of memory: another room may stand in its place
        self.kept = 0  # the number of its last entry when a snapshot of it was stored
        self.answers = Answers(self.store, table.id)
        self._will_tell: asyncio.TimerHandle | None = None  # who is here
        self._warming: list[int] = []  # the seats whose bots are not ready, as was told last
        self._noted: tuple[float, float | None] | None = None  # when its line was written last, and with which wake

    @classmethod
    def recall(cls, shared: Shared, stored: Stored, table: Table | None = None) -> Room:
        """The room of a table that was stored; ``table`` is where to fold it into, if not a plain one.

        Raises Unfit if nothing can be made of its snapshot.
        """
        if stored.snapshot is not None:
            table = unpack(stored.spec, *stored.snapshot)
        room = cls(shared, table or Table(stored.spec), stored.tokens)
        room.owner = stored.opener
        if stored.snapshot is not None:
            room.kept, room.answers.is_cut = stored.snapshot.number, True
        room.asked = NEVER
        for change in fold_all(room.table, stored.entries):
            room.answers.remember(change)
        return room

    @property
    def id(self) -> str:
        return self.table.id

    # Seats and who is here.

    async def find_seat(self, token: str) -> int:
        """The seat that the token holds; it may be another process that gave it out, a moment ago."""
        try:
            return self.holders.seat_of(token)
        except Refusal:
            if not self.store.is_shared:
                raise
        async with self.lock:
            await self.catch_up()
        return self.holders.seat_of(token)

    @property
    def is_large(self) -> bool:
        """Whether what is done for the table leaves the event loop."""
        return self.playing.is_large(self.table)

    @contextlib.asynccontextmanager
    async def still(self, address: str) -> AsyncIterator[None]:
        """At a large table, nothing happens while somebody from this address is shown it."""
        if not self.is_large:
            yield
            return
        async with self.playing.turn(self.table, (address,)), self.lock:
            self.check_here()
            yield

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at the table, or has done so just now."""
        return bool(self.presence.listeners) or self.clock.now() - self.asked < WATCHED_FOR

    def touch(self, seat: int | None = None, address: str = "") -> None:
        """The table is in use; with a seat, by its person, without a socket but from this address."""
        self.used = self.clock.now()
        if seat is not None:
            self.presence.touch(seat, address)

    def end(self, bye: Bye) -> None:
        """The room leaves the memory: whoever is here, or is on the way, has to come back."""
        self._has_ended = True
        for listener in list(self.presence.listeners):
            listener.dismiss(encode(bye))
        self.news.tell()

    def check_here(self) -> None:
        """Whether the room is still in memory. Raises Refusal: another one may stand in its place."""
        if self._has_ended:
            raise Refusal("busy", "this table is being loaded anew: try again")

    @property
    def bots(self) -> int:
        """How many bots sit here until the match is over. To look at hundreds of seats each time would take long."""
        table, bots = self._counted
        if table is not self.table:
            table, bots = self.table, sum(chair.bot is not None for chair in self.table.chairs)
            self._counted = table, bots
        return 0 if table.ending is not None else bots

    @property
    def payers(self) -> Payers:
        """Whom it counts for what happens here by itself."""
        return (self.owner or self.id,)

    def belong_to(self, address: str) -> None:
        """Somebody sits here who comes from this address: theirs it is, if it is not known who opened it."""
        self.owner = self.owner or self.store.opener(address)

    def join(self, listener: Listener) -> None:
        self.presence.join(listener)
        self._observer.attended(self)
        self.tell_presence()

    def part(self, listener: Listener) -> None:
        if listener in self.presence.listeners:
            self.touch()
            self.presence.part(listener)
            self._observer.attended(self)
            self.tell_presence()

    def hurry(self, seat: int) -> None:
        """The seat's person need not see what the bots do that play now."""
        if self.table.player is not None:
            self.presence.hurry(seat)

    def tell_presence(self) -> None:
        """Say who is here: at once, or where many would be told each time that one of them comes, once in a while."""
        if len(self.presence.listeners) <= CROWD:
            self._tell_presence()
        elif self._will_tell is None:
            self._will_tell = asyncio.get_running_loop().call_later(TELL_CROWD_EVERY, self._tell_presence)

    def _tell_presence(self) -> None:
        if self._will_tell is not None:
            self._will_tell.cancel()
            self._will_tell = None
        grace = self.deadlines.grace(self.table, self.presence, self.loaded)
        self._warming = self._observer.warming(self.table)
        tell_presence(self.presence, grace, self._notice, self._warming)

    @property
    def _notice(self) -> str:
        """What whoever runs the server has to say, and what has become of the match."""
        match = self.table.match
        return " ".join(filter(None, [self._observer.notice, RETOLD if match and match.is_retold else ""]))

    def view(
        self,
        you: int | None,
        *,
        pictures: bool = False,
        state: bool = False,
        undoable: bool = False,
        chances: bool = False,
    ) -> Callable[[], TableView]:
        """What makes the view of the table as it is now: for some tables, that takes long."""
        view = partial(views.table_view, pictures=pictures, state=state, undoable=undoable, chances=chances)
        return partial(view, self.table, you, self.presence.here(), self.spent_by)

    def welcome(self, hears: Listener) -> Callable[[], bytes]:
        """What makes the message that tells somebody all of the table as it is now."""
        listeners, here = list(self.presence.listeners), self.presence.here()
        return partial(welcome, self.table, hears, listeners, self.presence, here, self.spent_by)

    def spent(self, seat: int | None) -> float:
        """How long the seat has thought about what it is to do now."""
        return self.deadlines.spent(self.table, seat)

    @property
    def spent_by(self) -> dict[int, float]:
        """The same for each seat that has still to choose."""
        return {seat: self.spent(seat) for seat in self.table.awaited}

    # Changes.

    async def command(
        self,
        cid: str,
        propose: Propose,
        holder: Holder,
        respond: Respond,
        payers: Payers = (),
    ) -> None:
        """Carry out what whoever holds a seat has asked for, once: the same cid again gets the same answer again.

        The answer is given before anybody is told what happened.
        """
        seat = holder.seat
        sitting = self.table.sitting(seat)
        known_as = sitting, cid

        def proposal() -> Proposal | None:
            if (known := self.answers.to(known_as)) is not None:
                raise Known(known)
            self.holders.check(holder)
            if self.table.sitting(seat) != sitting:
                raise Refusal("unauthorised", "you do not sit at this seat any more")
            return propose()

        try:
            await self.attempt(proposal, respond, known_as, payers)
        except Known as known:
            respond(known.reply)
        except Refusal as refusal:
            respond(self.answers.refuse(known_as, refusal))

    async def attempt(
        self,
        propose: Propose,
        respond: Respond | None = None,
        command: Command | None = None,
        payers: Payers = (),
    ) -> None:
        """Have what is proposed happen; propose it anew, after catching up, as often as another process was faster.

        So, too, where this ``command`` turns out to have been carried out before the table came back from a snapshot.
        Nothing proposed means that there is nothing to do. Raises Refusal: nothing has happened. Raises Fenced, where a
        lease is needed, if this process no longer holds it. What it takes counts for the payers, or for whoever opened
        the table.
        """
        payers = payers or self.payers
        async with self.playing.turn(self.table, payers), self.lock:
            self.check_here()
            for _ in range(ATTEMPTS):
                try:
                    prepared = await self.playing.do(self.table, payers, self._prepare, propose)
                    if prepared is not None:
                        await self._write(prepared, respond, payers)
                    return
                except Conflict:
                    with contextlib.suppress(StoreFailed):
                        await self.catch_up()
                        await self.answers.look_up(command, self.table)
                except Refusal as refusal:
                    if refusal.is_for_now or not await self._was_behind(command):
                        raise
        raise Refusal("busy", "too much happens at this table just now: try again")

    async def _was_behind(self, command: Command | None) -> bool:
        """Before refusing: whether there are entries that this room does not know of, perhaps for this very command."""
        with contextlib.suppress(StoreFailed):
            is_behind = self.store.is_shared and bool(await self.catch_up())
            return await self.answers.look_up(command, self.table) or is_behind
        return True

    def _prepare(self, propose: Propose) -> Prepared | None:
        """Have it happen to a twin of the table. Raises Refusal, or Known, if it may not."""
        proposal = propose()
        if proposal is None:
            return None
        after = self.table.twin()
        entries = [self._with_tokens(entry, proposal) for entry in proposal.entries]
        changes = [fold(after, entry, proposal.played if isinstance(entry, Acted) else None) for entry in entries]
        return Prepared(proposal, after, changes)

    async def _write(self, prepared: Prepared, respond: Respond | None, payers: Payers) -> None:
        """Store, then tell. The lock is held.

        Raises Conflict or Fenced if another process was faster, Refusal if it could not be stored: nothing happened.
        """
        proposal, after, changes = prepared
        tokens = self.holders.after(proposal, prepared.seating)
        now, wake = self.clock.now(), self.deadlines.wake_at(after)
        line = None
        if proposal.term is not None or not self._is_noted(after, wake, now):
            line = views.table_line(after, 0.0 if _is_deserted(after, changes) else now)
            self._noted = None
        try:
            await self.store.append(_append(self.id, prepared, line, wake))
        except Gone:
            raise Refusal("not_found", "this table has been deleted") from None
        except StoreFailed as error:
            LOG.error("table %s: the store failed: %s", self.id, error)
            return await self._look_again(changes, respond)
        self.table = after
        if line is not None:
            self._noted = now, wake
        if tokens != self.holders.seats:
            self._hold(tokens)
        return await self._take_in(changes, respond, payers)

    def _is_noted(self, after: Table, wake: float | None, now: float) -> bool:
        """Whether the store knows well enough how the table stands: who sits there, and by when to look at it.

        While a match goes on, only the times change. To look at a table too soon does no harm.
        """
        if self._noted is None or after.phase != self.table.phase or after.chairs != self.table.chairs:
            return False
        at, noted = self._noted
        is_soon_enough = now < noted <= wake if noted is not None and wake is not None else noted is wake
        return is_soon_enough and now - at < NOTE_EVERY

    def _with_tokens(self, entry: AnyEntry, proposal: Proposal) -> AnyEntry:
        """Who leaves has no token to ask with once more: which ones they had is kept with the entry."""
        if not isinstance(entry, Left) or entry.seat not in proposal.revoked:
            return entry
        return msgspec.structs.replace(entry, tokens=self.holders.of_seat(entry.seat))

    async def stand_at(self, table: Table) -> None:
        """The table is this one now, and everybody is shown it whole: its game has been changed. The lock is held."""
        self.table, self.kept = table, 0
        for hears in list(self.presence.listeners):
            hears.push(self.welcome(hears)())
        self.news.tell()
        self._observer.changed(self)

    async def _look_again(self, changes: list[Change], respond: Respond | None) -> None:
        """A commit failed, perhaps after it was written: look at the log to find out."""
        try:
            if changes and changes[-1].entry in await self.catch_up():
                for change in changes:
                    ack = self.answers.remember(change)
                    if respond is not None and ack is not None:
                        respond(ack)
                return
        except StoreFailed:
            pass
        raise Refusal("not_saved", "this could not be saved: try again")

    async def catch_up(self) -> list[AnyEntry]:
        """Fold what others have added to the log. The lock is held."""
        entries, tokens = await self.store.ask(self.store.since, self.id, self.table.number)
        self._hold(tokens)
        if any(isinstance(entry, Forgotten) for entry in entries):
            return await self._read_again()
        if entries:
            self._noted = None  # others have written it
            after = self.table.twin()
            fold_these = partial(_fold_these, after, entries)
            changes = fold_these() if len(entries) <= FEW else await self.store.ask(fold_these)
            self.table = after
            await self._take_in(changes)
        return entries

    async def _read_again(self) -> list[AnyEntry]:
        """Fold the whole log anew, since a name was taken out of entries that had been folded. The lock is held."""
        stored = await self.store.ask(self.store.load_whole, self.id)
        if stored is None:
            raise Refusal("not_found", "this table has been deleted")
        if isinstance(self.table, PastTable):  # what is known of it is not in the log alone
            raise Refusal("busy", "this table is being loaded anew: come back")
        self._hold(stored.tokens)  # no older than the entries, or a token would pass that these have ended
        after = Table(stored.spec)
        changes = await self.store.ask(_fold_these, after, stored.entries)
        changes = [change for change in changes if change.entry.number > self.table.number]
        self.table, self.kept = after, 0
        await self._take_in(changes)
        return [change.entry for change in changes]

    def _hold(self, tokens: dict[str, int]) -> None:
        """These tokens hold the seats now."""
        self.holders = Holders(tokens)
        self.presence.hold(tokens)

    async def _take_in(self, changes: list[Change], respond: Respond | None = None, payers: Payers = ()) -> None:
        """Acknowledge, and tell everybody what has happened."""
        self.touch()
        if self.table.player is None:
            self.presence.calm_down()
        for change in changes:
            if change.seating:
                self.presence.reseat(change.seating)
            ack = self.answers.remember(change)
            if respond is not None and ack is not None:
                respond(ack)
        try:
            await self._tell(changes, payers or self.payers)
        finally:  # whatever a game does wrong in a picture, the match goes on
            self.news.tell()
            self._observer.changed(self)

    async def _tell(self, changes: list[Change], payers: Payers) -> None:
        here = self.presence.here()
        given = self.table, changes, list(self.presence.listeners), self.presence, here, self.spent_by
        deliveries = await self.playing.do(self.table, payers, of_changes, *given)
        self.playing.charge_sending(payers, deliver(deliveries))
        is_awaited = any(
            self.table.chairs[seat].player is None and not self.presence.is_here(seat) for seat in self.table.awaited
        )
        if is_awaited or self._observer.warming(self.table) != self._warming:
            self.tell_presence()

    async def wait(self, number: int, seconds: float) -> None:
        """Wait until the table has a newer entry, or the time is over."""
        if self.table.number <= number:
            await self.news.wait(seconds)


def _append(table_id: str, prepared: Prepared, line: TableLine | None, wake: float | None) -> Append:
    """What stores a proposal."""
    proposal, _, changes = prepared
    return Append(
        table_id=table_id,
        entries=[change.entry for change in changes],
        line=line,
        wake=wake,
        sitting=next((change.sitting for change in changes if change.entry.cid is not None), None),
        tokens=proposal.tokens,
        revoked=proposal.revoked,
        seating=prepared.seating,
        term=proposal.term,
        also=proposal.also,
    )


def _fold_these(table: Table, entries: list[AnyEntry]) -> list[Change]:
    return list(fold_all(table, entries))


def _is_deserted(table: Table, changes: list[Change]) -> bool:
    """Whether everybody has left a table before its match: it is not listed any more, and deleted as an old one."""
    return table.phase == "open" and not table.people and any(isinstance(change.entry, Left) for change in changes)
