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
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, delete, func, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from parlour.protocol import Acted, AnyEntry, Forgotten, TableLine, Undone, read_entry
from parlour.server.basics.errors import StoreFailed
from parlour.server.basics.steady import SteadyClock
from parlour.server.store import engine as engines
from parlour.server.store.albums import Albums
from parlour.server.store.append import Append, Conflict, Gone
from parlour.server.store.closing import Closing
from parlour.server.store.connection import OwnConnection, is_held_up
from parlour.server.store.lists import Lists
from parlour.server.store.plain import plain_appends
from parlour.server.store.processes import Processes
from parlour.server.store.pushes import Pushes
from parlour.server.store.schema import ENTRIES, TABLES, TOKENS, UNFINISHED
from parlour.server.store.snapshots import Kept, Snapshots
from parlour.server.store.writing import Apart, Writing
from parlour.server.tables.table import TableSpec

GROUP = 256
# Seconds between two groups while several tables write to PostgreSQL, where a commit costs more than the entry in it.
# SQLite needs no pace: what comes during one commit is the next group.
PACE = 0.01
SHARED_PACE = 0.025  # of each of several workers: with what each notes of itself, they commit no more often than one
DELETED_AT_ONCE = 500  # tables, so that nobody waits for long while it is done
Result = TypeVar("Result")


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


Waiting = tuple[Append, asyncio.Future[None]]  # an append, and who waits for its outcome
Write = Callable[[list[Append]], list[Exception | None]]


def _resolve(group: list[Waiting], outcomes: list[Exception | None]) -> None:
    for (_, done), error in zip(group, outcomes, strict=True):
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)


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
        self._to_write = self.engine.execution_options(writes=True)
        self._connection = OwnConnection(self.engine)
        self._plain = plain_appends(self._connection)
        self._whole = Writing(self._connection, process, self.opener)
        dbapi: Any = self.engine.dialect.dbapi
        self._no_such_table: type[Exception] = dbapi.IntegrityError
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
        self._connection.forget()
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
        # In the same order in all processes: otherwise two could wait for each other's locks.
        for item in sorted(group, key=lambda item: item[0].table_id):
            (plain if item[0].is_plain and times[item[0].table_id] == 1 else rest).append(item)
        for first in range(0, len(plain), GROUP):
            self._commit(plain[first : first + GROUP], self._write_plain)
        # These look for a table where somebody waits, so all that was gathered before must have been written.
        for item in rest:
            if item[0].unless is not None:
                self._commit([item], self._whole.write)
        return self._commit([item for item in rest if item[0].unless is None], self._whole.write)

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
            if len(group) > 1 and (
                is_gone or is_held_up(error) or isinstance(error, Apart)
            ):  # one by one, so that the others are written
                for item in group:
                    self._commit([item], write)
                return
            outcomes = [Gone(group[0][0].table_id) if is_gone else StoreFailed(engines.first_line(error))] * len(group)
        self.on_group(len(group), time.perf_counter() - began)
        group[0][1].get_loop().call_soon_threadsafe(_resolve, group, outcomes)

    def _write_plain(self, group: list[Append]) -> list[Exception | None]:
        """Plain appends to tables that all differ."""
        added = self._plain.write([append.row(append.entries[0]) | append.table_row() for append in group])
        return [None if append.table_id in added else Conflict(append.table_id) for append in group]

    def _writing(self) -> Any:
        return self._to_write.begin()

    # Reading.

    async def ask(self, method: Callable[..., Result], *arguments: Any) -> Result:
        """Call a blocking method of the store off the event loop."""
        loop = asyncio.get_running_loop()
        self.reads += 1
        try:
            return await loop.run_in_executor(self._readers, method, *arguments)
        except (SQLAlchemyError, OSError) as error:
            raise StoreFailed(engines.first_line(error)) from error
        finally:
            self.reads -= 1

    def load(self, table_id: str) -> Stored | None:
        """A table, with its snapshot if there is one."""
        return self._load(table_id, self.snapshots.read)

    def load_whole(self, table_id: str) -> Stored | None:
        """A table with all its entries."""
        return self._load(table_id, lambda connection, table_id: None)

    def cut(self, table_id: str, number: int) -> None:
        """Forget this entry and all after it: while a game is written, they may fit its rules no more."""
        with self.engine.execution_options(writes=True).begin() as connection:
            connection.execute(delete(ENTRIES).where(ENTRIES.c.table_id == table_id, ENTRIES.c.number >= number))

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
        """Tables where something is due and that no other living process runs, the longest overdue first."""
        query = select(TABLES.c.id).where(TABLES.c.wake <= now, self.processes.is_nobodys()).order_by(TABLES.c.wake)
        with self.engine.begin() as connection:
            return list(connection.execute(query.limit(limit)).scalars())

    def put_off(self, table_ids: list[str], now: float, until: float | None) -> None:
        """Look again later, or never, at those of these tables that are still due: what happens there says by when."""
        due = TABLES.c.id.in_(table_ids) & (TABLES.c.wake <= now)
        with self._writing() as connection:
            connection.execute(update(TABLES).where(due).values(wake=until))

    def delete_old(self, over_before: float, open_before: float) -> list[str]:
        """Remove some matches that had ended or were left to bots, and tables where nobody had come to play, by then.

        Returns which. A match that people play is never removed: there may be days between two turns.
        """
        is_left = (TABLES.c.phase == "playing") & TABLES.c.wake.is_(None)
        old = (((TABLES.c.phase == "over") | is_left) & (TABLES.c.changed < over_before)) | (
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
