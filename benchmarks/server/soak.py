"""Churn: tables opened, played at, looked at, left and finished, sockets cut, nuisances; and whether anything grows.

    python -m benchmarks.server.soak [--minutes 15] [--matches 12] [--workers 1]

With several workers, on PostgreSQL with Redis. Samples the memory of the processes that serve, and of all, bots
included; open files, tasks, sockets and tables in memory. A match that somebody has left stays in memory until a bot
takes over, 90 seconds later, so all of this is level only after some minutes. After a warm-up, the middle of the first
half of all samples is compared with that of the second.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

import httpx
import msgspec
from benchmarks.server import house, wire
from benchmarks.server.chaos import GAMES
from benchmarks.server.faults import Rest
from benchmarks.server.ledger import Ledger
from benchmarks.server.nuisances import every_nuisance
from benchmarks.server.people import seat_people

EVERY = 5.0  # seconds between samples
IDLE = 2.0  # seconds after which a table that nobody looks at leaves the memory
GAUGES = {"tables": "parlour_tables_in_memory", "sockets": "parlour_sockets", "tasks": "parlour_tasks"}
Sample = dict[str, float]


class House(Protocol):
    """Where a server is."""

    url: str


async def churn(server: House, ledger: Ledger, end: float, number: int) -> None:
    """Match after match; some connections are cut, some tables never get full, somebody watches for a moment."""
    while time.monotonic() < end:
        game = GAMES[number % len(GAMES)]
        people = await seat_people(lambda: server.url, game, ledger)
        if people is None:
            continue
        for person in people:
            person.cuts = 0.02
        await asyncio.gather(_watch(server, people[0].table), _wait_in_vain(server), *(one.play() for one in people))
        number += 1


async def _watch(server: House, table: str) -> None:
    socket = await wire.connect(server.url, f"/api/tables/{table}/live", lambda text: None)
    socket.say(msgspec.json.encode({"type": "hello", "pictures": True, "patches": True}))
    await asyncio.sleep(random.uniform(0.0, 0.5))
    socket.cut()


async def _wait_in_vain(server: House) -> None:
    """Open a table, sit down, and leave."""
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
        table = (await http.post("/api/tables", json={"game": "goose"})).json()["table"]["id"]
        token = (await http.post(f"/api/tables/{table}/sit", json={"name": "Early"})).json()["token"]
        headers = {"authorization": f"Bearer {token}"}
        await http.post(f"/api/tables/{table}/leave", json={"cid": "bye"}, headers=headers)


async def sample(server: house.Server, ledger: Ledger, end: float) -> list[Sample]:
    samples, began = list[Sample](), time.monotonic()
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
        while time.monotonic() < end:
            await asyncio.sleep(EVERY)
            page, used = (await http.get("/metrics")).text, house.usage_of_all(server.pid)
            serving = sum(house.usage(pid).memory for pid in server.serving)
            found = {name: _gauge(page, gauge) for name, gauge in GAUGES.items()}
            at = {"at": time.monotonic() - began, "matches": float(len(ledger.matches))}
            of_all = {"serving": serving / 2**20, "memory": used.memory / 2**20}
            samples.append({**at, **of_all, "files": float(used.files), **found})
    return samples


def _gauge(page: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)", page, re.MULTILINE)
    return float(found[1]) if found else float("nan")


async def run(server: house.Server, push: int, minutes: float, matches: int) -> tuple[list[Sample], Ledger]:
    ledger, end, rest = Ledger(), time.monotonic() + 60 * minutes, Rest(10**9)
    churning = [churn(server, ledger, end, number) for number in range(matches)]
    annoying = [asyncio.create_task(one) for one in every_nuisance(lambda: server.url, push, rest, ledger)]
    sampling = asyncio.create_task(sample(server, ledger, end))
    await asyncio.gather(*churning)
    rest.done.set()
    await asyncio.gather(*annoying)
    return await sampling, ledger


def tell(samples: list[Sample], ledger: Ledger) -> None:
    """The halves after a warm-up of a quarter of the time, side by side."""
    warm = samples[len(samples) // 4 :]
    first, second = warm[: len(warm) // 2], warm[len(warm) // 2 :]
    print(f"{len(ledger.matches)} matches, {len(ledger.acknowledged)} moves, {dict(ledger.troubles)}")
    print(f"{'':10} {'at start':>10} {'1st half':>10} {'2nd half':>10}")
    for name in ("serving", "memory", "files", "tasks", "sockets", "tables"):
        halves = [statistics.median(part[name] for part in half) for half in (first, second)]
        print(f"{name:10} {samples[0][name]:10.1f} {halves[0]:10.1f} {halves[1]:10.1f}")
    played = statistics.median(s["matches"] for s in second) - statistics.median(s["matches"] for s in first)
    grown = statistics.median(s["serving"] for s in second) - statistics.median(s["serving"] for s in first)
    for line in ledger.wrong:
        print(f"wrong: {line}")
    print(f"memory per match: {1024 * grown / max(1.0, played):.1f} KB over {played:.0f} matches")


def main() -> None:
    parser = argparse.ArgumentParser(description="Churn, and whether anything grows.")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--matches", type=int, default=12, help="at the same time")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    with contextlib.ExitStack() as at_end:
        folder = at_end.enter_context(tempfile.TemporaryDirectory())
        push = house.free_port()
        server = _server(at_end, Path(folder), arguments.workers, push).start()
        at_end.callback(server.stop)
        samples, ledger = asyncio.run(run(server, push, arguments.minutes, arguments.matches))
        for one in samples[:: max(1, len(samples) // 20)]:
            print("  ".join(f"{name} {value:.0f}" for name, value in one.items()))
        tell(samples, ledger)


def _server(at_end: contextlib.ExitStack, folder: Path, workers: int, push: int) -> house.Server:
    settings: dict[str, Any] = {"log": folder / "log", "idle": IDLE, "push_endpoints": f"http://{house.HOST}:{push}"}
    if workers == 1:
        return house.Server(f"sqlite:///{folder}/soak.sqlite", **settings)
    cluster = house.PostgreSQL()
    at_end.callback(cluster.stop)
    redis = house.Redis().start()
    at_end.callback(redis.kill)
    return house.Server(cluster.start().url, redis=redis.url, workers=workers, **settings)


if __name__ == "__main__":
    main()
