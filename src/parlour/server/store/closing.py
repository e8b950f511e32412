"""Closing tables from outside: nobody need be there, and their rules need not be known. Every method blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from parlour.protocol import Closed, Ending, TableLine
from parlour.server.store.part import Part
from parlour.server.store.processes import Processes
from parlour.server.store.schema import ENTRIES, TABLES, UNFINISHED


class Closing(Part):
    def __init__(self, engine: Engine, processes: Processes) -> None:
        super().__init__(engine)
        self.processes = processes

    def line(self, table_id: str) -> TableLine | None:
        """The table as it is listed."""
        with self.engine.begin() as connection:
            packed = connection.scalar(select(TABLES.c.line).where(TABLES.c.id == table_id))
            return None if packed is None else msgspec.json.decode(packed, type=TableLine)

    def stranded(self, known: Mapping[str, int], bad: Iterable[str], limit: int) -> list[tuple[TableLine, int]]:
        """Tables that are not over, by rules that are not ``known``, and those rules. No living process runs them.

        Not of games that are ``bad`` (they may be mended), nor by newer rules (another server may have them).
        """
        query = select(TABLES.c.line, TABLES.c.rules).where(
            TABLES.c.phase.in_(["open", "playing"]), ~played_by(known), self.processes.is_nobodys()
        )
        query = query.where(TABLES.c.game.not_in(list(bad)))
        with self.engine.begin() as connection:
            found = connection.execute(query.limit(limit))
            return [(msgspec.json.decode(row.line, type=TableLine), row.rules) for row in found]

    def close(self, table_id: str, draft: Closed) -> bool:
        """Close a table that is not over; returns whether it was this call that did."""
        try:
            with self._writing() as connection:
                return self.close_in(connection, table_id, draft)
        except IntegrityError:  # something happened there at the same moment
            return False

    def close_in(self, connection: Connection, table_id: str, draft: Closed) -> bool:
        """The same, as part of a transaction; raises IntegrityError if something happens there at the same moment."""
        row = connection.execute(select(TABLES.c.phase, TABLES.c.line).where(TABLES.c.id == table_id)).one_or_none()
        if row is None or row.phase == "over":
            return False
        last = connection.scalar(select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == table_id)) or 0
        entry = {"table_id": table_id, "number": last + 1, "at": draft.at, "kind": draft.kind, "seat": draft.seat}
        connection.execute(insert(ENTRIES).values(**entry, body=msgspec.json.encode(draft.body)))
        line = msgspec.json.decode(row.line, type=TableLine)
        ending = Ending(draft.reason, [], draft.text)
        line = msgspec.structs.replace(line, phase="over", changed=draft.at, ending=ending)
        over = {"phase": "over", "changed": draft.at, "line": msgspec.json.encode(line), "wake": None}
        connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(over))
        connection.execute(delete(UNFINISHED).where(UNFINISHED.c.table_id == table_id))
        return True


def played_by(known: Mapping[str, int]) -> ColumnElement[bool]:
    """Whether a table is played by one of these rules, or by newer ones: names of games, and their versions."""
    return or_(False, *(and_(TABLES.c.game == game, TABLES.c.rules >= rules) for game, rules in known.items()))
