"""What breaks, and is mended again, while people play. Each fault repeats until they are done, or often enough."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import secrets
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import websockets
from benchmarks.server import house
from benchmarks.server.ledger import Ledger

# Seconds; less than a day from the first to the last: who plays alone may be away for a day by the time of day.
JUMPS = (-21600, -3600, -60, 0, 60, 3600, 21600)
DISK = "48m"


class Rest:
    """Waiting that ends early once people are done. ``most`` is how often each fault repeats."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.done = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.done.wait(), seconds)


async def kill_servers(servers: list[house.Server], every: float, down: float, rest: Rest, ledger: Ledger) -> None:
    """kill -9, one at a time."""
    for _ in range(rest.most):
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        server = random.choice(servers)
        ledger.troubles["kill -9 of a server"] += 1
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(down)
        await asyncio.to_thread(server.start)


async def stall_servers(servers: list[house.Server], every: float, down: float, rest: Rest, ledger: Ledger) -> None:
    """A server that stands still, and then goes on as if nothing had happened: others have taken over meanwhile.

    Where it has several workers, one of them stands still.
    """
    for _ in range(rest.most):
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        server = random.choice(servers)
        if not server.is_running:
            continue
        ledger.troubles["server that stalls"] += 1
        serving = server.serving or [server.pid]
        stalled = random.choice(serving)
        send = os.killpg if stalled == server.pid else os.kill
        with contextlib.suppress(ProcessLookupError):
            send(stalled, signal.SIGSTOP)
        try:
            await rest(down)
        finally:
            with contextlib.suppress(ProcessLookupError):
                send(stalled, signal.SIGCONT)


async def kill_redis(redis: house.Redis, every: float, down: float, rest: Rest, ledger: Ledger) -> None:
    for _ in range(rest.most):
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        ledger.troubles["kill -9 of Redis"] += 1
        await asyncio.to_thread(redis.kill)
        await asyncio.sleep(down)
        await asyncio.to_thread(redis.start)


async def jump_clock(clock: Path, every: float, rest: Rest, ledger: Ledger) -> None:
    for _ in range(rest.most):
        await rest(every)
        if rest.done.is_set():
            return
        ledger.troubles["jump of the clock"] += 1
        other = clock.with_suffix(".new")
        other.write_text(str(random.choice(JUMPS)))
        other.replace(clock)


class Disk:
    """A folder that can be full: a small disk in memory or, where none may be mounted, a limit for the server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "parlour-chaos", str(folder)]
        self.is_mounted = os.getuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0

    def fill(self, server: house.Server) -> None:
        if not self.is_mounted:
            limit = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, limit[1]))
            return
        with contextlib.suppress(OSError), (self.folder / "filler").open("wb", buffering=0) as file:
            while file.write(bytes(4096)) == 4096:
                pass

    def free(self, server: house.Server) -> None:
        if self.is_mounted:
            (self.folder / "filler").unlink(missing_ok=True)
        elif server.is_running:
            limit = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (limit[1], limit[1]))

    def remove(self) -> None:
        if self.is_mounted:
            subprocess.run(["umount", str(self.folder)], check=True)


async def fill_disk(
    disk: Disk, server: Callable[[], house.Server], every: float, full: float, rest: Rest, ledger: Ledger
) -> None:
    for _ in range(rest.most):
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        ledger.troubles["disk full"] += 1
        with contextlib.suppress(ProcessLookupError):
            disk.fill(server())
        await asyncio.sleep(full)
        disk.free(server())


async def kill_bots(servers: list[house.Server], every: float, rest: Rest, ledger: Ledger) -> None:
    """kill -9 of the processes in which bots think, but not of their server."""
    while ledger.troubles["kill -9 of a bot's process"] < rest.most:
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        for server in servers:
            for child in [child for serving in server.serving for child in house.children(serving)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                    ledger.troubles["kill -9 of a bot's process"] += 1


async def flood_hints(url: Callable[[], str], rest: Rest, ledger: Ledger) -> None:
    """One person asks for hints at many tables, as fast as they are answered."""
    async with httpx.AsyncClient(timeout=60) as http:
        while ledger.troubles["hints asked for"] < rest.most:
            if rest.done.is_set():
                return
            with contextlib.suppress(httpx.HTTPError, KeyError, ValueError):
                await _ask_for_hints(http, url(), ledger)
            await rest(0.2)


async def _ask_for_hints(http: httpx.AsyncClient, url: str, ledger: Ledger) -> None:
    table = (await http.post(f"{url}/api/tables", json={"game": "connect_four"})).json()["table"]["id"]
    at = f"{url}/api/tables/{table}"
    tokens = [(await http.post(f"{at}/sit", json={"name": name})).json()["token"] for name in ("Flo", "Odd")]
    asked = [
        http.post(f"{at}/hint", json={"cid": secrets.token_hex(8)}, headers={"authorization": f"Bearer {token}"})
        for token in tokens
        for _ in range(3)
    ]
    for answer in await asyncio.gather(*asked, return_exceptions=True):
        ledger.troubles["hints asked for"] += 1
        if isinstance(answer, httpx.Response) and answer.status_code == 500:
            ledger.wrong.append(f"a hint was answered with 500: {answer.text}")


async def stall_readers(
    url: Callable[[], str], ledger_tables: Callable[[], list[str]], rest: Rest, ledger: Ledger
) -> None:
    """Somebody watches a match with pictures, and never reads what is sent."""
    while ledger.troubles["reader that stalls"] < rest.most:  # a try while no server runs is none
        tables = ledger_tables()
        if tables and not rest.done.is_set():
            address = f"{url().replace('http', 'ws', 1)}/api/tables/{random.choice(tables)}/live"
            with contextlib.suppress(OSError, TimeoutError, websockets.WebSocketException):
                async with websockets.connect(address, max_queue=1, compression=None, close_timeout=0.1) as socket:
                    await socket.send('{"type":"hello","pictures":true}')
                    ledger.troubles["reader that stalls"] += 1
                    await rest(3.0)
        await rest(0.5)
        if rest.done.is_set():
            return
