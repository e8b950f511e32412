"""The end mark of a backup: when it was made, how many rows each of its tables has, and a checksum over all of them.

It is written when everything else is on the disk and has been read back from there. A file that was cut off has none;
one that was damaged, or changed since, is not what its mark says.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import parlour
from parlour.server.errors import BadConfiguration

MAGIC = b"SQLite format 3\0"
TABLE = "backup_end"
MAKE = f"CREATE TABLE {TABLE} (made REAL, parlour TEXT, counts TEXT, checksum TEXT)"


def set_on(file: Path) -> None:
    """Mark a backup as whole."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        counts, checksum = _summed(connection)
        # Nothing of it is to stand in another file.
        if connection.execute("PRAGMA journal_mode = DELETE").fetchone() != ("delete",):
            raise BadConfiguration("the backup could not be brought into one file: is the disk full?")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN")
        connection.execute(MAKE)
        values = (time.time(), parlour.__version__, json.dumps(counts), checksum)
        connection.execute(f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?)", values)
        connection.execute("COMMIT")


def check(file: Path) -> None:
    """Refuse what is not a whole backup. The file is only read."""
    _check_is_sqlite(file)
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
    with _reading(file) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


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
