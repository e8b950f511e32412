"""What it costs that very many people look at the lobby.

    python -m benchmarks.server.watchers [--watchers 10000] [--seconds 20] [--tables 100000] [--database postgresql]

First nothing happens, then a table is opened each second: every watcher is told of each. Measured are the server's
memory and processor time, what each watcher receives, and how long it takes until the last of them has it. With
``--tables`` there are so many matches in the database meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import re
import resource
import time
from collections import Counter

import httpx
import uvloop
from benchmarks.server import house, wire
from benchmarks.server.many_tables import database, fill, seed

TOGETHER = 200  # sockets that are opened at the same time
PER_SOURCE = 4000  # sockets from one address of this machine
LAST_WAIT = 30.0  # seconds for what is still on its way
MB = 2**20
TABLE = re.compile(rb'"id":"([^"]+)"')


class Crowd:
    """Many sockets at the lobby, and what they hear."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sockets: list[wire.Socket] = []
        self.bytes = 0
        self.lost = 0
        self.heard: Counter[bytes] = Counter()  # how many have heard of a table
        self.last: dict[bytes, float] = {}  # when the last of them did

    def hear(self, text: bytes) -> None:
        self.bytes += len(text)
        if text.startswith(b'{"type":"lobby_change"'):
            for table in TABLE.findall(text):
                self.heard[table] += 1
                self.last[table] = time.monotonic()

    def lose(self) -> None:
        self.lost += 1

    async def come(self, count: int) -> float:
        """Open so many sockets; returns how many seconds that took."""
        began, waiting = time.monotonic(), list(range(count))

        async def work() -> None:
            while waiting:
                source = f"127.0.0.{1 + waiting.pop() // PER_SOURCE}"
                self.sockets.append(
                    await wire.connect(self.url, "/api/lobby/live", self.hear, self.lose, source=source)
                )

        await asyncio.gather(*(work() for _ in range(TOGETHER)))
        return time.monotonic() - began


async def run(server: house.Server, watchers: int, seconds: int) -> None:
    before = house.usage(server.pid)
    crowd = Crowd(server.url)
    took = await crowd.come(watchers)
    came = house.usage(server.pid)
    print(f"{watchers} came in {took:.1f} s: {1000 * (came.cpu - before.cpu) / watchers:.2f} ms of processor time each")
    first = crowd.bytes
    await asyncio.sleep(seconds)  # the server asks all of them whether they are still there
    idle = house.usage(server.pid)
    each = (idle.memory - before.memory) / watchers / 1024
    print(f"memory: {before.memory / MB:.0f} MB, then {idle.memory / MB:.0f} MB: {each:.1f} KB a watcher")
    print(f"nothing happens: {(idle.cpu - came.cpu) / seconds:.3f} s of processor time a second")
    delays = await _open_tables(crowd, seconds)
    busy = house.usage(server.pid)
    cost = (busy.cpu - idle.cpu) / seconds
    print(f"a table a second: {cost:.3f} s of processor time a second, {1e6 * cost / watchers:.1f} µs a watcher")
    print(f"  {(crowd.bytes - first) / watchers / seconds:.0f} bytes a second to each watcher")
    half, most = 1000 * sorted(delays)[len(delays) // 2], 1000 * max(delays)
    print(f"  until the last has it: {half:.0f} ms, at most {most:.0f}")
    print(f"  sockets lost: {crowd.lost}")
    for socket in crowd.sockets:
        socket.cut()


async def _open_tables(crowd: Crowd, seconds: int) -> list[float]:
    """Open a table each second; returns after how many seconds everybody knew of each."""
    opened: dict[bytes, float] = {}
    async with httpx.AsyncClient(base_url=crowd.url, timeout=60) as http:
        for _ in range(seconds):
            began = time.monotonic()
            made = await http.post("/api/tables", json={"game": "connect_four", "seats": 2})
            opened[made.json()["table"]["id"].encode()] = time.monotonic()
            await asyncio.sleep(max(0.0, began + 1 - time.monotonic()))
    end = time.monotonic() + LAST_WAIT
    here = len(crowd.sockets)
    while time.monotonic() < end and any(crowd.heard[table] < here for table in opened):
        await asyncio.sleep(0.1)
    missed = [table for table in opened if crowd.heard[table] < here]
    if missed:
        print(f"  not everybody heard of {len(missed)} tables")
    return [crowd.last[table] - at for table, at in opened.items() if table in crowd.last]


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs that very many look at the lobby.")
    parser.add_argument("--watchers", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--tables", type=int, default=0, help="matches in the database")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < arguments.watchers + 200:
        raise SystemExit(f"{arguments.watchers} watchers need as many open files, and at most {most} are allowed")
    gc.disable()
    with database(arguments.database) as (address, _):
        if arguments.tables:
            seed(address)
            fill(address, arguments.tables)
        server = house.Server(address).start()
        try:
            uvloop.run(run(server, arguments.watchers, arguments.seconds))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
