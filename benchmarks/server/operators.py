"""What whoever runs the server does while people play: backups, exports, and looks into the database from outside."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
from benchmarks.server.faults import Rest
from benchmarks.server.ledger import Ledger

from parlour.server.admin import mark
from parlour.server.basics.errors import BadConfiguration

TOKEN = "the token of whoever runs this server"
BEARER = {"authorization": f"Bearer {TOKEN}"}
BACKED_UP, CUT_OFF, EXPORTED = "backup taken", "backup cut off", "person exported"
LOOKED = "reader of the SQLite file from outside"
READ = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM entries').fetchall(); c.close()"


async def back_up(url: Callable[[], str], folder: Path, every: float, rest: Rest, ledger: Ledger) -> None:
    """Take backups over HTTP. All that was acknowledged before one began is in it."""
    file = folder / "backup.sqlite"
    while ledger.troubles[BACKED_UP] < rest.most:
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        before = set(ledger.acknowledged)
        is_whole = await _download(f"{url()}/api/admin/backup", file)
        ledger.troubles[BACKED_UP if is_whole else CUT_OFF] += 1
        ledger.wrong += await asyncio.to_thread(_doubts, file, before, is_whole=is_whole)


async def _download(url: str, file: Path) -> bool:
    """Whether all of it has come; what has come is in the file."""
    with file.open("wb") as opened, contextlib.suppress(httpx.HTTPError):
        async with (
            httpx.AsyncClient(timeout=60) as http,
            http.stream("GET", url, headers=BEARER) as answer,
        ):
            async for part in answer.aiter_bytes():
                opened.write(part)
            return answer.status_code == 200
    return False


def _doubts(file: Path, before: set[tuple[str, int, str]], *, is_whole: bool) -> list[str]:
    try:
        mark.check(file)
    except BadConfiguration as error:
        return [f"a backup that was sent whole: {error}"] if is_whole else []
    with contextlib.closing(sqlite3.connect(file)) as connection:
        found = set(connection.execute("SELECT table_id, seat, cid FROM entries WHERE cid IS NOT NULL"))
    return [f"{intent} was acknowledged and is not in a backup taken after it" for intent in before - found]


async def export(url: Callable[[], str], every: float, rest: Rest, ledger: Ledger) -> None:
    """Have all told that is stored of one of the people."""
    async with httpx.AsyncClient(timeout=60, headers=BEARER) as http:
        while ledger.troubles[EXPORTED] < rest.most:
            await rest(random.uniform(0.7, 1.3) * every)
            if rest.done.is_set():
                return
            with contextlib.suppress(httpx.HTTPError):
                answer = await http.post(f"{url()}/api/admin/export", json={"name": "Seat 0"})
                ledger.troubles[EXPORTED] += 1
                if answer.status_code == 500:
                    ledger.wrong.append(f"an export was answered with 500: {answer.text}")


async def look_from_outside(database: Path, every: float, rest: Rest, ledger: Ledger) -> None:
    """Open the SQLite file with another program and close it again, and use ``parlour admin`` on it."""
    commands = [
        [sys.executable, "-c", READ, str(database)],
        [str(Path(sys.executable).with_name("parlour")), "admin", "--database", f"sqlite:///{database}", "who"],
    ]
    while ledger.troubles[LOOKED] < rest.most:
        await rest(random.uniform(0.7, 1.3) * every)
        if rest.done.is_set():
            return
        command = commands[ledger.troubles[LOOKED] % 2]
        await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True, timeout=60)
        ledger.troubles[LOOKED] += 1
