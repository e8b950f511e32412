"""What sockets cost that nobody uses: the server's memory with none, and with thousands.

    python -m benchmarks.server.idle [--sockets 8000]

Half of them hold a seat, two at a table; the other half watch. The memory is that of the server's own process.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
from pathlib import Path

import httpx
import msgspec
from benchmarks.server import house, wire

TARGET = 400  # MB
TOGETHER = 50  # tables that are set up at the same time
PER_SOURCE = 4000  # sockets from one address of this machine


def _deaf(text: bytes) -> None:
    pass


async def table(server: house.Server, http: httpx.AsyncClient, number: int) -> list[wire.Socket]:
    """A table that waits for its third person, with two seats held and two people watching."""
    source = f"127.0.0.{1 + 4 * number // PER_SOURCE}"
    made = (await http.post("/api/tables", json={"game": "goose", "seats": 3})).json()["table"]["id"]
    hellos: list[dict[str, object]] = [{"type": "hello"}, {"type": "hello"}]
    for name in ("Ann", "Bob"):
        seated = (await http.post(f"/api/tables/{made}/sit", json={"name": name})).json()
        hellos.append({"type": "hello", "token": seated["token"], "pictures": True, "patches": True})
    sockets = []
    for hello in hellos:
        socket = await wire.connect(server.url, f"/api/tables/{made}/live", _deaf, source=source)
        socket.say(msgspec.json.encode(hello))
        sockets.append(socket)
    return sockets


async def fill(server: house.Server, count: int) -> int:
    """Open so many sockets, wait a little, and say how much memory the server has then."""
    waiting, sockets = list(range(count // 4)), list[wire.Socket]()
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:

        async def work() -> None:
            while waiting:
                sockets.extend(await table(server, http, waiting.pop()))

        await asyncio.gather(*(work() for _ in range(TOGETHER)))
        await asyncio.sleep(25)  # the server has asked all of them whether they are still there
        page = (await http.get("/metrics")).text
        print(next(line for line in page.splitlines() if line.startswith("parlour_sockets ")))
        used = house.usage(server.pid).memory
    for socket in sockets:
        socket.cut()
    return used


def main() -> None:
    parser = argparse.ArgumentParser(description="What idle sockets cost.")
    parser.add_argument("--sockets", type=int, default=8000)
    count = parser.parse_args().sockets
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < count + 200:
        raise SystemExit(f"{count} sockets need {count + 200} open files, and at most {most} are allowed")
    with tempfile.TemporaryDirectory() as folder:
        server = house.Server(f"sqlite:///{folder}/idle.sqlite", log=Path(folder) / "log").start()
        try:
            before = house.usage(server.pid).memory
            after = asyncio.run(fill(server, count))
        finally:
            server.stop()
    print(f"before {before / 2**20:.0f} MB, with {count} sockets {after / 2**20:.0f} MB (target: under {TARGET} MB)")
    print(f"{(after - before) / count / 1024:.1f} KB for each socket, its part of a table included")


if __name__ == "__main__":
    main()
