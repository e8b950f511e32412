"""A database with very many matches that are not over: one real match, copied straight into the tables.

    python -m benchmarks.server.many_tables [--database postgresql] [--tables 100000]

Then: how long each question takes that a server asks its database again and again, how the database goes about it, and
how long a server takes to start. A plan that reads a whole table is marked.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from benchmarks.server import house
from sqlalchemy import Connection, Engine, Table, event, insert, select, text

from parlour.protocol import Said
from parlour.protocol.codes import LENGTH, LETTERS
from parlour.server.admin.operator import Operator
from parlour.server.basics.steady import SteadyClock
from parlour.server.store import Append, Filter, Quota, Store
from parlour.server.store import engine as engines
from parlour.server.store.schema import ENTRIES, TABLES, TOKENS, UNFINISHED
from parlour.server.tables.past import known_rules

ROWS = 2000  # written at once
WAITING = 0.02  # of the tables wait for somebody
RECENT = 0.2  # of the tables have changed in the last hour; the rest within a month
HOUR, MONTH = 3600.0, 30 * 86400.0
TRIES = 5
AT_ONCE = 200  # tables where something is written at the same time
WRITES_FOR = 8.0  # seconds


@contextlib.contextmanager
def database(kind: str) -> Iterator[tuple[str, house.PostgreSQL | None]]:
    """An empty database of this kind: its address, and the cluster where it is one."""
    if kind == "postgresql":
        cluster = house.PostgreSQL().start()
        try:
            yield cluster.url, cluster
        finally:
            cluster.stop()
        return
    with tempfile.TemporaryDirectory(prefix="parlour-many-") as folder:
        yield f"sqlite:///{folder}/many.sqlite", None


# Filling it.


def seed(address: str) -> None:
    """Two real tables: one where a match is played, and one that waits for somebody."""
    server = house.Server(address).start()
    try:
        with httpx.Client(base_url=server.url, timeout=60) as http:
            for people in (["Ann", "Bob"], ["Cid"]):
                opened = http.post("/api/tables", json={"game": "connect_four", "seats": 2}).json()["table"]["id"]
                for name in people:
                    http.post(f"/api/tables/{opened}/sit", json={"name": name}).raise_for_status()
    finally:
        server.stop()


def fill(address: str, count: int) -> float:
    """Copy the two tables until there are so many; returns how many seconds that took."""
    began, dice = time.perf_counter(), random.Random(17)
    engine = engines.connect(address)
    with engine.execution_options(writes=True).begin() as connection:
        engines.take_your_time(connection)
        kinds = [_rows(connection, phase) for phase in ("playing", "open")]
        for first in range(0, count, ROWS):
            batch: dict[str, list[dict[str, Any]]] = {}
            for number in range(first, min(first + ROWS, count)):
                for name, rows in _copied(kinds[dice.random() < WAITING], number, dice).items():
                    batch.setdefault(name, []).extend(rows)
            for table in (TABLES, ENTRIES, TOKENS, UNFINISHED):
                connection.execute(insert(table), batch[table.name])
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    engine.dispose()
    return time.perf_counter() - began


Rows = dict[str, list[dict[str, Any]]]


def _rows(connection: Connection, phase: str) -> Rows:
    """All rows of a table in this phase."""
    table_id = connection.scalar(select(TABLES.c.id).where(TABLES.c.phase == phase))
    assert table_id is not None

    def of(table: Table) -> list[dict[str, Any]]:
        key = table.c.id if table is TABLES else table.c.table_id
        return [dict(row) for row in connection.execute(select(table).where(key == table_id)).mappings()]

    return {table.name: of(table) for table in (TABLES, ENTRIES, TOKENS, UNFINISHED)}


def _copied(rows: Rows, number: int, dice: random.Random) -> Rows:
    """The same table under another id, at another time. What it waits for comes about in days."""
    (row,) = rows[TABLES.name]
    old, new = row["id"], f"{number:022d}"
    changed = row["changed"] - dice.uniform(0, HOUR if dice.random() < RECENT else MONTH)
    packed = {name: row[name].replace(old.encode(), new.encode()) for name in ("facts", "line")}
    times = {"created": changed - 60.0, "changed": changed, "wake": row["changed"] + MONTH * (1 + dice.random())}
    code = "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(LENGTH))
    opener = f"10.{number // 60_000}.{number // 250 % 240}.{number % 250}"
    return {
        TABLES.name: [{**row, "id": new, "owner": None, **packed, **times}],
        ENTRIES.name: [{**entry, "table_id": new} for entry in rows[ENTRIES.name]],
        TOKENS.name: [{**token, "table_id": new} for token in rows[TOKENS.name]],
        UNFINISHED.name: [{"table_id": new, "code": code, "opener": opener}],
    }


# Asking it.


@dataclass
class Measured:
    """How long a question took, in milliseconds, and the steps of its plan."""

    milliseconds: float
    plan: list[str]

    @property
    def reads_all(self) -> bool:
        return any(is_scan(step) for step in self.plan)


def is_scan(step: str) -> bool:
    """Whether a step of a plan reads a large table from end to end."""
    words = step.split()
    scans = (words[:1] == ["SCAN"] and "INDEX" not in words) or "Seq Scan" in step
    return scans and any(name in words for name in ("tables", "entries", "albums"))


def questions(store: Store, clock: SteadyClock) -> dict[str, Callable[[], object]]:
    """What a server asks, and how often."""
    now, operator = clock.now(), Operator(store.engine, clock, "a benchmark")
    some = [f"{number:022d}" for number in range(1000)]
    lists = store.lists
    return {
        "the lobby (each second)": lambda: lists.lobby(now - 6 * HOUR),
        "a page of matches that are played": lambda: lists.lines(["playing"]),
        "a later page of them": lambda: lists.lines(["playing"], before=now - 0.5 * HOUR),
        "a page of those of one name": lambda: lists.lines(["open", "playing"], name="nobody"),
        "what is due (each 2 s)": lambda: store.due(now, 100),
        "what is old (each 2 s)": lambda: store.delete_old(0.0, now - 2 * MONTH),
        "matches by other rules (each 10 minutes)": lambda: store.closing.stranded(known_rules(), [], 100),
        "news of 1,000 tables in memory": lambda: store.newest(some),
        "tables of one address": lambda: lists.has_all("10.0.0.7", Quota(1, now - HOUR)),
        "whom somebody can be paired with": lambda: lists.waiting(Filter("connect_four"), now - 60.0),
        "a sign of life (each 5 s)": store.processes.beat,
        "giving back 100 leases": lambda: store.processes.release(some[:100]),
        "how many are played (drain)": lambda: store.count("playing"),
        "admin: tables of all kinds": lambda: operator.tables(),
    }


def ask(engine: Engine, question: Callable[[], object]) -> Measured:
    asked: list[tuple[str, Any]] = []

    def note(connection: Connection, cursor: Any, statement: str, parameters: Any, *more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        question()
    finally:
        event.remove(engine, "before_cursor_execute", note)
    took = []
    for _ in range(TRIES):
        began = time.perf_counter()
        question()
        took.append(1000 * (time.perf_counter() - began))
    return Measured(statistics.median(took), [step for one in asked for step in _plan(engine, *one)])


def _plan(engine: Engine, statement: str, parameters: Any) -> list[str]:
    if not statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
        return []
    explain = "EXPLAIN " if engine.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN "
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(explain + statement, parameters).all()
    return [str(row[-1]).strip() for row in rows]


# Writing to it.


async def _play_on(store: Store, table_id: str, end: float) -> int:
    """Somebody says something at the table, again and again: as much to write as an action. Returns how often."""
    line = store.closing.line(table_id)
    number = store.newest([table_id])[table_id]
    assert line is not None
    times = 0
    while time.monotonic() < end:
        times += 1
        entry = Said(number=number + times, at=line.changed, seat=0, cid=f"{times}", text="x" * 40)
        await store.append(Append(table_id, [entry], line, line.changed + MONTH, sitting=1))
    return times


async def write(store: Store) -> float:
    """Moves a second that one process can store."""
    end = time.monotonic() + WRITES_FOR
    tables = [f"{number:022d}" for number in range(AT_ONCE)]
    return sum(await asyncio.gather(*(_play_on(store, table, end) for table in tables))) / WRITES_FOR


def measure_writing(store: Store, cluster: house.PostgreSQL | None) -> None:
    if cluster is None:
        print(f"{asyncio.run(write(store)):.0f} moves a second can be stored")
        return
    cpu, written = house.usage_of_all(cluster.pid).cpu, cluster.written()
    rate = asyncio.run(write(store))
    moves = rate * WRITES_FOR
    cpu, written = house.usage_of_all(cluster.pid).cpu - cpu, cluster.written() - written
    print(f"{rate:.0f} moves a second can be stored by one process; of PostgreSQL, each takes")
    print(f"  {1e6 * cpu / moves:.0f} µs of processor time, {written / moves:.0f} bytes of its log of changes")


def start_up(address: str) -> float:
    """Seconds until a server answers /readyz."""
    server = house.Server(address)
    began = time.perf_counter()
    server.start()
    took = time.perf_counter() - began
    server.stop()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description="What very many matches cost that are not over.")
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--plans", action="store_true", help="show every plan")
    arguments = parser.parse_args()
    with database(arguments.database) as (address, cluster):
        seed(address)
        empty = start_up(address)
        print(f"{arguments.tables} tables written in {fill(address, arguments.tables):.0f} s")
        print(f"start-up: {empty:.2f} s before, {start_up(address):.2f} s with all of them")
        clock = SteadyClock()
        store = Store(address, "benchmark", clock, is_shared=True)
        store.open()
        for name, question in questions(store, clock).items():
            answer = ask(store.engine, question)
            print(f"{name:40} {answer.milliseconds:8.1f} ms{'   reads a whole table' if answer.reads_all else ''}")
            for step in answer.plan if arguments.plans or answer.reads_all else []:
                print(f"      {step}")
        measure_writing(store, cluster)
        store.close()


if __name__ == "__main__":
    main()
