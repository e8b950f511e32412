"""Appends of every kind, a group in one transaction, by statements of the driver's own that were put together once.

What is only a move goes a shorter way still: see ``plain``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import msgspec

from parlour.server.store.append import Append, Conflict, Fenced, TooMany, Waits
from parlour.server.store.connection import OwnConnection, is_held_up
from parlour.server.store.lists import has_all
from parlour.server.store.plain import ENTRY, TABLE_COLUMNS, Row, values
from parlour.server.tables.table import TableSpec

# Of PostgreSQL: one process at a time looks for a table where somebody waits, and opens one if there is none.
OPENING_LOCK = 0x7061726C
FIXED = ("id", "game", "rules", "public", "facts", "created", "term", "pace")  # when a table is opened

_ADD_TABLE = (
    f"INSERT INTO tables ({', '.join((*FIXED, *TABLE_COLUMNS))}) VALUES {values(1, len(FIXED) + len(TABLE_COLUMNS))}"
)
_ADD_UNFINISHED = "INSERT INTO unfinished (table_id, code, opener) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING"
_END_UNFINISHED = "DELETE FROM unfinished WHERE table_id = ?"
_STAND = f"UPDATE tables SET {', '.join(f'{name} = ?' for name in TABLE_COLUMNS)} WHERE id = ?"
_STAND_HELD = f"{_STAND} AND owner = ? AND term = ?"
BY_SEAT = ("tokens", "pushes")  # what belongs to whoever sits there


class Apart(Exception):
    """One of a group cannot be written, so nothing was: each is to be tried by itself."""


class Writing:
    """Writes appends. All of an append is written or nothing."""

    def __init__(self, connection: OwnConnection, process: str, opener: Callable[[str], str]) -> None:
        """``opener`` makes of an address what is stored of it."""
        self._own = connection
        self._process = process
        self._opener = opener

    def write(self, group: list[Append]) -> list[Exception | None]:
        """Returns what came of each. Raises Apart, or the driver's IntegrityError where there is no such table."""
        connection = self._own.begin()
        try:
            for append in group:
                if outcome := self._append(connection, append):
                    connection.execute("ROLLBACK")
                    break
            else:
                connection.execute("COMMIT")
                return [None] * len(group)
        except BaseException as error:
            if isinstance(error, Exception) and is_held_up(error):
                connection.execute("ROLLBACK")
            else:
                self._own.forget()
            raise
        if len(group) > 1:
            raise Apart
        return [outcome]

    def _append(self, connection: Any, append: Append) -> Exception | None:
        outcome = self._open(connection, append) or self._add(connection, append)
        for other in append.also:
            outcome = outcome or self._append(connection, other)
        return outcome

    def _run(self, connection: Any, statement: str, given: Iterable[Any]) -> int:
        """Returns how many rows were written."""
        if self._own.is_postgresql:
            statement = statement.replace("?", "%s")
        return int(connection.execute(statement, tuple(given)).rowcount)

    def _count(self, connection: Any, statement: str, given: tuple[Any, ...]) -> int:
        if self._own.is_postgresql:
            statement = statement.replace("?", "%s")
        return int(connection.execute(statement, given).fetchone()[0])

    def _open(self, connection: Any, append: Append) -> Exception | None:
        """Make the table, if it is new and its opener may have one more. Its code must be nobody else's."""
        spec = append.opened
        if spec is None:
            return None
        opener = self._opener(append.opener)
        if append.quota and has_all(partial(self._count, connection), opener, append.quota):
            return TooMany()
        if append.unless is not None:
            if self._own.is_postgresql:  # SQLite has one writer at a time anyway
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (OPENING_LOCK,))
            if (found := append.unless()) is not None:
                return Waits(found)
        row = _fixed(spec) | append.table_row()
        self._run(connection, _ADD_TABLE, [row[name] for name in (*FIXED, *TABLE_COLUMNS)])
        unfinished = spec.id, spec.code, opener
        is_taken = spec.code and self._run(connection, _ADD_UNFINISHED, unfinished) != 1
        return Conflict(append.table_id) if is_taken else None

    def _add(self, connection: Any, append: Append) -> Exception | None:
        table = append.table_id
        if append.entries:
            rows = [row[name] for row in map(append.row, append.entries) for name in ENTRY]
            if self._run(connection, _add_entries(len(append.entries)), rows) != len(append.entries):
                return Conflict(table)
        if append.opened is None and append.line is not None:
            row = append.table_row()
            stand = [*(row[name] for name in TABLE_COLUMNS), table]
            lease = [] if append.term is None else [self._process, append.term]
            if self._run(connection, _STAND_HELD if lease else _STAND, stand + lease) != 1:
                return Fenced(table)
        for held in BY_SEAT:
            if append.revoked:
                self._run(connection, _revoke(held, len(append.revoked)), [table, *append.revoked])
        if append.tokens:
            tokens = [value for digest, seat in append.tokens.items() for value in (table, digest, seat)]
            self._run(connection, _add_tokens(len(append.tokens)), tokens)
        for held in BY_SEAT:
            if append.seating:
                seats = [seat for pair in enumerate(append.seating) for seat in pair]
                self._run(connection, _reseat(held, len(append.seating)), [*seats, table])
        if append.is_last:
            self._run(connection, _END_UNFINISHED, [table])
        return None


def _fixed(spec: TableSpec) -> Row:
    row = {"id": spec.id, "game": spec.game, "rules": spec.rules, "public": spec.public, "created": spec.created}
    return row | {"facts": msgspec.json.encode(spec), "term": 0, "pace": spec.clock.pace}


@cache
def _add_entries(rows: int) -> str:
    return f"INSERT INTO entries ({', '.join(ENTRY)}) VALUES {values(rows, len(ENTRY))} ON CONFLICT DO NOTHING"


@cache
def _add_tokens(rows: int) -> str:
    return f"INSERT INTO tokens (table_id, hash, seat) VALUES {values(rows, 3)}"


@cache
def _revoke(held: str, seats: int) -> str:
    return f"DELETE FROM {held} WHERE table_id = ? AND seat IN {values(1, seats)}"


@cache
def _reseat(held: str, seats: int) -> str:
    return f"UPDATE {held} SET seat = CASE seat {'WHEN ? THEN ? ' * seats}END WHERE table_id = ?"
