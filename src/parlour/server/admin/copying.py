"""A database copied into another one: from SQLite to PostgreSQL, into a file as a backup, and back.

A backup is an SQLite file whatever the database is, so it can be looked into, served from, and restored to either.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, func, insert, select, text

from parlour.server.errors import BadConfiguration
from parlour.server.steady import SteadyClock
from parlour.server.store import engine as engines
from parlour.server.store.processes import Processes
from parlour.server.store.schema import AUDIT, METADATA, PROCESSES

ROWS = 500  # copied at once
MAGIC = b"SQLite format 3\0"
LEFT_OUT = {PROCESSES.name}  # of the server that was, not of its tables


def copy(source: str, target: str) -> dict[str, int]:
    """Copy everything into a database that is empty; returns how many rows each of its tables got.

    A server may go on with the source meanwhile: what is copied is as it stood at one moment.
    """
    engines.check_is_there(source)
    old = engines.connect(source)
    try:
        engines.check_revision(old)
    except BadConfiguration:
        old.dispose()
        raise
    new = engines.connect(target)
    try:
        engines.migrate(new)
        with _snapshot(old) as reading, new.execution_options(writes=True).begin() as writing:
            for connection in (reading, writing):
                engines.take_your_time(connection)
            _check_empty(writing)
            counts = _copy_all(reading, writing)
            if new.dialect.name == "postgresql":
                _count_on(writing)
        return counts
    finally:
        old.dispose()
        new.dispose()


def move(source: str, target: str) -> dict[str, int]:
    """Copy everything from a database that nobody serves: what is played meanwhile would be lost."""
    engines.check_is_there(source)
    engine = engines.connect(source)
    try:
        engines.check_revision(engine)
        if Processes(engine, "", SteadyClock()).alive():
            raise BadConfiguration("a server uses this database: stop it first (one that was killed counts for 15 s)")
    finally:
        engine.dispose()
    return copy(source, target)


def back_up(source: str, file: Path) -> dict[str, int]:
    """Copy everything into a new file."""
    if file.exists():
        raise BadConfiguration(f"{file} exists already: nothing was written")
    return copy(source, f"sqlite:///{file.absolute()}")


def restore(file: Path, target: str) -> dict[str, int]:
    """Copy everything from a backup into a database that is empty."""
    if not file.is_file():
        raise BadConfiguration(f"there is no file {file}")
    try:
        with file.open("rb") as opened:
            is_backup = opened.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise BadConfiguration(f"{file} cannot be read: {error.strerror}") from error
    if not is_backup:
        raise BadConfiguration(f"{file} is not a backup")
    return copy(f"sqlite:///{file.absolute()}", target)


def _snapshot(engine: Engine) -> Connection:
    """A connection that sees one moment, however long it reads."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    return engine.connect()


def _check_empty(connection: Connection) -> None:
    for table in METADATA.sorted_tables:
        if table.name not in LEFT_OUT and connection.scalar(select(func.count()).select_from(table)):
            raise BadConfiguration("the database is not empty: nothing was copied into it")


def _copy_all(reading: Connection, writing: Connection) -> dict[str, int]:
    counts = {}
    for table in METADATA.sorted_tables:
        if table.name in LEFT_OUT:
            continue
        counts[table.name] = 0
        rows = reading.execute(select(table).execution_options(yield_per=ROWS))
        for part in rows.mappings().partitions(ROWS):
            writing.execute(insert(table), [dict(row) for row in part])
            counts[table.name] += len(part)
    return counts


def _count_on(connection: Connection) -> None:
    """PostgreSQL numbers the next line of the audit log after the last that was copied."""
    last = connection.scalar(select(func.max(AUDIT.c.id)))
    if last is not None:
        connection.execute(text("SELECT setval(pg_get_serial_sequence('audit', 'id'), :last)"), {"last": last})
