"""The processes that serve the same tables: what time it is, which live, who runs which table, who was seen where."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Double,
    Engine,
    and_,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)

from parlour.server.basics.steady import Outage, SteadyClock
from parlour.server.store.part import Part
from parlour.server.store.schema import ADDRESSES, OUTAGES, PROCESSES, SEEN, SHARED, TABLES

LOG = logging.getLogger("parlour.server")
LEASE_SECONDS = 15.0
DRIFT = 1.0  # seconds by which the clocks of two machines may differ before it is said


class Here(NamedTuple):
    """Somebody at a seat, and from where."""

    table_id: str
    seat: int
    address: str


class Processes(Part):
    """This process among the others. Every method blocks, as those of the store do."""

    def __init__(self, engine: Engine, process: str, clock: SteadyClock) -> None:
        super().__init__(engine)
        self.process = process
        self.clock = clock
        self.drift = 0.0  # seconds by which this machine's clock was ahead of the database's when the process began

    def begin(self) -> None:
        """This process begins to serve: take the time from those that already do, or note since when none did."""
        with self._writing() as connection:
            if self.is_postgresql:
                # Workers begin at the same moment: the first notes the outage, the others agree with it.
                connection.execute(text("SELECT pg_advisory_xact_lock(7204117)"))
            now: float = connection.execute(select(self._now())).scalar_one()
            self._note_drift(now)
            known = connection.execute(select(PROCESSES).where(PROCESSES.c.clock.is_not(None))).all()
            alive = [row for row in known if row.until >= now]
            last = max((row.clock for row in known), default=None)
            if last is None:  # a database of an older version tells no more than when a table last changed
                last = connection.scalar(select(func.max(TABLES.c.changed)))
            if alive:
                newest = max(alive, key=lambda row: row.clock)
                self.clock.set(newest.clock + max(0.0, now - (newest.until - LEASE_SECONDS)))
            elif last is not None:
                self.clock.set(max(self.clock.now(), last))
                connection.execute(insert(OUTAGES).values(began=last, ended=self.clock.now()))
            self.clock.outages = [
                Outage(row.began, row.ended) for row in connection.execute(select(OUTAGES).order_by(OUTAGES.c.began))
            ]
            self._beat(connection)

    def _note_drift(self, now: float) -> None:
        """Compare this machine's time of day with the database's, where that may be another machine."""
        if not self.is_postgresql:
            return
        self.drift = time.time() - now
        if abs(self.drift) > DRIFT:
            LOG.warning("this machine's clock differs from the database's by %+.1f s: use a time service", self.drift)

    def shared_key(self) -> bytes:
        """A key that all processes of this store share, and nobody else has."""
        fresh = {"name": "bus", "value": secrets.token_bytes(32)}
        with self._writing() as connection:
            connection.execute(self._insert(SHARED).values(fresh).on_conflict_do_nothing())
            key: bytes = connection.execute(select(SHARED.c.value).where(SHARED.c.name == "bus")).scalar_one()
            return key

    def beat(self) -> None:
        """This process is alive, and so are its leases."""
        with self._writing() as connection:
            self._beat(connection)
            connection.execute(delete(PROCESSES).where(PROCESSES.c.until < self._now() - 100 * LEASE_SECONDS))

    def _beat(self, connection: Connection) -> None:
        row = {"id": self.process, "until": self._now() + LEASE_SECONDS, "clock": self.clock.now()}
        upsert = self._insert(PROCESSES).values(row)
        alive = {"until": row["until"], "clock": row["clock"]}
        connection.execute(upsert.on_conflict_do_update(index_elements=["id"], set_=alive))
        connection.execute(delete(ADDRESSES).where(~self.is_alive(ADDRESSES.c.process)))

    def acquire(self, table_id: str) -> int | None:
        """Take the lease of a table that no living process holds; returns its term."""
        free = update(TABLES).where(TABLES.c.id == table_id, self.is_nobodys())
        taken = free.values(owner=self.process, term=TABLES.c.term + 1)
        with self._writing() as connection:
            term: int | None = connection.execute(taken.returning(TABLES.c.term)).scalar()
            return term

    def is_nobodys(self) -> ColumnElement[bool]:
        """Whether no other living process holds the lease of a table."""
        return or_(TABLES.c.owner.is_(None), TABLES.c.owner == self.process, ~self.is_alive(TABLES.c.owner))

    def is_alive(self, process: ColumnElement[str] | Column[str]) -> ColumnElement[bool]:
        """Whether the process that this names is one that serves these tables."""
        return process.in_(select(PROCESSES.c.id).where(PROCESSES.c.until >= self._now()))

    def alive(self) -> int:
        """How many processes serve these tables."""
        with self.engine.begin() as connection:
            living = select(func.count()).select_from(PROCESSES).where(PROCESSES.c.until >= self._now())
            return int(connection.execute(living).scalar_one())

    def release(self, table_ids: list[str]) -> None:
        """Let other processes run these tables."""
        mine = (TABLES.c.owner == self.process) & TABLES.c.id.in_(table_ids)
        with self._writing() as connection:
            connection.execute(update(TABLES).where(mine).values(owner=None))

    def leave(self) -> None:
        """Give all leases back: this process ends."""
        with self._writing() as connection:
            connection.execute(update(TABLES).where(TABLES.c.owner == self.process).values(owner=None))
            ended = {"until": self._now() - 1, "clock": self.clock.now()}
            connection.execute(update(PROCESSES).where(PROCESSES.c.id == self.process).values(ended))
            connection.execute(delete(ADDRESSES).where(ADDRESSES.c.process == self.process))

    def _now(self) -> Any:
        """The time by which leases run: the database's own where several machines share it."""
        if self.is_postgresql:
            return cast(func.extract("epoch", func.clock_timestamp()), Double)
        return literal(self.clock.now())

    # Presence, where several processes serve the same tables.

    def note_seen(self, seen: list[tuple[str, int]]) -> None:
        """These seats' people are there. A table that has been deleted meanwhile is passed over."""
        with self._writing() as connection:
            known = self._known(connection, {table_id for table_id, _ in seen})
            now = self.clock.now()
            rows = [{"table_id": table_id, "seat": seat, "at": now} for table_id, seat in sorted(seen)]
            upsert = self._insert(SEEN)
            upsert = upsert.on_conflict_do_update(index_elements=["table_id", "seat"], set_={"at": upsert.excluded.at})
            if rows := [row for row in rows if row["table_id"] in known]:
                connection.execute(upsert, rows)

    def note_addresses(self, come: Collection[Here], gone: Collection[Here]) -> None:
        """From where people have come to their seats by way of this process, and from where they are no more."""
        with self._writing() as connection:
            columns = [ADDRESSES.c[name] for name in Here._fields]
            theirs = and_(*(column == bindparam(f"its_{column.name}") for column in columns))
            if rows := [{f"its_{name}": value for name, value in here._asdict().items()} for here in sorted(gone)]:
                connection.execute(delete(ADDRESSES).where(ADDRESSES.c.process == self.process, theirs), rows)
            known = self._known(connection, {here.table_id for here in come})
            if rows := [here._asdict() | {"process": self.process} for here in sorted(come) if here.table_id in known]:
                connection.execute(self._insert(ADDRESSES).on_conflict_do_nothing(), rows)

    @staticmethod
    def _known(connection: Connection, asked: set[str]) -> set[str]:
        """Which of these tables there are: others have been deleted meanwhile."""
        return set(connection.execute(select(TABLES.c.id).where(TABLES.c.id.in_(asked))).scalars())

    def last_seen(self, table_id: str, seat: int) -> float | None:
        with self.engine.begin() as connection:
            query = select(SEEN.c.at).where(SEEN.c.table_id == table_id, SEEN.c.seat == seat)
            at: float | None = connection.execute(query).scalar()
            return at
