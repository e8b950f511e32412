"""Many matches, played to their end while things break: nothing is lost, nothing happens twice, every match ends.

    python -m benchmarks.server.chaos [--moves 20000] [--matches 60] [--stage sqlite|postgresql|both]
                                      [--processes 2] [--workers 1]

On SQLite: connections cut, kill -9 of the server, a full disk, a clock that jumps, other programs that read the file.
On PostgreSQL: connections cut, kill -9 of one of several servers, and of Redis, a server or a worker that stalls. On
both: backups, exports, kill -9 of bots' processes, a flood of hints, readers that stall, and others who make work: they
read all matches, wait for news, take back moves on a large board, are told of their turns by a push service that never
answers. What people meant and what they were told is kept apart from the server, and compared with its log at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.server import faults, house, nuisances, operators
from benchmarks.server.ledger import Ledger, audit
from benchmarks.server.people import seat_people

GAMES: list[dict[str, Any]] = [
    {"game": "choccer", "seats": 2},
    {"game": "goose", "seats": 4},
    {"game": "verfuchst", "seats": 3},
    {"game": "connect_four", "seats": 2},
    {"game": "game17", "seats": 2, "options": {"edge": 3, "rounds": 6}},  # a large game: it leaves the event loop
    {"game": "mazerunner", "seats": 2, "options": {"rounds": 4}},
    {"game": "connect_four", "seats": 2, "bots": {"1": "random"}},
    {"game": "goose", "seats": 3, "bots": {"0": "random", "2": "random"}},
]
# Nobody here is away for good: a bot that takes over is a fault. From an hour on, the time of day would count while no
# server runs, so that a jump of the clock during a restart could rightly cost somebody the seat.
PATIENT: dict[str, Any] = {"grace": 1800, "patience": 1800}
# Tables leave the memory as soon as nobody is there, so that they come back from snapshots.
SETTINGS: dict[str, Any] = {**PATIENT, "idle": 1, "admin_token": operators.TOKEN}


@dataclass
class Pace:
    """How hard it is made. Seconds, but for ``cuts``: how likely each way to lose the connection is at each move."""

    cuts: float = 0.02
    kill: float = 8.0
    disk: float = 5.0
    redis: float = 6.0
    stall: float = 10.0
    stalled: float = 5.0
    bots: float = 4.0
    backup: float = 4.0
    export: float = 3.0
    look: float = 2.0
    jump: float = 0.5
    outage: float = 1.0
    limit: float = 3600.0
    most: int = 100_000  # times that each fault repeats: on a slow machine, faults without end would let nothing end


Stage = Callable[[int, int, Pace], tuple[Ledger, list[str]]]


async def play(
    servers: list[house.Server],
    breaking: list[Coroutine[Any, Any, None]],
    rest: faults.Rest,
    ledger: Ledger,
    moves: int,
    matches: int,
    pace: Pace,
    wanted: set[str],
) -> None:
    """So many matches at a time, until so many moves were meant amid all faults wanted, and all begun are over."""

    def running() -> str:
        return random.choice([server for server in servers if server.is_running] or servers).url

    async def next_matches(number: int) -> None:
        while len(ledger.intended) < moves or not wanted <= set(ledger.troubles):
            people = await seat_people(running, GAMES[number % len(GAMES)], ledger)
            for person in people or []:
                person.cuts = pace.cuts
            await asyncio.gather(*(person.play() for person in people or []))
            number += 1

    broken = [asyncio.create_task(fault) for fault in breaking]
    try:
        async with asyncio.timeout(pace.limit):
            await asyncio.gather(*(next_matches(number) for number in range(matches)))
    except TimeoutError:
        ledger.wrong.append(f"not all matches were over after {pace.limit:g} seconds")
    rest.done.set()
    await asyncio.gather(*broken)


CROWD = {
    "kill -9 of a bot's process",
    "hints asked for",
    "reader that stalls",
    operators.BACKED_UP,
    operators.EXPORTED,
    *nuisances.NUISANCES,
}


def crowd(
    servers: list[house.Server], folder: Path, push: int, pace: Pace, rest: faults.Rest, ledger: Ledger
) -> list[Coroutine[Any, Any, None]]:
    """Others: the operator, those who make work for the server, bots that die. ``push`` is a push service's port."""

    def anywhere() -> str:
        return random.choice(servers).url

    return [
        faults.kill_bots(servers, pace.bots, rest, ledger),
        faults.flood_hints(anywhere, rest, ledger),
        faults.stall_readers(anywhere, lambda: list(ledger.matches), rest, ledger),
        operators.back_up(anywhere, folder, pace.backup, rest, ledger),
        operators.export(anywhere, pace.export, rest, ledger),
        *nuisances.every_nuisance(anywhere, push, rest, ledger),
    ]


def settings(push: int) -> dict[str, Any]:
    return {**SETTINGS, "push_endpoints": f"http://{house.HOST}:{push}"}


def on_sqlite(moves: int, matches: int, pace: Pace) -> tuple[Ledger, list[str]]:
    """One server, whose disk is small and whose clock jumps."""
    folder, ledger = Path(tempfile.mkdtemp(prefix="parlour-chaos-")), Ledger()
    disk, clock = faults.Disk(folder / "disk"), folder / "clock"
    clock.write_text("0")
    database = f"sqlite:///{disk.folder}/chaos.sqlite"
    push = house.free_port()
    server = house.Server(database, log=folder / "log", clock=clock, **settings(push))

    async def run() -> None:
        rest = faults.Rest(pace.most)
        breaking = [
            faults.kill_servers([server], pace.kill, pace.outage / 4, rest, ledger),
            faults.fill_disk(disk, lambda: server, pace.disk, pace.outage, rest, ledger),
            faults.jump_clock(clock, pace.jump, rest, ledger),
            operators.look_from_outside(disk.folder / "chaos.sqlite", pace.look, rest, ledger),
            *crowd([server], folder, push, pace, rest, ledger),
        ]
        wanted = {
            "kill -9 of a server",
            "disk full",
            "jump of the clock",
            "cut after sending",
            operators.LOOKED,
            *CROWD,
        }
        await play([server], breaking, rest, ledger, moves, matches, pace, wanted)

    try:
        server.start()
        asyncio.run(run())
        server.kill()
        return ledger, [*audit(ledger, database), *_complaints(folder / "log")]
    finally:
        server.kill()
        disk.remove()
        shutil.rmtree(folder)


def on_postgresql(
    moves: int, matches: int, pace: Pace, processes: int = 2, workers: int = 1
) -> tuple[Ledger, list[str]]:
    """Several servers, each with so many workers, Redis between them."""
    folder, ledger, push = Path(tempfile.mkdtemp(prefix="parlour-chaos-")), Ledger(), house.free_port()
    with contextlib.ExitStack() as at_end:
        at_end.callback(shutil.rmtree, folder)
        cluster = house.PostgreSQL()
        at_end.callback(cluster.stop)
        cluster.start()
        redis = house.Redis().start()
        at_end.callback(redis.kill)
        wishes = {**settings(push), "redis": redis.url, "log": folder / "log", "workers": workers}
        servers = [house.Server(cluster.url, **wishes) for _ in range(processes)]
        for server in servers:
            at_end.callback(server.kill)
            server.start()

        async def run() -> None:
            rest = faults.Rest(pace.most)
            breaking = [
                faults.kill_servers(servers, pace.kill, pace.outage, rest, ledger),
                faults.kill_redis(redis, pace.redis, pace.outage, rest, ledger),
                faults.stall_servers(servers, pace.stall, pace.stalled, rest, ledger),
                *crowd(servers, folder, push, pace, rest, ledger),
            ]
            wanted = {"kill -9 of a server", "kill -9 of Redis", "server that stalls", "cut after sending", *CROWD}
            await play(servers, breaking, rest, ledger, moves, matches, pace, wanted)

        asyncio.run(run())
        for server in servers:
            server.kill()
        return ledger, [*audit(ledger, cluster.url), *_complaints(folder / "log")]


def _complaints(log: Path) -> list[str]:
    """What the server itself calls a bug: a traceback is never right."""
    lines = log.read_text("utf-8", "replace").splitlines()
    return [f"the server's log: {lines[place]}" for place, line in enumerate(lines) if line.startswith("Traceback")]


def tell(stage: str, ledger: Ledger, wrong: list[str], seconds: float) -> None:
    print(f"{stage}: {seconds:.0f} s")
    print(
        f"  {len(ledger.intended)} moves meant, {len(ledger.acknowledged)} acknowledged, {len(ledger.refused)} refused"
    )
    print(f"  {len(ledger.matches)} matches: {dict(Counter(ledger.matches.values()))}")
    for trouble, count in sorted(ledger.troubles.items()):
        print(f"  {count:6} {trouble}")
    print(f"  wrong: {len(wrong)}")
    for line in wrong[:20]:
        print(f"    {line}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Matches played to their end while things break.")
    parser.add_argument("--moves", type=int, default=20_000, help="that people mean to make, on each stage")
    parser.add_argument("--matches", type=int, default=60, help="at the same time")
    parser.add_argument("--stage", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--processes", type=int, default=2, help="servers, on PostgreSQL")
    parser.add_argument("--workers", type=int, default=1, help="of each server, on PostgreSQL")
    arguments = parser.parse_args()
    stages: dict[str, Stage] = {
        "sqlite": on_sqlite,
        "postgresql": partial(on_postgresql, processes=arguments.processes, workers=arguments.workers),
    }
    failed = False
    for name in stages if arguments.stage == "both" else [arguments.stage]:
        began = time.monotonic()
        ledger, wrong = stages[name](arguments.moves, arguments.matches, Pace())
        tell(name, ledger, wrong, time.monotonic() - began)
        failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
