"""The database: migrations, groups of commits, and leases whose terms keep old owners out."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import OperationalError

from databases import Postgres
from parlour.protocol import AnyEntry, ClockSpec, Said
from parlour.server.admin.operator import Operator
from parlour.server.basics.errors import BadConfiguration
from parlour.server.basics.steady import SteadyClock
from parlour.server.store import Append, Conflict, Fenced, Gone, Store, engine
from parlour.server.store.schema import METADATA, TABLES
from parlour.server.store.store import GROUP
from parlour.server.tables.table import Table, TableSpec
from parlour.server.telling.views import table_line

PARLOUR = str(Path(sys.executable).with_name("parlour"))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgres"))])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'x.sqlite'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


@pytest.mark.xdist_group("postgres")
def test_nobody_waits_for_ever_in_postgresql_and_a_clock_that_is_wrong_is_said(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("parlour.server.store.processes.time.time", lambda: 0.0)
    store = Store(postgres.new_database(), "one")
    store.open()
    with store.engine.begin() as connection:
        shown = {name: connection.scalar(text(f"SHOW {name}")) for name in engine.PATIENCE}
        assert shown == engine.PATIENCE
        engine.take_your_time(connection)
        assert connection.scalar(text("SHOW lock_timeout")) == "0"
    assert store.processes.drift < -1e9
    assert "use a time service" in caplog.text
    store.close()


@pytest.mark.xdist_group("postgres")
def test_lines_of_the_audit_log_are_committed_in_the_order_of_their_numbers(postgres: Postgres) -> None:
    database = engine.connect(postgres.new_database())
    engine.migrate(database)
    operator = Operator(database, SteadyClock(), "a test")
    with database.begin() as first, database.connect() as second:
        operator._note(first, "ban", "the first", {})
        second.execute(text("SET LOCAL lock_timeout = '10ms'"))
        with pytest.raises(OperationalError, match="lock timeout"):
            operator._note(second, "ban", "the second", {})
    operator.note("ban", "the third")
    assert [line.about for line in operator.audit()] == ["the third", "the first"]
    database.dispose()


def spec(name: str) -> TableSpec:
    wish = {"options": {}, "seats": 2, "public": True, "hints": True, "clock": ClockSpec(), "grace": 90.0}
    return TableSpec(id=name, game="connect_four", rules=1, secret="5" * 64, created=1.0, **wish)  # type: ignore[arg-type]


def opening(name: str) -> Append:
    return Append(name, [], table_line(Table(spec(name)), 1.0), None, opened=spec(name))


def adding(name: str, *numbers: int, cid: str | None = None, term: int | None = None) -> Append:
    entries: list[AnyEntry] = [
        Said(number=number, at=1.0, seat=0, cid=cid, text=f"{name} {number}") for number in numbers
    ]
    return Append(name, entries, table_line(Table(spec(name)), 1.0), None, sitting=1, term=term)


@pytest.fixture
def new_store(database: str) -> Iterator[Callable[[str], Store]]:
    made: list[Store] = []

    def make(process: str) -> Store:
        made.append(Store(database, process))
        made[-1].open()
        return made[-1]

    yield make
    for store in made:
        store.close()


def outcomes(store: Store, *appends: Append) -> list[type[BaseException] | None]:
    """What becomes of them, handed in at once."""

    async def all_at_once() -> list[type[BaseException] | None]:
        results = await asyncio.gather(*map(store.append, appends), return_exceptions=True)
        return [type(result) if isinstance(result, BaseException) else None for result in results]

    return asyncio.run(all_at_once())


def numbers(store: Store, table: str) -> list[int]:
    return [entry.number for entry in store.since(table, 0)[0]]


# Migrations.


def test_migrations_make_what_the_schema_says(database: str) -> None:
    connected = engine.connect(database)
    engine.migrate(connected)
    found = inspect(connected)
    for table in METADATA.tables.values():
        assert {column["name"] for column in found.get_columns(table.name)} == {column.name for column in table.columns}
        assert {index["name"] for index in found.get_indexes(table.name)} >= {index.name for index in table.indexes}
    unique = {tuple(key["column_names"]) for key in found.get_unique_constraints("entries")}
    assert ("table_id", "sitting", "cid") in unique
    assert found.get_pk_constraint("entries")["constrained_columns"] == ["table_id", "number"]
    connected.dispose()


def test_what_is_stored_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Also where the file was made by an older version, which let others read it."""
    file = tmp_path / "new" / "x.sqlite"
    file.parent.mkdir()
    file.touch(mode=0o644)
    other = tmp_path / "made" / "for" / "it.sqlite"
    for path in (file, other):
        store = Store(f"sqlite:///{path}", "a")
        store.open()
        assert outcomes(store, opening("one")) == [None]
        parts = [part for part in path.parent.iterdir() if part.name.startswith(path.name)]
        assert {part.name: oct(part.stat().st_mode & 0o777) for part in parts} == {part.name: "0o600" for part in parts}
        assert len(parts) > 1
        store.close()
    assert other.parent.stat().st_mode & 0o077 == 0


def test_a_folder_is_no_database_and_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with pytest.raises(BadConfiguration, match="it is not a file"):
        engine.connect(f"sqlite:///{tmp_path}")
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_migrating_again_changes_nothing(database: str, new_store: Callable[[str], Store]) -> None:
    store = new_store("a")
    assert outcomes(store, opening("one"), adding("one", 1)) == [None, None]
    engine.migrate(store.engine)
    assert numbers(store, "one") == [1]


def test_many_may_start_at_once(database: str) -> None:
    errors: list[Exception] = []

    def start() -> None:
        connected = engine.connect(database)
        try:
            engine.migrate(connected)
        except Exception as error:
            errors.append(error)
        connected.dispose()

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_a_newer_database_is_refused_in_one_line(database: str) -> None:
    connected = engine.connect(database)
    engine.migrate(connected)
    with connected.execution_options(writes=True).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadConfiguration, match="newer"):
        engine.migrate(connected)
    connected.dispose()
    for command in ("migrate", "serve"):
        ran = subprocess.run([PARLOUR, command, "--database", database], capture_output=True, text=True, timeout=60)
        assert ran.returncode == 2
        (line,) = ran.stderr.strip().splitlines()
        assert "newer" in line


def test_migrate_says_what_it_did(database: str) -> None:
    ran = subprocess.run([PARLOUR, "migrate", "--database", database], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout.strip()) == (0, "The database is up to date.")


# Groups.


def test_what_is_handed_in_together_is_stored_together(new_store: Callable[[str], Store]) -> None:
    store = new_store("a")
    groups: list[int] = []
    store.on_group = lambda size, seconds: groups.append(size)
    tables = [f"table{number}" for number in range(40)]
    assert outcomes(store, *map(opening, tables)) == [None] * 40
    assert len(groups) < 40, "one commit for many"
    assert outcomes(store, *(adding(table, 1, 2, 3) for table in tables)) == [None] * 40
    assert all(numbers(store, table) == [1, 2, 3] for table in tables)


def test_moves_at_many_tables_are_one_statement(new_store: Callable[[str], Store]) -> None:
    """Each is told its own outcome: in the second group the fourth comes too late, and the fifth's command is known."""
    store = new_store("a")
    tables = [f"table{number}" for number in range(6)]
    outcomes(store, *map(opening, tables))
    groups: list[int] = []
    store.on_group = lambda size, seconds: groups.append(size)
    assert outcomes(store, *(adding(table, 1, cid="first") for table in tables)) == [None] * 6
    assert groups == [6]
    outcomes(store, adding("table3", 2))
    moves = [adding(table, 2) for table in tables[:4]] + [adding("table4", 2, cid="first"), adding("table5", 2)]
    assert outcomes(store, *moves) == [None, None, None, Conflict, Conflict, None]
    assert [numbers(store, table) for table in tables] == [[1, 2]] * 4 + [[1], [1, 2]]
    assert outcomes(store, adding("table0", 3), adding("nowhere", 1)) == [None, Gone]
    assert numbers(store, "table0") == [1, 2, 3]


def test_how_a_table_stands_is_written_where_it_is_said(new_store: Callable[[str], Store]) -> None:
    store = new_store("a")
    outcomes(store, opening("one"), opening("two"))
    told, untold = adding("one", 1), adding("two", 1)
    told.line, told.wake, untold.line, untold.wake = table_line(Table(spec("one")), 7.0), 9.0, None, 9.0
    assert outcomes(store, told, untold) == [None, None]
    assert (numbers(store, "one"), numbers(store, "two")) == ([1], [1])
    with store.engine.begin() as connection:
        found = connection.execute(select(TABLES.c.id, TABLES.c.changed, TABLES.c.wake).order_by(TABLES.c.id)).all()
    assert found == [("one", 7.0, 9.0), ("two", 1.0, None)]


def test_more_moves_than_one_group_takes(new_store: Callable[[str], Store]) -> None:
    store = new_store("a")
    tables = [f"table{number}" for number in range(GROUP + 3)]
    outcomes(store, *map(opening, tables))
    assert outcomes(store, *(adding(table, 1) for table in tables)) == [None] * len(tables)


@pytest.mark.xdist_group("postgres")
def test_a_connection_that_the_database_has_ended_is_made_anew(postgres: Postgres) -> None:
    store = Store(postgres.new_database(), "a")
    store.open()
    outcomes(store, opening("one"), opening("two"))
    assert outcomes(store, adding("one", 1)) == [None]
    with store._writing() as connection:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        connection.execute(text(f"{others} AND datname = current_database()"))
    assert outcomes(store, adding("one", 2), adding("two", 1)) == [None, None]
    assert (numbers(store, "one"), numbers(store, "two")) == ([1, 2], [1])
    store.close()


def test_one_that_cannot_be_stored_leaves_the_others_alone(new_store: Callable[[str], Store]) -> None:
    store = new_store("a")
    outcomes(store, opening("one"), opening("two"))
    outcomes(store, adding("one", 1, cid="x"))
    answers = outcomes(
        store,
        adding("one", 1),  # the number is taken
        adding("one", 2, cid="x"),  # the command has happened
        adding("one", 2, 1),  # one of them is taken: none is stored
        adding("nowhere", 1),  # the table has been deleted
        adding("two", 1),
    )
    assert answers == [Conflict, Conflict, Conflict, Gone, None]
    assert (numbers(store, "one"), numbers(store, "two")) == ([1], [1])


# Leases.


def test_old_tables_are_deleted_some_at_a_time(
    new_store: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.server.store.store.DELETED_AT_ONCE", 2)
    store = new_store("one")
    assert outcomes(store, opening("a"), opening("b"), opening("c")) == [None, None, None]
    assert [len(store.delete_old(0.0, 10.0)) for _ in range(3)] == [2, 1, 0]


def owner(store: Store, table: str) -> tuple[str | None, int]:
    with store.engine.begin() as connection:
        row = connection.execute(TABLES.select().where(TABLES.c.id == table)).one()
        return row.owner, row.term


def test_only_what_is_still_due_is_put_off(new_store: Callable[[str], Store]) -> None:
    """A match that ends while it is taken up must not come up again for ever."""
    store = new_store("one")
    outcomes(store, opening("ended"), opening("waits"))
    with store._writing() as connection:
        connection.execute(TABLES.update().values(wake=5.0))
    assert store.due(10.0, 9) == ["ended", "waits"]
    outcomes(store, adding("ended", 1))
    store.put_off(["ended", "waits"], 10.0, 70.0)
    assert store.due(80.0, 9) == ["waits"]


def test_one_process_minds_a_table(new_store: Callable[[str], Store]) -> None:
    one, two = new_store("one"), new_store("two")
    for store in (one, two):
        store.processes.beat()
    outcomes(one, opening("t"))
    assert one.processes.acquire("t") == 1
    assert two.processes.acquire("t") is None
    assert one.processes.acquire("t") == 2, "its own lease can be taken anew"
    one.processes.release(["t"])
    assert two.processes.acquire("t") == 3
    two.processes.leave()
    assert owner(one, "t") == (None, 3)


def test_the_lease_of_a_dead_process_is_taken(new_store: Callable[[str], Store]) -> None:
    one, two = new_store("one"), new_store("two")
    one.processes.beat()
    two.processes.beat()
    outcomes(one, opening("t"))
    assert one.processes.acquire("t") == 1
    assert two.processes.acquire("t") is None
    with one._writing() as connection:  # its time has run out
        connection.execute(text("UPDATE processes SET until = until - 100 WHERE id = 'one'"))
    assert two.processes.acquire("t") == 2


def test_an_old_term_writes_nothing(new_store: Callable[[str], Store]) -> None:
    """A process that slept through the end of its lease wakes up, and is fenced off."""
    one, two = new_store("one"), new_store("two")
    one.processes.beat()
    two.processes.beat()
    outcomes(one, opening("t"))
    old = one.processes.acquire("t")
    with one._writing() as connection:
        connection.execute(text("DELETE FROM processes WHERE id = 'one'"))
    new = two.processes.acquire("t")
    assert outcomes(one, adding("t", 1, term=old)) == [Fenced]
    assert numbers(two, "t") == []
    assert outcomes(two, adding("t", 1, term=new)) == [None]
    assert outcomes(one, adding("t", 2, term=old), adding("t", 2)) == [Fenced, None]
    assert numbers(one, "t") == [1, 2]
