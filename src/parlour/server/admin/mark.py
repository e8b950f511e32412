"""The end mark of a backup: when it was made, how many rows each of its tables has, and a checksum over all of them.

It is written when everything else is on the disk and has been read back from there. A file that was cut off has none;
one that was damaged, or changed since, is not what its mark says.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import parlour
from parlour.server.basics.errors import BadConfiguration
from parlour.server.store.engine import into_one_file

MAGIC = b"SQLite format 3\0"
TABLE = "backup_end"
MAKE = f"CREATE TABLE {TABLE} (made REAL, parlour TEXT, counts TEXT, checksum TEXT)"


def set_on(file: Path, copied: Mapping[str, int]) -> None:
    """Mark a backup as whole, if it has as many rows of each table as were copied into it."""
    into_one_file(file)  # what is read back is to be what the file has
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            _set_on(connection, copied)
    except sqlite3.Error as error:
        raise BadConfiguration(f"the backup could not be finished: {error}") from error


def _set_on(connection: sqlite3.Connection, copied: Mapping[str, int]) -> None:
    counts, checksum = _summed(connection)
    lacking = [name for name, rows in copied.items() if counts.get(name) != rows]
    if lacking:
        raise BadConfiguration(f"there is no backup: not everything of {lacking[0]} is in the file")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN")
    connection.execute(MAKE)
    values = (time.time(), parlour.__version__, json.dumps(counts), checksum)
    connection.execute(f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?)", values)
    connection.execute("COMMIT")


def check(file: Path) -> None:
    """Refuse what is not a whole backup. The file is only read."""
    _check_is_sqlite(file)
    _check_is_all(file)
    try:
        with _reading(file) as connection:
            marked = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)).fetchone()
            row = connection.execute(f"SELECT counts, checksum FROM {TABLE}").fetchone() if marked else None
            if row is None:
                raise BadConfiguration(
                    f"{file} has no end mark: it was cut off while it was written, or it is not a backup "
                    "(parlour admin move copies a database that is not one)"
                )
            counts, checksum = _summed(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{file} is damaged: {error}") from error
    if row != (json.dumps(counts), checksum):
        raise BadConfiguration(f"{file} is damaged, or was changed: it does not have the rows that its end mark tells")


def revision_of(file: Path) -> str:
    """The revision of the database of which it is a backup."""
    try:
        with _reading(file) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise BadConfiguration(f"{file} is no backup of a server: {error}") from error
    if row is None:
        raise BadConfiguration(f"{file} is no backup of a server: it does not say of which revision it is")
    return str(row[0])


def _reading(file: Path) -> closing[sqlite3.Connection]:
    """The file as it is: nothing is written beside it, so it may be where nobody can write."""
    return closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True))


def _check_is_sqlite(file: Path) -> None:
    if not file.is_file():
        raise BadConfiguration(f"there is no file {file}")
    try:
        with file.open("rb") as opened:
            is_backup = opened.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise BadConfiguration(f"{file} cannot be read: {error.strerror}") from error
    if not is_backup:
        raise BadConfiguration(f"{file} is not a backup")


def _check_is_all(file: Path) -> None:
    """What has been written since by whoever served from it, and then was killed, stands beside the file."""
    for ending in ("-wal", "-journal"):
        beside = file.with_name(f"{file.name}{ending}")
        if beside.exists() and beside.stat().st_size:
            raise BadConfiguration(
                f"{file} was changed, and the changes stand in {beside.name}: a server has used it. "
                "What is in it now is copied by parlour admin move"
            )


def _summed(connection: sqlite3.Connection) -> tuple[dict[str, int], str]:
    """How many rows each table has, and the checksum of all tables: what they are, and what is in them."""
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name != ? ORDER BY name"
    tables = [(name, sql) for name, sql in connection.execute(query, (TABLE,)) if not name.startswith("sqlite_")]
    counts, checksum = dict[str, int](), hashlib.sha256()
    for name, sql in tables:
        checksum.update(repr((name, sql)).encode())
        counts[name] = 0
        for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY rowid'):
            checksum.update(repr(row).encode())
            counts[name] += 1
    return counts, checksum.hexdigest()
