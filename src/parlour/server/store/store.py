"""Reading and writing tables. Every method blocks: the event loop calls them through ``Store.ask``.

Appends go through one thread that takes all that wait and commits them together: a commit costs the same for one entry
and for a hundred.
"""

from __future__ import annotations

import asyncio
import hashlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, bindparam, case, delete, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from parlour.protocol import Acted, AnyEntry, Forgotten, TableLine, Undone, read_entry
from parlour.server.steady import SteadyClock
from parlour.server.store import engine as engines
from parlour.server.store.albums import Albums
from parlour.server.store.closing import Closing
from parlour.server.store.lists import Lists
from parlour.server.store.plain import STANDING, is_held_up, plain_appends
from parlour.server.store.processes import Processes
from parlour.server.store.pushes import Pushes
from parlour.server.store.schema import ENTRIES, PUSHES, TABLES, TOKENS, UNFINISHED
from parlour.server.store.snapshots import Kept, Snapshots
from parlour.server.table import TableSpec

GROUP = 256
# Seconds between two groups while several tables write to PostgreSQL, where a commit costs more than the entry in it.
# SQLite needs no pace: what comes during one commit is the next group.
PACE = 0.01
SHARED_PACE = 0.025  # of each of several workers: with what each notes of itself, they commit no more often than one
HELD_UP_FOR = "1s"  # by another process that writes to the same table, or opens one that somebody may wait at
DELETED_AT_ONCE = 500  # tables, so that nobody waits for long while it is done
OPENING_LOCK = 0x7061726C  # of PostgreSQL: who looks whether somebody waits lets others wait who do so
Seek = Callable[[Connection], str | None]
Result = TypeVar("Result")


class StoreFailed(Exception):
    """The database did not take it. Whether it was written is not certain: look before going on."""


class Conflict(Exception):
    """Another process was faster: the log has entries that this one has not seen."""


class Gone(Exception):
    """The table has been deleted."""


class Waits(Exception):
    """A table was not opened, since somebody waits at one that will do."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class Fenced(Exception):
    """Another process minds this table now."""


@dataclass
class Append:
    """Entries to add to a table, with what is to be written along with them: all or nothing."""

    table_id: str
    entries: list[AnyEntry]
    line: TableLine | None  # how the table then stands, for whoever looks for tables; None: that has just been written
    wake: float | None  # is written with the line
    sitting: int | None = None  # the entry by which whoever gives the command sat down
    tokens: dict[str, int] = field(default_factory=dict)  # hashes and seats of tokens that are new
    revoked: list[int] = field(default_factory=list)  # seats whose tokens end
    seating: list[int] = field(default_factory=list)  # then, the new seat of each old one, if lots were drawn
    term: int | None = None  # the lease under which this is done, where only its holder may do it
    opened: TableSpec | None = None  # the table is new
    opener: str = ""  # the address that it then counts for
    unless: Seek | None = None  # finds a table that is as good: then it is not opened
    also: list[Append] = field(default_factory=list)  # at other tables, in the same transaction

    @property
    def is_plain(self) -> bool:
        """One entry and nothing else, as when somebody plays."""
        more = self.tokens or self.revoked or self.seating or self.opened or self.also or self.is_last
        return len(self.entries) == 1 and self.term is None and not more

    @property
    def is_last(self) -> bool:
        """Whether the match is over with it."""
        return self.line is not None and self.line.phase == "over"


@dataclass(frozen=True)
class Stored:
    """A table as it is stored: a snapshot and the entries after it, or all entries."""

    spec: TableSpec
    line: TableLine
    opener: str  # the address for which it counts, as ``Store.opener`` has it; nothing once the match is over
    tokens: dict[str, int]  # hashes of the tokens that hold its seats
    snapshot: Kept | None
    entries: list[AnyEntry]


class Answered(NamedTuple):
    """An entry that answered a command."""

    entry: AnyEntry
    sitting: int | None  # of whoever gave it; nothing, where a version of before sittings has stored it
    ply: int  # how many actions had been played after it


# Made once: to put them together takes longer than to carry them out.
_STAND = update(TABLES).where(TABLES.c.id == bindparam("table"))
_STAND = _STAND.values({name: bindparam(name) for name in STANDING})
_STAND_HELD = _STAND.where(TABLES.c.owner == bindparam("holder"), TABLES.c.term == bindparam("held"))

Waiting = tuple[Append, asyncio.Future[None]]  # an append, and who waits for its outcome
Write = Callable[[list[Append]], list[Exception | None]]


def _settle(group: list[Waiting], outcomes: list[Exception | None]) -> None:
    for (_, done), error in zip(group, outcomes, strict=True):
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)


def _standing(append: Append) -> dict[str, Any]:
    """How the table stands after it, for who looks for tables; nothing, where that has just been written."""
    line = append.line
    if line is None:
        return {}
    search = "\n".join(line.names).casefold()
    packed = msgspec.json.encode(line)
    row = {"phase": line.phase, "changed": line.changed, "line": packed, "search": search, "wake": append.wake}
    # A match of one person against bots is nothing for others, however public it is.
    is_solo = line.free == 0 and line.seats - line.bots == 1
    return row | {"listed": not is_solo, "bots": line.bots > 0}


class Store:
    """All tables in one database."""

    def __init__(
        self, address: str, process: str, clock: SteadyClock | None = None, *, is_shared: bool = False
    ) -> None:
        self.engine: Engine = engines.connect(address)
        self.process = process
        self.processes = Processes(self.engine, process, clock or SteadyClock())
        self.albums = Albums(self.engine)
        self.snapshots = Snapshots(self.engine)
        self.lists = Lists(self.engine)
        self.closing = Closing(self.engine, self.processes)
        self.pushes = Pushes(self.engine)
        self.is_shared = is_shared  # whether other processes serve the same tables
        self.is_postgresql = self.engine.dialect.name == "postgresql"
        self._insert: Any = postgresql_insert if self.is_postgresql else sqlite_insert
        self._to_write = self.engine.execution_options(writes=True)
        # Without being told to, psycopg does not count what an insert added.
        counted = {"preserve_rowcount": True}
        self._add_entries = self._insert(ENTRIES).on_conflict_do_nothing().execution_options(**counted)
        add_unfinished = self._insert(UNFINISHED).on_conflict_do_nothing(index_elements=["code"])
        self._add_unfinished = add_unfinished.execution_options(**counted)
        self._be_impatient = text(f"SET LOCAL lock_timeout = '{HELD_UP_FOR}'")
        self._plain = plain_appends(self.engine)
        dbapi: Any = self.engine.dialect.dbapi
        self._no_such_table = (IntegrityError, dbapi.IntegrityError)
        self._key = b""
        self._readers = ThreadPoolExecutor(4, "store-read")
        self._gathered: list[Waiting] = []  # to be handed to the other thread together
        self.pace = PACE if self.is_postgresql else 0.0
        self._next = 0.0  # not before then
        self._waiting: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="store-write", daemon=True)
        self.reads = self.writes = 0  # that wait or are being done
        self.on_group: Callable[[int, float], None] = lambda size, seconds: None

    def open(self) -> None:
        engines.migrate(self.engine)
        self.processes.begin()
        self._key = self.processes.shared_key()
        self._writer.start()

    def opener(self, address: str) -> str:
        """What is stored of an address that opened a table: enough to count its tables, not to read it."""
        return hashlib.blake2b(address.encode("utf-8", "replace"), key=self._key, digest_size=16).hexdigest()

    def close(self) -> None:
        """Write what waits, and let go."""
        if self._writer.is_alive():
            self._waiting.put(None)
            self._writer.join()
        self._readers.shutdown()
        self._plain.close()
        self.engine.dispose()

    # Writing.

    async def append(self, append: Append) -> None:
        """Returns when the entries are committed. Raises Conflict, Fenced or StoreFailed."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            wait = self._next - time.monotonic()
            loop.call_later(wait, self._hand_over) if wait > 0 else loop.call_soon(self._hand_over)
        self._gathered.append((append, done))
        self.writes += 1
        try:
            await done
        finally:
            self.writes -= 1

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._next = time.monotonic() + self.pace if len(gathered) > 1 else 0.0
        self._waiting.put(gathered)

    def _write(self) -> None:
        while (group := self._waiting.get()) is not None:
            ends = False
            while len(group) < GROUP and not self._waiting.empty():
                more = self._waiting.get()
                if more is None:
                    ends = True
                    break
                group += more
            self._commit_all(group)
            if ends:
                return

    def _commit_all(self, group: list[Waiting]) -> None:
        if len(group) == 1 and group[0][0].is_plain:
            return self._commit(group, self._write_plain)
        times = Counter(append.table_id for append, _ in group)
        plain, rest = list[Waiting](), list[Waiting]()
        # In one order for all processes, so that none waits for another that waits for it.
        for item in sorted(group, key=lambda item: item[0].table_id):
            (plain if item[0].is_plain and times[item[0].table_id] == 1 else rest).append(item)
        for first in range(0, len(plain), GROUP):
            self._commit(plain[first : first + GROUP], self._write_plain)
        return self._commit(rest, self._write_each)

    def _commit(self, group: list[Waiting], write: Write) -> None:
        """Write a group in one transaction, and tell everybody what came of it."""
        if not group:
            return
        began = time.perf_counter()
        outcomes: list[Exception | None] = []
        try:
            outcomes = write([append for append, _ in group])
        except Exception as error:  # whatever it is, the one thread that writes goes on
            is_gone = isinstance(error, self._no_such_table)
            if len(group) > 1 and (is_gone or is_held_up(error)):  # by one table: the others are not to suffer
                for item in group:
                    self._commit([item], write)
                return
            outcomes = [Gone(group[0][0].table_id) if is_gone else StoreFailed(str(error))] * len(group)
        self.on_group(len(group), time.perf_counter() - began)
        group[0][1].get_loop().call_soon_threadsafe(_settle, group, outcomes)

    def _writing(self) -> Any:
        return self._to_write.begin()

    def _write_plain(self, group: list[Append]) -> list[Exception | None]:
        """Plain appends to tables that all differ."""
        added = self._plain.write([self._entry_row(append, append.entries[0]) | _standing(append) for append in group])
        return [None if append.table_id in added else Conflict(append.table_id) for append in group]

    def _write_each(self, group: list[Append]) -> list[Exception | None]:
        with self._writing() as connection:
            if self.is_postgresql:
                connection.execute(self._be_impatient)
            return [self._append(connection, append) for append in group]

    def _append(self, connection: Connection, append: Append) -> Exception | None:
        """One append inside a group's transaction. One that cannot be done leaves nothing behind."""
        is_large = len(append.entries) > 1 or append.term is not None or append.also or append.opened
        inside = connection.begin_nested() if is_large else None
        outcome = self._open(connection, append) or self._add(connection, append)
        for other in append.also:
            outcome = outcome or self._append(connection, other)
        if inside is not None:
            inside.rollback() if outcome else inside.commit()
        return outcome

    def _open(self, connection: Connection, append: Append) -> Exception | None:
        """Make the table, if it is new. Its code must be nobody else's."""
        spec = append.opened
        if spec is None:
            return None
        if append.unless is not None:
            if self.is_postgresql:  # SQLite has one writer at a time anyway
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": OPENING_LOCK})
            if (found := append.unless(connection)) is not None:
                return Waits(found)
        connection.execute(insert(TABLES), self._row(append, spec))
        row = {"table_id": spec.id, "code": spec.code, "opener": self.opener(append.opener)}
        is_taken = spec.code and connection.execute(self._add_unfinished, row).rowcount != 1
        return Conflict(append.table_id) if is_taken else None

    def _add(self, connection: Connection, append: Append) -> Exception | None:
        if append.entries:
            rows = [self._entry_row(append, entry) for entry in append.entries]
            added = connection.execute(self._add_entries, rows)
            if added.rowcount != len(rows):
                return Conflict(append.table_id)
        if append.opened is None and append.line is not None:
            row = _standing(append) | {"table": append.table_id, "holder": self.process, "held": append.term}
            if connection.execute(_STAND if append.term is None else _STAND_HELD, row).rowcount != 1:
                return Fenced(append.table_id)
        if append.revoked:
            for held in (TOKENS, PUSHES):
                gone = held.c.seat.in_(append.revoked)
                connection.execute(delete(held).where(held.c.table_id == append.table_id, gone))
        if append.tokens:
            tokens = [{"table_id": append.table_id, "hash": hash, "seat": seat} for hash, seat in append.tokens.items()]
            connection.execute(insert(TOKENS), tokens)
        if append.seating:
            for held in (TOKENS, PUSHES):
                seats = case(dict(enumerate(append.seating)), value=held.c.seat)
                connection.execute(update(held).where(held.c.table_id == append.table_id).values(seat=seats))
        if append.is_last:
            connection.execute(delete(UNFINISHED).where(UNFINISHED.c.table_id == append.table_id))
        return None

    def _entry_row(self, append: Append, entry: AnyEntry) -> dict[str, Any]:
        body = msgspec.json.encode(entry.body)
        row = {"table_id": append.table_id, "number": entry.number, "at": entry.at, "kind": entry.kind}
        sitting = append.sitting if entry.cid is not None else None
        return {**row, "seat": entry.seat, "cid": entry.cid, "body": body, "sitting": sitting}

    def _row(self, append: Append, spec: TableSpec) -> dict[str, Any]:
        row: dict[str, Any] = {"id": spec.id, "game": spec.game, "rules": spec.rules, "public": spec.public}
        row |= {"facts": msgspec.json.encode(spec), "created": spec.created, "owner": None, "term": 0}
        row["pace"] = spec.clock.pace
        return row | _standing(append)

    # Reading.

    async def ask(self, method: Callable[..., Result], *arguments: Any) -> Result:
        """Call a blocking method of the store off the event loop."""
        loop = asyncio.get_running_loop()
        self.reads += 1
        try:
            return await loop.run_in_executor(self._readers, method, *arguments)
        except (SQLAlchemyError, OSError) as error:
            raise StoreFailed(str(error)) from error
        finally:
            self.reads -= 1

    def load(self, table_id: str) -> Stored | None:
        """A table, with its snapshot if there is one."""
        return self._load(table_id, self.snapshots.read)

    def load_whole(self, table_id: str) -> Stored | None:
        """A table with all its entries."""
        return self._load(table_id, lambda connection, table_id: None)

    def _load(self, table_id: str, snapshot_of: Callable[[Connection, str], Kept | None]) -> Stored | None:
        with self.engine.begin() as connection:
            query = select(TABLES.c.facts, TABLES.c.line, UNFINISHED.c.opener).outerjoin(UNFINISHED)
            row = connection.execute(query.where(TABLES.c.id == table_id)).one_or_none()
            if row is None:
                return None
            snapshot = snapshot_of(connection, table_id)
            entries = self._entries(connection, table_id, snapshot.number if snapshot else 0)
            if snapshot and any(isinstance(entry, Forgotten) for entry in entries):
                snapshot, entries = None, self._entries(connection, table_id, 0)
            return Stored(
                msgspec.json.decode(row.facts, type=TableSpec),
                msgspec.json.decode(row.line, type=TableLine),
                row.opener or "",
                self._tokens(connection, table_id),
                snapshot,
                entries,
            )

    def answered(self, table_id: str, cid: str) -> list[Answered]:
        """The entries of a table that answered commands of this name."""
        here = ENTRIES.c.table_id == table_id
        with self.engine.begin() as connection:
            rows = connection.execute(
                select(ENTRIES).where(here, ENTRIES.c.cid == cid).order_by(ENTRIES.c.number)
            ).all()
            return [Answered(_entry(row), row.sitting, self._ply_after(connection, row)) for row in rows]

    def _ply_after(self, connection: Connection, row: Any) -> int:
        """How many actions had been played after an entry: the last that changed it tells."""
        query = select(ENTRIES).where(ENTRIES.c.table_id == row.table_id, ENTRIES.c.number <= row.number)
        query = query.where(ENTRIES.c.kind.in_(["act", "undo"])).order_by(ENTRIES.c.number.desc()).limit(1)
        last = connection.execute(query).first()
        entry = None if last is None else _entry(last)
        if isinstance(entry, Acted):
            return entry.ply + len(entry.actions)
        return entry.ply - entry.plies if isinstance(entry, Undone) else 0

    def since(self, table_id: str, number: int) -> tuple[list[AnyEntry], dict[str, int]]:
        """What has happened after entry ``number``, and the tokens as they are now."""
        with self.engine.begin() as connection:
            return self._entries(connection, table_id, number), self._tokens(connection, table_id)

    def _entries(self, connection: Connection, table_id: str, after: int) -> list[AnyEntry]:
        query = (
            select(ENTRIES).where(ENTRIES.c.table_id == table_id, ENTRIES.c.number > after).order_by(ENTRIES.c.number)
        )
        return [_entry(row) for row in connection.execute(query)]

    def _tokens(self, connection: Connection, table_id: str) -> dict[str, int]:
        query = select(TOKENS.c.hash, TOKENS.c.seat).where(TOKENS.c.table_id == table_id)
        return {row.hash: row.seat for row in connection.execute(query)}

    def count(self, phase: str) -> int:
        """How many tables are in this phase."""
        with self.engine.begin() as connection:
            query = select(func.count()).select_from(TABLES).where(TABLES.c.phase == phase)
            return connection.scalar(query) or 0

    def newest(self, table_ids: list[str]) -> dict[str, int]:
        """The number of the last entry of each of these tables; those that have been deleted are not among them."""
        # Asked like this, the database looks up each table in the index, however many others there are.
        last = select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == TABLES.c.id).scalar_subquery()
        query = select(TABLES.c.id, func.coalesce(last, 0)).where(TABLES.c.id.in_(table_ids))
        with self.engine.begin() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def due(self, now: float, limit: int) -> list[str]:
        """Tables where something is due and that no other living process minds, the longest overdue first."""
        query = select(TABLES.c.id).where(TABLES.c.wake <= now, self.processes.is_nobodys()).order_by(TABLES.c.wake)
        with self.engine.begin() as connection:
            return list(connection.execute(query.limit(limit)).scalars())

    def put_off(self, table_ids: list[str], now: float, until: float) -> None:
        """Look again later at those of these tables that are still due: what happens there says itself by when."""
        due = TABLES.c.id.in_(table_ids) & (TABLES.c.wake <= now)
        with self._writing() as connection:
            connection.execute(update(TABLES).where(due).values(wake=until))

    def delete_old(self, over_before: float, open_before: float) -> list[str]:
        """Remove some matches that were over, and tables where nobody had come to play, by then; returns which.

        A match that is being played is never removed: there may be days between two turns.
        """
        old = ((TABLES.c.phase == "over") & (TABLES.c.changed < over_before)) | (
            (TABLES.c.phase == "open") & (TABLES.c.changed < open_before)
        )
        with self._writing() as connection:
            some = delete(TABLES).where(TABLES.c.id.in_(select(TABLES.c.id).where(old).limit(DELETED_AT_ONCE)))
            return list(connection.execute(some.returning(TABLES.c.id)).scalars())

    def ping(self) -> None:
        with self.engine.begin() as connection:
            connection.execute(text("SELECT 1"))


def _entry(row: Any) -> AnyEntry:
    envelope = {"number": row.number, "at": row.at, "seat": row.seat, "cid": row.cid}
    return read_entry(row.kind, envelope, msgspec.json.decode(row.body))
