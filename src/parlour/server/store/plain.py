"""Plain appends, of one entry each and nothing else: almost all that is ever written, so it goes by the shortest way.

Statements are the driver's own, each carries a whole group, and the connection is kept. Most of what a move cost in the
store before was the time to put statements together, and to go back and forth between threads for each of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import msgspec
from sqlalchemy import Engine

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
STANDING = {
    "phase": "text",
    "changed": "float8",
    "line": "bytea",
    "listed": "bool",
    "search": "text",
    "bots": "bool",
    "wake": "float8",
}
BYTES = [name for name, kind in {**ENTRY, **STANDING}.items() if kind == "bytea"]  # JSON, which is text

HELD_UP_FOR = "300ms"  # by another process that writes to the same table: it may stand still, and others are to go on
DUPLICATE = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")  # there is such an entry already

Row = dict[str, Any]  # the values of ENTRY, and of STANDING where that is to be written, too


class PlainAppends(Protocol):
    """Writes a group in one transaction."""

    def write(self, rows: list[Row]) -> set[str]:
        """Rows of tables that all differ. Returns the tables whose entries were added: others had been faster.

        Raises the driver's IntegrityError, with nothing written, where the group should be tried one by one.
        """

    def close(self) -> None:
        """Let go of the connection."""


def is_held_up(error: Exception) -> bool:
    """Whether nothing was written since another process has locked what it would change (PostgreSQL's 55P03)."""
    return getattr(getattr(error, "orig", error), "sqlstate", None) == "55P03"


def plain_appends(engine: Engine) -> PlainAppends:
    return _OnPostgreSQL(engine) if engine.dialect.name == "postgresql" else _OnSQLite(engine)


class _Kept:
    """A connection that is kept. After an error there is another one next time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: Any = None

    def _connection(self) -> Any:
        if self._kept is None:
            self._kept = self._engine.raw_connection()
            self._prepare(self._kept.driver_connection)
        return self._kept.driver_connection

    def _prepare(self, connection: Any) -> None:
        """Set up a connection that is new."""

    def _forget(self) -> None:
        if self._kept is not None:
            self._kept.invalidate()
            self._kept = None

    def close(self) -> None:
        self._forget()


class _OnSQLite(_Kept):
    """As few statements as can be: for each, this thread lets go of the interpreter and has to wait for it again."""

    def write(self, rows: list[Row]) -> set[str]:
        connection = self._connection()
        entries = [row[name] for row in rows for name in ENTRY]
        stand = [row for row in rows if "line" in row]
        try:
            if not stand:
                connection.execute(_insert(len(rows)), entries)  # a transaction by itself
            else:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(_insert(len(rows)), entries)
                standing = [row[name] for row in stand for name in ("table_id", *STANDING)]
                connection.execute(_update(len(stand)), standing)
                connection.execute("COMMIT")
        except BaseException as error:
            self._forget()
            # All or none of a group is written: where one cannot be, they are tried again, each by itself.
            if len(rows) == 1 and getattr(error, "sqlite_errorname", "") in DUPLICATE:
                return set()
            raise
        return {row["table_id"] for row in rows}


def _values(rows: int, columns: int) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * rows)


@cache  # there are no more than rows in a group
def _insert(rows: int) -> str:
    values = _values(rows, len(ENTRY))
    return f"INSERT INTO entries ({', '.join(ENTRY)}) VALUES {values}"


@cache
def _update(rows: int) -> str:
    settings = ", ".join(f"{name} = given.column{place}" for place, name in enumerate(STANDING, 2))
    values = _values(rows, 1 + len(STANDING))
    return f"UPDATE tables SET {settings} FROM (VALUES {values}) AS given WHERE id = given.column1"


def _taken(name: str) -> str:
    return f"convert_to(given.{name}, 'UTF8')" if name in BYTES else f"given.{name}"


class _OnPostgreSQL(_Kept):
    """One statement, which is a transaction by itself: one way to the database and back."""

    GIVEN = ", ".join(f"{name} {'text' if name in BYTES else kind}" for name, kind in {**ENTRY, **STANDING}.items())
    WRITE = f"""
        WITH given AS (
            SELECT * FROM json_to_recordset(%s::json) AS given ({GIVEN})
        ), added AS (
            INSERT INTO entries ({", ".join(ENTRY)})
            SELECT {", ".join(_taken(name) for name in ENTRY)} FROM given ORDER BY table_id
            ON CONFLICT DO NOTHING RETURNING table_id
        ), stood AS (
            UPDATE tables SET {", ".join(f"{name} = {_taken(name)}" for name in STANDING)}
            FROM given JOIN added USING (table_id) WHERE tables.id = given.table_id AND given.line IS NOT NULL
        )
        SELECT table_id FROM added
    """

    def _prepare(self, connection: Any) -> None:
        connection.autocommit = True
        connection.execute(f"SET lock_timeout = '{HELD_UP_FOR}'")

    def write(self, rows: list[Row]) -> set[str]:
        texts = [row | {name: row[name].decode() for name in BYTES if name in row} for row in rows]
        packed = msgspec.json.encode(texts).decode()
        is_new = self._kept is None
        connection = self._connection()
        try:
            return {table_id for (table_id,) in connection.execute(self.WRITE, (packed,), prepare=True)}
        except Exception as error:
            if is_held_up(error):
                raise
            is_lost = connection.closed
            self._forget()
            if is_new or not is_lost:
                raise
        # The database has been away. Should this have been written after all, it is found to be there already.
        return self.write(rows)
