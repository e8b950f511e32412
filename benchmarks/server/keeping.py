"""What it takes to keep matches: albums, which are drawn of each, and backups of many of them.

    python -m benchmarks.server.keeping [--database postgresql] [--matches 10000]

Albums: processor time for each ply, from reading the log to writing the album, as ``parlour upgrade --prepare`` does
it; and bytes for each ply, beside those of the log. Backups: one match of Choccer, played to its end, is copied into
the database as often as it is told. Then a backup is made, and restored into an empty database of the same kind.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from benchmarks.server import house
from benchmarks.server.many_tables import database
from sqlalchemy import Table, delete, func, insert, select

from parlour.server.admin import copying, upgrade_check
from parlour.server.store import engine as engines
from parlour.server.store.schema import ALBUMS, ENTRIES, TABLES, TOKENS

SEATS = {"choccer": 2, "goose": 4, "verfuchst": 3, "mazerunner": 4}
MATCHES, PLIES = 10, 20_000  # at least, of each game, for albums
ROWS = 500  # matches written at once
COPIED = (TABLES, ENTRIES, TOKENS, ALBUMS)
PACKED = (ALBUMS.c.packed, ENTRIES.c.body)


def measure_albums() -> None:
    print(f"{'':12}{'plies':>7}{'ms a ply':>10}{'bytes a ply':>13}{'of its entries':>16}")
    for game, seats in SEATS.items():
        with database("sqlite") as (address, _):
            plies = play(address, game, seats)
            fill(address, max(MATCHES, PLIES // plies))
            engine = engines.connect(address)
            with engine.execution_options(writes=True).begin() as connection:
                sizes = [connection.scalar(select(func.sum(func.length(packed)))) for packed in PACKED]
                connection.execute(delete(ALBUMS))
            engine.dispose()
            began = time.process_time()
            drawn, _ = upgrade_check.prepare(address)
            cost = (time.process_time() - began) / drawn / plies
            album, entries = (int(size or 0) / drawn / plies for size in sizes)
            print(f"{game:12}{plies:7}{1000 * cost:10.2f}{album:13.0f}{entries:16.0f}", flush=True)


def play(address: str, game: str, seats: int) -> int:
    """One match, every seat by chance. Its album is drawn when the server stops. Returns how many plies it has."""
    server = house.Server(address).start()
    try:
        with httpx.Client(base_url=server.url, timeout=60) as http:
            table = http.post("/api/tables", json={"game": game, "seats": seats}).json()["table"]["id"]
            names = [{"name": f"Seat {seat}"} for seat in range(seats)]
            sat = [http.post(f"/api/tables/{table}/sit", json=name).json() for name in names]
            tokens = {one["seat"]: {"authorization": f"Bearer {one['token']}"} for one in sat}
            dice, position = random.Random(17), http.get(f"/api/tables/{table}").json()["position"]
            while (mover := position["to_move"]) is not None:
                choices = http.get(f"/api/tables/{table}", headers=tokens[mover]).json()["choices"]
                act = {"cid": f"c{position['ply']}", "ply": position["ply"], "action": dice.choice(choices)["action"]}
                http.post(f"/api/tables/{table}/act", headers=tokens[mover], json=act).raise_for_status()
                position = http.get(f"/api/tables/{table}").json()["position"]
            return int(position["ply"])
    finally:
        server.stop()


def fill(address: str, count: int) -> None:
    """Copy the match until there are so many."""
    engine = engines.connect(address)
    with engine.execution_options(writes=True).begin() as connection:
        engines.take_your_time(connection)
        rows = {table: [dict(row) for row in connection.execute(select(table)).mappings()] for table in COPIED}
        (old,) = [row["id"] for row in rows[TABLES]]
        for first in range(1, count, ROWS):
            ids = [f"{number:022d}" for number in range(first, min(first + ROWS, count))]
            for table in COPIED:
                connection.execute(
                    insert(table), [_renamed(table, row, old, new) for new in ids for row in rows[table]]
                )
    engine.dispose()


def _renamed(table: Table, row: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    if table is not TABLES:
        return {**row, "table_id": new}
    packed = {name: row[name].replace(old.encode(), new.encode()) for name in ("facts", "line")}
    return {**row, "id": new, **packed}


def timed(what: str, work: Callable[[], dict[str, int]]) -> None:
    began, worked = time.perf_counter(), time.process_time()
    counts = work()
    took, worked = time.perf_counter() - began, time.process_time() - worked
    rows = sum(counts.values())
    print(
        f"{what:10}{took:8.1f} s{worked:8.1f} s of the processor{rows:10} rows{rows / took:10.0f} rows a second",
        flush=True,
    )


def measure_backups(kind: str, matches: int) -> None:
    with database(kind) as (address, _), database(kind) as (target, _), tempfile.TemporaryDirectory() as folder:
        play(address, "choccer", SEATS["choccer"])
        fill(address, matches)
        file = Path(folder) / "backup.sqlite"
        timed("backup", lambda: copying.back_up(address, file))
        print(f"{file.stat().st_size / 2**20:.0f} MB for {matches} matches")
        timed("restore", lambda: copying.restore(file, target))


def main() -> None:
    parser = argparse.ArgumentParser(description="What it takes to keep matches.")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--matches", type=int, default=10_000)
    arguments = parser.parse_args()
    measure_albums()
    measure_backups(arguments.database, arguments.matches)


if __name__ == "__main__":
    main()
