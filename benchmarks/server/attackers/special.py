"""Attacks by way of something else: push services, whoever runs the server, a worker that stands still."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.server import house, operators
from benchmarks.server.attackers.ground import Ground, Source
from benchmarks.server.attackers.host import SILENT
from benchmarks.server.faults import Rest
from benchmarks.server.ledger import Ledger
from benchmarks.server.nuisances import silent_service, subscription

TABLES = 18  # of each source, where somebody is to be told of their turn: it may subscribe 20 times at once


async def notifications(ground: Ground, service: int) -> None:
    """A push service that takes messages and never answers, and names of others that nobody knows."""
    async with silent_service(service, ground.counts):
        await _notify(ground, service)


async def _notify(ground: Ground, service: int) -> None:
    held: list[tuple[Source, str, str]] = []
    for source in ground.sources:
        for number in range(TABLES):
            table = await source.open_table(game="connect_four", seats=2)
            tokens = [await source.sit(table, name) for name in ("Eve", "Mal")]
            wish = subscription(f"http://{house.HOST}:{service}/{source.number}/{number}")
            await source.ask(f"/api/tables/{table}/push", wish, tokens[1])
            socket = await source.socket(f"/api/tables/{table}/live")
            socket.say(b'{"type":"hello","token":"%b"}' % tokens[1].encode())
            await asyncio.sleep(0.05)
            socket.cut()  # and is away
            held.append((source, table, tokens[0]))
    await ground.begin()

    async def play(source: Source, table: str, token: str) -> None:
        with contextlib.suppress(OSError):
            await source.ask(f"/api/tables/{table}/act", {"cid": "1", "ply": 0, "action": 3}, token)

    async def subscribe(source: Source, table: str, token: str) -> None:
        while not ground.is_over:
            wish = subscription(f"https://{secrets.token_hex(8)}.{SILENT}/x")
            try:
                await source.ask(f"/api/tables/{table}/push", wish, token)
            except OSError:
                ground.counts["subscriptions refused"] += 1
            await asyncio.sleep(0.2)

    tasks = [play(*one) for one in held] + [subscribe(*one) for one in held[::4]]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ground.seconds):
            await asyncio.gather(*tasks)


async def operator(ground: Ground) -> None:
    """Backups and exports over the admin API, and readers of the SQLite file from outside, one after the other."""
    rest, ledger = Rest(1000), Ledger()
    with tempfile.TemporaryDirectory(prefix="parlour-attack-") as folder:
        url = ground.sources[0].url
        await ground.begin()
        deeds = []
        for number, _ in enumerate(ground.sources):
            (own := Path(folder) / str(number)).mkdir()
            deeds += [
                operators.back_up(lambda: url, own, 0.1, rest, ledger),
                operators.export(lambda: url, 0.1, rest, ledger),
                operators.look_from_outside(Path(ground.database), 0.1, rest, ledger),
            ]
        tasks = [asyncio.create_task(deed) for deed in deeds]
        await asyncio.sleep(ground.seconds)
        rest.done.set()
        await asyncio.gather(*tasks)
    ground.counts.update(ledger.troubles)
    ground.counts["wrong"] += len(ledger.wrong)


async def forgetting(ground: Ground, finished: list[str]) -> None:
    """Somebody is exported and forgotten at thousands of tables, on the command line."""
    await ground.begin()
    program = Path(sys.executable).with_name("parlour")
    for deed in ("export", "forget"):
        command = [str(program), "admin", "--database", f"sqlite:///{ground.database}", deed, "Eve 0"]
        told = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*command, stdout=told, stderr=told)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), max(0.0, ground.until - time.monotonic()) / 2)
        if process.returncode is None:
            process.kill()
            await process.wait()
        ground.counts[f"{deed}: {process.returncode}"] += 1


async def stopped(ground: Ground) -> None:
    """One of two workers stands still before the victim comes, and until after it has gone."""
    workers = house.workers(ground.server)
    assert len(workers) == 2, workers
    os.kill(workers[0], signal.SIGSTOP)
    try:
        await ground.begin()
        await asyncio.sleep(ground.seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(workers[0], signal.SIGCONT)
