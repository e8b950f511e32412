"""Snapshots of tables: see ``parlour.server.tables.snapshot``. Every method blocks, as those of the store do."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Engine, Integer, LargeBinary, bindparam, delete, exists, select

from parlour.protocol import Forgotten
from parlour.server.store.part import Part
from parlour.server.store.schema import ENTRIES, SNAPSHOTS, TABLES
from parlour.server.tables.snapshot import FORMAT


class Kept(NamedTuple):
    """A snapshot of a table as it stood after entry ``number``."""

    number: int
    packed: bytes


class Snapshots(Part):
    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        number, packed = bindparam("after", type_=Integer), bindparam("kept", type_=LargeBinary)
        # Not where a name may be in it that has been forgotten since, nor of a table that has been deleted.
        later = (ENTRIES.c.table_id == TABLES.c.id) & (ENTRIES.c.number > number) & (ENTRIES.c.kind == Forgotten().kind)
        row = select(TABLES.c.id, number, bindparam("format_", FORMAT), packed)
        row = row.where(TABLES.c.id == bindparam("table"), ~exists().where(later))
        columns = ("table_id", "number", "format", "packed")
        upsert = self._insert(SNAPSHOTS).from_select(columns, row)
        # One of another version, in another format, is of no use to this one.
        is_newer = (SNAPSHOTS.c.number < upsert.excluded.number) | (SNAPSHOTS.c.format != FORMAT)
        fresh = {name: upsert.excluded[name] for name in columns[1:]}
        self._upsert = upsert.on_conflict_do_update(index_elements=["table_id"], set_=fresh, where=is_newer)

    def read(self, connection: Connection, table_id: str) -> Kept | None:
        query = select(SNAPSHOTS.c.number, SNAPSHOTS.c.packed)
        row = connection.execute(query.where(SNAPSHOTS.c.table_id == table_id, SNAPSHOTS.c.format == FORMAT)).first()
        return None if row is None else Kept(row.number, row.packed)

    def write(self, snapshots: dict[str, Kept]) -> None:
        """Keep these, by table, each in place of an older one."""
        if not snapshots:
            return
        tables = sorted(snapshots)
        rows = [{"table": table, "after": snapshots[table].number, "kept": snapshots[table].packed} for table in tables]
        with self._writing() as connection:
            # Whoever forgets somebody does so before this or after it; moves go on meanwhile.
            known = select(TABLES.c.id).where(TABLES.c.id.in_(tables)).order_by(TABLES.c.id)
            connection.execute(known.with_for_update(key_share=True))
            connection.execute(self._upsert, rows)

    def drop(self, table_id: str) -> None:
        """Keep none of this table."""
        with self._writing() as connection:
            connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.table_id == table_id))
