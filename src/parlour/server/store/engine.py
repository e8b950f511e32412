"""The connection to the database, and the migrations that bring it up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

from parlour.server.basics import address as addresses
from parlour.server.basics.errors import BadConfiguration
from parlour.server.basics.system import give_to_service, sqlite_file

BUSY_MS = 15_000
# Whatever waits for longer in PostgreSQL is given up, and said: a process that stalls while it holds locks, or a
# network that is gone, must not hold up everybody else for ever.
PATIENCE = {"statement_timeout": "30s", "lock_timeout": "10s", "idle_in_transaction_session_timeout": "10s"}
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}

EMPTY = "there is nothing in this database: is it the one that your server uses?"


def connect(address: str) -> Engine:
    """The database at an address: ``sqlite:///file`` or ``postgresql://…``."""
    url = addresses.read(address)
    try:
        if url.get_backend_name() == "sqlite":
            return _sqlite(url)
        if url.get_backend_name() == "postgresql":
            return _postgresql(url)
    except NoSuchModuleError as error:
        raise BadConfiguration(f"the database address cannot be used: {first_line(error)}") from error
    raise BadConfiguration(f"the database should be sqlite:///FILE or postgresql://…, not {url.get_backend_name()}://…")


def check_is_there(address: str) -> None:
    """Refuse a file that does not exist, where nothing is to be made."""
    file = sqlite_file(address)
    if file is not None and not file.exists():
        raise BadConfiguration(f"there is no database {file}: say which one with --database or --config")


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=6,
        max_overflow=4,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5, **KEEPALIVE},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        for name, limit in PATIENCE.items():
            connection.execute(f"SET {name} = '{limit}'")
        connection.commit()

    return engine


def take_your_time(connection: Connection) -> None:
    """What this transaction does may take long: a migration, or a look through everything."""
    if connection.dialect.name == "postgresql":
        for name in PATIENCE:
            connection.execute(text(f"SET LOCAL {name} = 0"))


def _sqlite(url: URL) -> Engine:
    if not url.database or ":memory:" in url.database:
        raise BadConfiguration("SQLite needs a file to keep tables in: sqlite:///FILE")
    file = Path(url.database)
    _make_private(file)
    engine = create_engine(url, connect_args={"timeout": BUSY_MS / 1000, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}"):
            connection.execute(f"PRAGMA {pragma}")
        _keep_private(file)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Who writes says so at once: a transaction that turns from reading to writing could be refused in between.
        options = connection.get_execution_options()
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")

    return engine


def read_only(file: Path) -> Engine:
    """A file that nobody writes to. Nothing is changed in it, and nothing written beside it."""
    opened = {"mode": "ro", "immutable": "1", "uri": "true"}
    return create_engine(URL.create("sqlite", database=file.absolute().as_uri(), query=opened))


def into_one_file(file: Path) -> None:
    """Have all of an SQLite database that nobody uses in its file. Where the disk is full, some stays beside it."""
    try:
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error as error:
        raise BadConfiguration(f"the database could not be brought into one file: {error}") from error
    if mode != ("delete",):
        raise BadConfiguration("the database could not be brought into one file: is the disk full?")


def _make_private(file: Path) -> None:
    """Make the file if there is none, with a folder, for its owner alone: it has secrets and talk in it.

    A file that is there is never opened here. To close it would end all locks that this process has on it, also those
    of an engine; whoever opens the database next would then remove what has been written last.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if file.exists() and not file.is_file():
            raise BadConfiguration(f"{file} cannot be used: it is not a file")
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            give_to_service(file)
    except OSError as error:
        raise BadConfiguration(f"{file} cannot be used: {error.strerror}") from error


def _keep_private(file: Path) -> None:
    """The same for one that is there, once SQLite has found it to be a database, and no folder or file of others."""
    for part in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        with suppress(FileNotFoundError):
            found = part.stat()
            if found.st_uid == os.getuid() and found.st_mode & 0o077:
                part.chmod(0o600)


def _alembic() -> Config:
    folder = Path(__file__).with_name("migrations")
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def newest_revision() -> str:
    """The revision of a database that is up to date."""
    return str(ScriptDirectory.from_config(_alembic()).get_current_head())


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None if there is nothing in it."""
    return MigrationContext.configure(connection).get_current_revision()


def newer() -> BadConfiguration:
    return BadConfiguration(
        f"the database is of a newer Parlour than this one, which knows revisions up to {newest_revision()}, "
        "and there is no way back: use the newer Parlour, or restore the backup from before the upgrade "
        "(parlour admin restore)"
    )


def is_newer(revision: str) -> bool:
    """Whether a database is of a Parlour that is newer than this one."""
    return revision not in {script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions()}


def check_revision(engine: Engine) -> None:
    """Refuse a database that is not up to date: it may be served by another Parlour, which is not to be disturbed."""
    try:
        with engine.connect() as connection:
            revision, newest = revision_of(connection), newest_revision()
    except SQLAlchemyError as error:
        raise BadConfiguration(f"the database cannot be used: {first_line(error)}") from error
    if revision is None:
        raise BadConfiguration(EMPTY)
    if is_newer(revision):
        raise newer()
    if revision != newest:
        raise BadConfiguration(
            f"the database is at revision {revision}, and this Parlour's is {newest}: "
            "use the Parlour that serves it, or run parlour migrate first"
        )


def migrate(engine: Engine) -> None:
    """Bring the database to the newest revision. Several processes may try at once: one does it, the others wait.

    There is no way back: however the database looked then, an older Parlour could not read what newer ones wrote.
    """
    config = _alembic()
    try:
        with engine.execution_options(writes=True).begin() as connection:
            take_your_time(connection)
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(7204115)"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as error:
        raise BadConfiguration(f"the database cannot be used: {first_line(error)}") from error
    except CommandError as error:
        raise newer() from error


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """What the database cannot do within this is said in one line."""
    try:
        yield
    except SQLAlchemyError as error:
        raise BadConfiguration(f"the database could not do it: {first_line(error)}") from error
    except UnicodeEncodeError as error:
        raise BadConfiguration("there are characters in this that are not text") from error


def first_line(error: Exception) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split("\n")[0].split())
