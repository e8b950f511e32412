"""A database copied into another one: from SQLite to PostgreSQL, into a file as a backup, and back.

A backup is an SQLite file whatever the database is, so it can be looked into, served from, and restored to either.
What has no end mark, or is not what its mark says, is not restored: see ``mark``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, func, insert, select, text

from parlour.engine import files
from parlour.engine.errors import ParlourError
from parlour.server.admin import mark
from parlour.server.basics import address as addresses
from parlour.server.basics.errors import BadConfiguration
from parlour.server.basics.steady import SteadyClock
from parlour.server.basics.system import sqlite_address
from parlour.server.store import engine as engines
from parlour.server.store.processes import Processes
from parlour.server.store.schema import ADDRESSES, AUDIT, METADATA, PROCESSES

ROWS = 500  # copied at once
LEFT_OUT = {PROCESSES.name, ADDRESSES.name}  # of the server that was, not of its tables


def back_up(source: str, file: Path) -> dict[str, int]:
    """Copy everything into a new file, which has its name once it is whole; returns how many rows each table has."""
    engines.check_is_there(source)
    with _new_sqlite(file) as part:
        counts = _copied(engines.connect(source), sqlite_address(part))
        mark.set_on(part, counts)
        return counts


def restore(file: Path, target: str) -> dict[str, int]:
    """Copy everything from a backup into a database that is empty. Where that fails, the database stays as it was.

    The backup may be of an older Parlour than this one. It is not changed.
    """
    mark.check(file)
    if mark.revision_of(file) == engines.newest_revision():
        return _copy_to(engines.read_only(file), target)
    with tempfile.TemporaryDirectory(prefix="parlour-restore-") as folder:
        copied = Path(folder) / "backup.sqlite"
        try:
            shutil.copyfile(file, copied)
        except OSError as error:
            raise BadConfiguration(f"there must be room in {folder} for another copy: {error.strerror}") from error
        engine = engines.connect(sqlite_address(copied))
        try:
            engines.migrate(engine)
        except BaseException:
            engine.dispose()
            raise
        return _copy_to(engine, target)


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
    return _copy_to(engines.connect(source), target)


@contextmanager
def _new_sqlite(file: Path) -> Iterator[Path]:
    """Where to make a new database file. It has its name once it is whole, and nobody else may read it."""
    with files.written_whole(file, overwrite=False, private=True) as part:
        part.unlink()  # SQLite makes its files itself
        try:
            yield part
            engines.into_one_file(part)
        finally:
            for ending in ("-wal", "-shm", "-journal"):
                part.with_name(part.name + ending).unlink(missing_ok=True)


@contextmanager
def _target(address: str) -> Iterator[str]:
    """Where to write: beside the name of an SQLite file that is not there yet; otherwise into the database itself."""
    url = addresses.read(address)
    if url.get_backend_name() != "sqlite" or not url.database or Path(url.database).exists():
        yield address
        return
    file = Path(url.database)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _new_sqlite(file) as part:
        yield sqlite_address(part)


def _copy_to(old: Engine, target: str) -> dict[str, int]:
    """Copy everything into a database that is empty, or not there yet."""
    with _target(target) as address:
        return _copied(old, address)


def _copied(old: Engine, target: str) -> dict[str, int]:
    """Copy everything into a database that is empty; returns how many rows each of its tables got.

    A server may go on with the old one meanwhile: what is copied is as it stood at one moment.
    """
    try:
        engines.check_revision(old)
        with engines.errors_in_one_line():
            new = engines.connect(target)
            try:
                engines.migrate(new)
                return _copy_rows(old, new)
            finally:
                new.dispose()
    finally:
        old.dispose()


def _copy_rows(old: Engine, new: Engine) -> dict[str, int]:
    """All or none of them."""
    with _snapshot(old) as reading, new.execution_options(writes=True).begin() as writing:
        for connection in (reading, writing):
            engines.take_your_time(connection)
        _check_empty(writing)
        counts = _copy_all(reading, writing)
        if new.dialect.name == "postgresql":
            _count_on(writing)
    return counts


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


def main() -> None:
    """Back up in a process of its own, so that a server goes on meanwhile: where to is told on the command line."""
    os.nice(10)
    try:
        back_up(os.environ["PARLOUR_DATABASE"], Path(sys.argv[1]))
    except ParlourError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
