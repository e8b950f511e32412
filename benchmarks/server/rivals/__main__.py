"""Parlour's server beside boardgame.io's, in the same minutes on the same machine: Connect Four, two sockets a match.

    python -m benchmarks.server.rivals [--matches 400] [--seconds 10] [--rates 500,1000] [--rounds 1]

boardgame.io comes from npm with what keeps its matches: memory, which is its fast store; files; and PostgreSQL. Each
server is asked for

    most        as many moves as it can take: matches that are open are played to their end, each move sent as soon as
                the opponent has seen the last one
    at a rate   how long a move takes from sender to opponent, where so many a second are due
    opening     the processor time of opening a match and sitting down at it twice
    a power cut kill -9 amid moves, then the same store again: how many moves that were acknowledged are gone

Both are driven by the same program over raw WebSockets. boardgame.io sends positions; what Parlour sends has the legal
actions as well and, with pictures, what has changed in them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx
import uvloop
from benchmarks.server import house
from benchmarks.server.load import Play, Tally, schedule, send_all, share, sit_down
from benchmarks.server.rivals import boardgame_io

GAME = "connect_four"
OPENED = 200  # matches
MOST_MOVES = 42  # of a match
LONGEST = 120.0  # seconds for all
AMID = 2.0  # seconds of moves before the power is cut


class Server(Protocol):
    url: str

    @property
    def pid(self) -> int: ...
    def start(self) -> Any: ...
    def kill(self) -> None: ...


@dataclass(frozen=True)
class Contender:
    """A server with a store, and how to play at it."""

    name: str
    make: Callable[[], contextlib.AbstractContextManager[Server]]
    play: Callable[[str, httpx.AsyncClient, Tally], Play]
    plies: Callable[[Any, httpx.AsyncClient, str], Any]  # how many moves the server knows of at a table


@contextlib.contextmanager
def _parlour(database: str = "") -> Iterator[Server]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _cluster(database) as address:
        server = house.Server(address or f"sqlite:///{folder}/rivals.sqlite", log=Path(folder) / "log")
        try:
            yield server
        finally:
            server.kill()


@contextlib.contextmanager
def _boardgame_io(store: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _cluster(store) as address:
        server = boardgame_io.Server(address or (folder if store == "files" else store))
        try:
            yield server
        finally:
            server.kill()


@contextlib.contextmanager
def _cluster(store: str) -> Iterator[str]:
    """The address of a PostgreSQL of its own, where that is the store."""
    if store != "postgresql":
        yield ""
        return
    cluster = house.PostgreSQL()
    try:
        yield cluster.start().url
    finally:
        cluster.stop()


async def _plies_here(server: Server, http: httpx.AsyncClient, table: str) -> int:
    while (answer := await http.get(f"/api/tables/{table}")).status_code == 429:  # so many tables may be looked at
        await asyncio.sleep(float(answer.headers["retry-after"]))
    if answer.status_code != 200:
        return -1
    position = answer.json()["position"]
    return int(position["ply"]) if position else 0  # nothing, where the second had not sat down


async def _plies_there(server: boardgame_io.Server, http: httpx.AsyncClient, table: str) -> int:
    return await server.plies(http, table)


def _here(*, pictures: bool) -> Callable[[str, httpx.AsyncClient, Tally], Play]:
    return lambda url, http, tally: Play(url, http, GAME, tally, pictures=pictures)


RIVALS = [
    Contender("Parlour, SQLite, positions", _parlour, _here(pictures=False), _plies_here),
    Contender("Parlour, SQLite, with pictures", _parlour, _here(pictures=True), _plies_here),
    Contender("Parlour, PostgreSQL, positions", lambda: _parlour("postgresql"), _here(pictures=False), _plies_here),
    Contender("boardgame.io, memory", lambda: _boardgame_io("memory"), boardgame_io.BoardgamePlay, _plies_there),
    Contender("boardgame.io, files", lambda: _boardgame_io("files"), boardgame_io.BoardgamePlay, _plies_there),
    Contender(
        "boardgame.io, PostgreSQL", lambda: _boardgame_io("postgresql"), boardgame_io.BoardgamePlay, _plies_there
    ),
]


async def _most(rival: Contender, url: str, pid: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Matches that have been opened before are played to their end, so many at a time, as fast as that goes."""
    tally = Tally()
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        plays = [rival.play(url, http, tally) for _ in range(arguments.whole)]
        await sit_down(plays)
        before, began, heard = house.usage_of_all(pid).cpu, time.perf_counter(), tally.heard
        waiting = deque(plays)

        async def play_some() -> None:
            while waiting:
                play = waiting.popleft()
                play.is_last = True
                for _ in range(MOST_MOVES):
                    play.fall_due(time.perf_counter())
                while not play.is_over and time.perf_counter() < began + LONGEST:
                    await asyncio.sleep(0.01)

        await asyncio.gather(*(play_some() for _ in range(arguments.matches)))
        count, took = len(tally.ways), time.perf_counter() - began
        cpu = house.usage_of_all(pid).cpu - before
        _leave(plays)
    return {
        "most/s": round(count / took),
        "ms/move at most": round(1000 * cpu / max(1, count), 3),
        "KB/move": round((tally.heard - heard) / max(1, count) / 1000, 1),
    }


async def _at_rate(rival: Contender, url: str, pid: int, rate: float, arguments: argparse.Namespace) -> dict[str, Any]:
    tally = Tally()
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        plays = [rival.play(url, http, tally) for _ in range(arguments.matches)]
        await sit_down(plays)
        await asyncio.sleep(1)
        before = house.usage_of_all(pid).cpu
        await send_all(plays, schedule(plays, rate, arguments.seconds))
        cpu = house.usage_of_all(pid).cpu - before
        _leave(plays)
    p50, p99 = (round(share(tally.ways, part), 1) for part in (0.5, 0.99))
    said = f"{p50} / {p99}" if len(tally.ways) > 0.9 * rate * arguments.seconds else "cannot keep up"
    return {f"p50/p99 at {rate:g}/s": said, f"ms/move at {rate:g}/s": round(1000 * cpu / max(1, len(tally.ways)), 3)}


async def _opening(rival: Contender, url: str, pid: int) -> dict[str, Any]:
    tally = Tally()
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        plays = [rival.play(url, http, tally) for _ in range(OPENED + 20)]
        await sit_down(plays[:20])
        before = house.usage_of_all(pid).cpu
        await sit_down(plays[20:])
        cpu = house.usage_of_all(pid).cpu - before
        _leave(plays)
    return {"ms to open": round(1000 * cpu / OPENED, 2)}


async def _power_cut(rival: Contender, server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    tally = Tally()
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        plays = [rival.play(server.url, http, tally) for _ in range(arguments.matches)]
        await sit_down(plays)
        end = time.perf_counter() + AMID
        while time.perf_counter() < end:
            for play in plays:
                if len(play.due) < 20:
                    play.fall_due(time.perf_counter())
            await asyncio.sleep(0.01)
        server.kill()
        await asyncio.sleep(0.2)  # what was on its way has come
        _leave(plays)
    await asyncio.to_thread(server.start)
    acknowledged, gone, unknown = 0, 0, 0
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        for play in plays:
            try:
                plies = await rival.plies(server, http, play.table)
            except httpx.TransportError:  # it has died of what it found in its store
                plies = -1
            acknowledged += play.acknowledged
            gone += max(0, play.acknowledged - max(0, plies))
            unknown += plies < 0
    return {"acknowledged": acknowledged, "gone after kill -9": gone, "matches gone": unknown}


def _leave(plays: list[Play]) -> None:
    for play in plays:
        play.is_over = True
        if play.renewing:
            play.renewing.cancel()
        for socket in play.sockets:
            socket.cut()


def _run(work: Any) -> dict[str, Any]:
    gc.collect()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found: dict[str, Any] = runner.run(work)
        return found


def measure(rival: Contender, arguments: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {}
    rates = [float(rate) for rate in arguments.rates.split(",") if rate]
    with rival.make() as server:
        server.start()
        found |= _run(_opening(rival, server.url, server.pid))
        for rate in rates:
            found |= _run(_at_rate(rival, server.url, server.pid, rate, arguments))
        found |= _run(_most(rival, server.url, server.pid, arguments))
        found |= _run(_power_cut(rival, server, arguments))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Parlour's server beside boardgame.io's.")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument(
        "--whole", type=int, default=2000, help="matches that are played to their end, as fast as it goes"
    )
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rates", default="500,1000", help="moves a second, of all matches together")
    parser.add_argument("--rounds", type=int, default=1, help="how often each is measured, in turns")
    parser.add_argument("--only", default="", help="those with this in their names")
    arguments = parser.parse_args()
    boardgame_io.install()
    for _ in range(arguments.rounds):
        for rival in RIVALS:
            if arguments.only in rival.name:
                print(rival.name, flush=True)
                for name, value in measure(rival, arguments).items():
                    print(f"  {name:>22}  {value}", flush=True)


if __name__ == "__main__":
    main()
