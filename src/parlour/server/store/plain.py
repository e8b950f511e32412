"""Plain appends, of one entry each and nothing else. Almost all writes are of this kind, so they take the shortest way.

Statements go to the driver directly, one for a whole group, over one connection that is kept: to put statements
together and to change threads for each of them would take longer than the writing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import msgspec

from parlour.server.store.connection import OwnConnection, is_held_up

# The columns of an entry, and what entries change of a table, each with its type in PostgreSQL.
ENTRY = {
    "table_id": "text",
    "number": "int",
    "at": "float8",
    "kind": "text",
    "seat": "int",
    "cid": "text",
    "body": "bytea",
    "sitting": "int",
}
TABLE_COLUMNS = {
    "phase": "text",
    "changed": "float8",
    "line": "bytea",
    "listed": "bool",
    "search": "text",
    "bots": "bool",
    "wake": "float8",
}
BYTES = [name for name, kind in {**ENTRY, **TABLE_COLUMNS}.items() if kind == "bytea"]  # JSON, which is text

DUPLICATE = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")  # there is such an entry already

Row = dict[str, Any]  # the values of ENTRY, and of TABLE_COLUMNS where that is to be written, too


class PlainAppends(Protocol):
    """Writes a group in one transaction."""

    def write(self, rows: list[Row]) -> set[str]:
        """Rows of tables that all differ. Returns the tables whose entries were added: others had been faster.

        Raises the driver's IntegrityError, with nothing written, where the group should be tried one by one.
        """


def plain_appends(connection: OwnConnection) -> PlainAppends:
    return _OnPostgreSQL(connection) if connection.is_postgresql else _OnSQLite(connection)


class _OnSQLite:
    """As few statements as possible: after each, this thread has to wait until it may run Python again."""

    def __init__(self, connection: OwnConnection) -> None:
        self._own = connection

    def write(self, rows: list[Row]) -> set[str]:
        connection = self._own.get()
        entries = [row[name] for row in rows for name in ENTRY]
        stand = [row for row in rows if "line" in row]
        try:
            if not stand:
                connection.execute(_insert(len(rows)), entries)  # a transaction by itself
            else:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(_insert(len(rows)), entries)
                stands = [row[name] for row in stand for name in ("table_id", *TABLE_COLUMNS)]
                connection.execute(_update(len(stand)), stands)
                connection.execute("COMMIT")
        except BaseException as error:
            self._own.forget()
            # All or none of a group is written: where one cannot be, they are tried again, each by itself.
            if len(rows) == 1 and getattr(error, "sqlite_errorname", "") in DUPLICATE:
                return set()
            raise
        return {row["table_id"] for row in rows}


def values(rows: int, columns: int) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * rows)


@cache  # there are no more than rows in a group
def _insert(rows: int) -> str:
    given = values(rows, len(ENTRY))
    return f"INSERT INTO entries ({', '.join(ENTRY)}) VALUES {given}"


@cache
def _update(rows: int) -> str:
    settings = ", ".join(f"{name} = given.column{place}" for place, name in enumerate(TABLE_COLUMNS, 2))
    given = values(rows, 1 + len(TABLE_COLUMNS))
    return f"UPDATE tables SET {settings} FROM (VALUES {given}) AS given WHERE id = given.column1"


def _taken(name: str) -> str:
    return f"convert_to(given.{name}, 'UTF8')" if name in BYTES else f"given.{name}"


class _OnPostgreSQL:
    """One statement, which is a transaction by itself: one way to the database and back."""

    def __init__(self, connection: OwnConnection) -> None:
        self._own = connection

    GIVEN = ", ".join(
        f"{name} {'text' if name in BYTES else kind}" for name, kind in {**ENTRY, **TABLE_COLUMNS}.items()
    )
    WRITE = f"""
        WITH given AS (
            SELECT * FROM json_to_recordset(%s::json) AS given ({GIVEN})
        ), added AS (
            INSERT INTO entries ({", ".join(ENTRY)})
            SELECT {", ".join(_taken(name) for name in ENTRY)} FROM given ORDER BY table_id
            ON CONFLICT DO NOTHING RETURNING table_id
        ), stood AS (
            UPDATE tables SET {", ".join(f"{name} = {_taken(name)}" for name in TABLE_COLUMNS)}
            FROM given JOIN added USING (table_id) WHERE tables.id = given.table_id AND given.line IS NOT NULL
        )
        SELECT table_id FROM added
    """

    def write(self, rows: list[Row]) -> set[str]:
        texts = [row | {name: row[name].decode() for name in BYTES if name in row} for row in rows]
        packed = msgspec.json.encode(texts).decode()
        is_new = self._own.is_new
        connection = self._own.get()
        try:
            return {table_id for (table_id,) in connection.execute(self.WRITE, (packed,), prepare=True)}
        except Exception as error:
            if is_held_up(error):
                raise
            is_lost = connection.closed
            self._own.forget()
            if is_new or not is_lost:
                raise
        # The database has been away. Should this have been written after all, it is found to be there already.
        return self.write(rows)
