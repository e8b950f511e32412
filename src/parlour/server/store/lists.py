"""Finding tables: in lists, by their codes, by who has opened them. Every method blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, exists, or_, select

from parlour.protocol import Company, Pace, TableLine
from parlour.server.store.append import Quota
from parlour.server.store.part import Part
from parlour.server.store.schema import SEEN, TABLES, UNFINISHED
from parlour.server.tables.table import TableSpec

LOBBY = {"open": 60, "playing": 40}  # how many tables of a phase are shown there
NEWEST = 1000  # tables of a phase among which those are that the lobby shows
SEARCHED = 20_000  # tables that a search for a name looks through, the last changed first
PAIRED = 200  # waiting tables that are looked at, for who wants to play with anybody
# As text: to put the statement together each time would take longer than to run it.
_OPENED = "SELECT count(*) FROM unfinished WHERE opener = ?"
_IN_USE = """
    SELECT count(*) FROM unfinished JOIN tables ON tables.id = unfinished.table_id
    WHERE opener = ? AND phase != 'over' AND changed >= ?
"""


class Filter(NamedTuple):
    """Which tables somebody wants to see; None: whatever it is."""

    game: str | None = None
    company: Company | None = None
    clock: Pace | None = None

    def of(self, query: Select[Any]) -> Select[Any]:
        """The query, for these tables alone."""
        if self.game is not None:
            query = query.where(TABLES.c.game == self.game)
        if self.company is not None:
            query = query.where(TABLES.c.bots if self.company == "bots" else ~TABLES.c.bots)
        return query if self.clock is None else query.where(TABLES.c.pace == self.clock)


EVERYTHING = Filter()


class Lists(Part):
    def listed(self, table_id: str) -> tuple[TableLine, bool] | None:
        """A table as it stands in lists, and whether it is public."""
        with self.engine.begin() as connection:
            query = select(TABLES.c.line, TABLES.c.public).where(TABLES.c.id == table_id)
            row = connection.execute(query).one_or_none()
            return None if row is None else (msgspec.json.decode(row.line, type=TableLine), bool(row.public))

    def lines(
        self,
        phases: Iterable[str],
        *,
        wanted: Filter = EVERYTHING,
        name: str | None = None,
        before: float | None = None,
        limit: int = 50,
    ) -> list[TableLine]:
        """Public tables in some phases, the last changed first; of those that are not over, what others may join."""
        query = wanted.of(select(TABLES.c.line, TABLES.c.search, TABLES.c.changed))
        query = query.where(TABLES.c.public, TABLES.c.phase.in_(list(phases)))
        query = query.where(or_(TABLES.c.listed, TABLES.c.phase == "over")).order_by(TABLES.c.changed.desc())
        if before is not None:
            query = query.where(TABLES.c.changed < before)
        if name:
            some = query.limit(SEARCHED).subquery()
            query = select(some.c.line).where(some.c.search.contains(name.casefold(), autoescape=True))
            query = query.order_by(some.c.changed.desc())
        return self._lines(query.limit(limit))

    def lobby(self, since: float, wanted: Filter = EVERYTHING) -> list[TableLine]:
        """The tables for the lobby that have changed since: those that wait for somebody first, then the newest."""
        found: list[TableLine] = []
        for phase, limit in LOBBY.items():
            # Of the newest only: to sort all that have changed could take long.
            query = wanted.of(select(TABLES.c.line, TABLES.c.changed))
            query = query.where(TABLES.c.listed, TABLES.c.phase == phase, TABLES.c.public)
            some = query.order_by(TABLES.c.created.desc()).limit(NEWEST).subquery()
            recent = self._lines(select(some.c.line).where(some.c.changed >= since).limit(limit))
            found += sorted(recent, key=lambda line: -line.created)
        return found

    def waiting(self, wanted: Filter, since: float) -> list[TableLine]:
        """Public tables where somebody waits and was seen since, the longest waiting first."""
        seen = exists().where(SEEN.c.table_id == TABLES.c.id, SEEN.c.at >= since)
        query = wanted.of(select(TABLES.c.line)).where(TABLES.c.public, TABLES.c.phase == "open")
        query = query.where(or_(TABLES.c.changed >= since, seen))
        lines = self._lines(query.order_by(TABLES.c.created, TABLES.c.id).limit(PAIRED))
        return [line for line in lines if line.free > 0]

    def _lines(self, query: Select[Any]) -> list[TableLine]:
        with self.engine.begin() as connection:
            return [msgspec.json.decode(line, type=TableLine) for line in connection.execute(query).scalars()]

    def by_code(self, code: str) -> TableSpec | None:
        """What was fixed for the table with this code, if it is not over."""
        query = select(TABLES.c.facts).join(UNFINISHED).where(UNFINISHED.c.code == code, TABLES.c.phase != "over")
        with self.engine.begin() as connection:
            packed = connection.scalar(query)
            return None if packed is None else msgspec.json.decode(packed, type=TableSpec)

    def has_all(self, opener: str, quota: Quota) -> bool:
        """Whether whoever that is has all the tables that they may."""
        mark = "%s" if self.is_postgresql else "?"
        with self.engine.connect() as connection:
            return has_all(
                lambda statement, given: connection.exec_driver_sql(statement.replace("?", mark), given).scalar_one(),
                opener,
                quota,
            )


def has_all(count: Callable[[str, tuple[Any, ...]], int], opener: str, quota: Quota) -> bool:
    """Whether an opener has all the tables that they may. The first count needs only an index, and is mostly enough."""
    return count(_OPENED, (opener,)) >= quota.most and count(_IN_USE, (opener, quota.since)) >= quota.most
