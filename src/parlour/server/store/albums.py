"""The albums of matches: see ``parlour.server.tables.album``. Every method blocks, as those of the store do."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from parlour.server.store.part import Part
from parlour.server.store.schema import ALBUMS, ENTRIES, TABLES


class Albums(Part):
    def read(self, table_id: str) -> bytes | None:
        with self.engine.begin() as connection:
            packed: bytes | None = connection.scalar(select(ALBUMS.c.packed).where(ALBUMS.c.table_id == table_id))
            return packed

    def number(self, table_id: str) -> int:
        """Up to which entry there is an album; -1 if there is none."""
        with self.engine.begin() as connection:
            found: int | None = connection.scalar(select(ALBUMS.c.number).where(ALBUMS.c.table_id == table_id))
            return -1 if found is None else found

    def write(self, table_id: str, number: int, packed: bytes) -> None:
        """Keep it, in place of an older one, unless something has happened since: it may have a name in it that is to
        be forgotten. A table that has been deleted meanwhile needs none.
        """
        fresh = {"number": number, "packed": packed}
        upsert = self._insert(ALBUMS).values(table_id=table_id, **fresh)
        upsert = upsert.on_conflict_do_update(index_elements=["table_id"], set_=fresh, where=ALBUMS.c.number < number)
        try:
            with self._writing() as connection:
                connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id).with_for_update())
                last = connection.scalar(select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == table_id))
                if last == number:
                    connection.execute(upsert)
        except IntegrityError:
            return

    def lacking(self, game: str, rules: int) -> list[str]:
        """The matches of a game by these rules that have no album, or one that has been played on since."""
        last = select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == TABLES.c.id).scalar_subquery()
        query = (
            select(TABLES.c.id)
            .outerjoin(ALBUMS)
            .where(TABLES.c.game == game, TABLES.c.rules == rules, TABLES.c.phase != "open")
            .where(func.coalesce(ALBUMS.c.number, -1) < last)
        )
        with self.engine.begin() as connection:
            return list(connection.scalars(query))
