"""Moves at a fixed rate: how long from when one was due until the opponent has it.

    python -m benchmarks.server.load [--games choccer,goose] [--database postgresql] [--seconds 60] [--rate 500]

When each move is due is settled before the first is sent, and a move that has to wait, for whatever reason, is timed
from when it was due: a server that stalls is charged for all that it held up. Every match has two sockets, with
pictures. Moves are drawn from the choices that the server tells.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import re
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from benchmarks.server import house, wire

NUMBER = re.compile(rb"\d+")
ACTION, ENTRY, PLY, CHOICES, PHASE = b'"action":', b'"number":', b'"ply":', b'"choices":[', b'"phase":'
TICK = 0.002  # seconds, at least, between two looks at which moves are due; what they wait for it counts as well
OPENERS = 8  # tables that are opened at the same time
LAST_WAIT = 30.0  # seconds for moves that are still on their way at the end


@dataclass
class Tally:
    """What came of it."""

    waits: list[float] = field(default_factory=list)  # seconds from due to received
    ways: list[float] = field(default_factory=list)  # and from sent to received
    heard: int = 0  # bytes that all sockets were sent
    sent: int = 0
    skipped: int = 0  # moves due while a match was over and the next not yet begun
    matches: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    took: float = 0.0  # seconds until the last move that was due had arrived
    server: float = 0.0  # seconds of processor time, from the first move on
    each: list[float] = field(default_factory=list)  # of each process that the server has started
    driver: float = 0.0
    database: float = 0.0  # of PostgreSQL
    transactions: int = 0

    def share(self, part: float) -> float:
        """The wait, in milliseconds, that this part of all moves stayed within."""
        return share(self.waits, part)


def share(waits: list[float], part: float) -> float:
    """How many milliseconds this part of them stayed within."""
    ordered = sorted(waits)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


class Play:
    """Two sockets at a table, and the moves that are due there."""

    def __init__(
        self,
        url: str,
        http: httpx.AsyncClient,
        game: str,
        tally: Tally,
        *,
        touch: bool = False,
        pictures: bool = True,
    ) -> None:
        self.url = url
        self.http = http
        self.game = game
        self.tally = tally
        self.touch = touch  # as on a phone, which asks whether each choice could be taken back
        self.pictures = pictures
        self.table = ""
        self.acknowledged = 0  # moves at this table
        self.sockets: list[wire.Socket] = []
        self.due: deque[float] = deque()
        self.choices = b""  # of the seat to move, as the server wrote them
        self.mover = 0
        self.last_mover = 0
        self.ply = b"0"
        self.on_its_way: float | None = None  # when the move was due that the opponent has not seen
        self.sent_at = 0.0
        self.newest = self.before = 0  # what happened last, and before the move that is on its way
        self.is_over = True
        self.is_last = False  # whether no other match is to follow
        self.renewing: asyncio.Task[None] | None = None

    async def sit_down(self) -> None:
        """Open a table, take both its seats, and listen at both."""
        opened = (await self.http.post("/api/tables", json={"game": self.game, "seats": 2})).json()
        self.table, self.acknowledged, self.newest = opened["table"]["id"], 0, 0
        self.sockets = []
        for seat in (0, 1):
            seated = await self.http.post(f"/api/tables/{self.table}/sit", json={"name": f"Seat {seat}"})
            wish = {"pictures": self.pictures, "patches": self.pictures, "undoable": self.touch}
            hello = {"type": "hello", "token": seated.json()["token"], **wish}
            path = f"/api/tables/{self.table}/live"
            socket = await wire.connect(self.url, path, lambda text, seat=seat: self.hear(seat, text))  # type: ignore[misc]
            self.sockets.append(socket)
            socket.say(msgspec.json.encode(hello))
        self.is_over = False
        self.tally.matches += 1

    def hear(self, seat: int, text: bytes) -> None:
        self.tally.heard += len(text)
        if text.startswith(b'{"type":"update"'):
            if text.startswith(b'"kind":"act"', text.find(b'"kind"')):
                self._hear_act(seat, text)
        elif text.startswith((b'{"type":"choices"', b'{"type":"welcome"')):
            start = text.rfind(CHOICES)
            if text.startswith(ACTION, start + len(CHOICES) + 1):
                self.choices, self.mover = text[start:], seat
                self.ply = number_at(text, text.find(PLY) + len(PLY))
                self.send()
        elif text.startswith(b'{"type":"ack"'):
            self.acknowledged += 1
        elif text.startswith((b'{"type":"reject"', b'{"type":"bye"')):
            self.tally.problems[text.decode()[:120]] += 1

    def _hear_act(self, seat: int, text: bytes) -> None:
        number = int(number_at(text, text.find(ENTRY) + len(ENTRY)))
        self.note_seen(seat, number, is_over=text.startswith(b'"over"', text.find(PHASE) + len(PHASE)))

    def note_seen(self, seat: int, number: int, *, is_over: bool) -> None:
        """A move is there, at one of the sockets; it may be an earlier one than that which is on its way."""
        self.newest = max(self.newest, number)
        if seat != self.last_mover and self.on_its_way is not None and number > self.before:
            now = time.perf_counter()
            self.tally.waits.append(now - self.on_its_way)
            self.tally.ways.append(now - self.sent_at)
            self.on_its_way = None
        if is_over and not self.is_over:
            self.is_over = True
            if self.is_last:
                return
            self.renewing = asyncio.create_task(self._renew())

    async def _renew(self) -> None:
        await asyncio.sleep(0.1)  # both have seen the end
        for socket in self.sockets:
            socket.cut()
        await self.sit_down()

    def fall_due(self, at: float) -> None:
        if self.is_over:
            self.tally.skipped += 1
        else:
            self.due.append(at)
            self.send()

    def send(self) -> None:
        """Send the next move, if one is due and the last has arrived."""
        if not self.due or not self.choices or self.on_its_way is not None:
            return
        self.on_its_way, self.before = self.due.popleft(), self.newest
        self.last_mover = self.mover
        self.tally.sent += 1
        text = self.next_move()
        self.choices = b""
        self.sent_at = time.perf_counter()
        self.sockets[self.mover].say(text)

    def next_move(self) -> bytes:
        """What the seat to move says."""
        # The first choice that begins after some place: to read all of them would cost more than all the rest.
        place = self.choices.find(ACTION, int(random.random() * len(self.choices)))
        action = number_at(self.choices, (place if place >= 0 else self.choices.find(ACTION)) + len(ACTION))
        return b'{"type":"act","cid":"c%d","ply":%b,"action":%b}' % (self.tally.sent, self.ply, action)


def number_at(text: bytes, start: int) -> bytes:
    """The number that stands there."""
    return NUMBER.match(text, start)[0]  # type: ignore[index]


async def drive(server: house.Server, cluster: house.PostgreSQL | None, arguments: argparse.Namespace) -> Tally:
    """Have all matches set up, then send."""
    tally, games = Tally(), arguments.games.split(",")
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        plays = [
            Play(server.url, http, games[number % len(games)], tally, touch=arguments.touch)
            for number in range(arguments.matches)
        ]
        await sit_down(plays)
        await asyncio.sleep(2)
        gc.collect()
        gc.freeze()
        gc.disable()
        before, mine = house.usage_of_all(server.pid).cpu, time.process_time()
        each = {child: house.usage_of_all(child).cpu for child in house.children(server.pid)}
        database, transactions = (house.usage_of_all(cluster.pid).cpu, cluster.transactions()) if cluster else (0.0, 0)
        tally.took = await send_all(plays, schedule(plays, arguments.rate, arguments.seconds))
        tally.server, tally.driver = house.usage_of_all(server.pid).cpu - before, time.process_time() - mine
        tally.each = [house.usage_of_all(child).cpu - cpu for child, cpu in each.items()]
        if cluster:
            tally.database = house.usage_of_all(cluster.pid).cpu - database
            tally.transactions = cluster.transactions() - transactions
        for play in plays:
            for socket in play.sockets:
                socket.cut()
    return tally


async def send_all(plays: list[Play], moments: list[tuple[float, Play]]) -> float:
    """Let every move fall due at its moment; returns the seconds until all have arrived."""
    began = time.perf_counter() + 0.2
    for at, play in moments:
        while (wait := began + at - time.perf_counter()) > 0:
            await asyncio.sleep(max(wait, TICK))
        play.fall_due(began + at)
    end = time.perf_counter() + LAST_WAIT
    while any(play.due or play.on_its_way is not None for play in plays) and time.perf_counter() < end:
        await asyncio.sleep(0.01)
    return time.perf_counter() - began


async def sit_down(plays: list[Play]) -> None:
    waiting = deque(plays)

    async def opener() -> None:
        while waiting:
            await waiting.popleft().sit_down()

    await asyncio.gather(*(opener() for _ in range(OPENERS)))


def schedule(plays: list[Play], rate: float, seconds: float) -> list[tuple[float, Play]]:
    """Every match moves once a round, at its own random moment of it."""
    dice, length = random.Random(1), len(plays) / rate
    rounds = int(seconds / length)
    moments = [((number + dice.random()) * length, play) for play in plays for number in range(rounds)]
    return sorted(moments, key=lambda moment: moment[0])


def measure(arguments: argparse.Namespace, cluster: house.PostgreSQL | None, redis: str) -> dict[str, Any]:
    """Start a server, drive it, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        database = cluster.url if cluster else arguments.database or f"sqlite:///{folder}/load.sqlite"
        log = Path(folder) / "log"
        server = house.Server(database, redis=redis, log=log, workers=arguments.workers).start()
        try:
            run = drive(server, cluster, arguments)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                tally = runner.run(run)
            return told(tally, house.usage_of_all(server.pid).memory)
        finally:
            server.stop()
            said = log.read_text().splitlines()
            print(*[line for line in said if " error " in line or "warn" in line][:20], sep="\n")


def told(tally: Tally, memory: int) -> dict[str, Any]:
    return {
        "moves": len(tally.waits),
        "per second": round(len(tally.waits) / tally.took, 1),
        "p50 ms": round(tally.share(0.5), 1),
        "p50 ms from sent": round(share(tally.ways, 0.5), 1),
        "p90 ms": round(tally.share(0.9), 1),
        "p99 ms": round(tally.share(0.99), 1),
        "max ms": round(tally.share(1), 1),
        "never arrived": tally.sent - len(tally.waits),
        "between matches": tally.skipped,
        "matches": tally.matches,
        "took s": round(tally.took, 1),
        "server cpu s": round(tally.server, 1),
        "server cpu ms/move": round(1000 * tally.server / max(1, len(tally.waits)), 3),
        "each process s": [round(cpu, 1) for cpu in sorted(tally.each, reverse=True) if cpu > 0.1],
        "transactions/move": round(tally.transactions / max(1, len(tally.waits)), 3),
        "database ms/move": round(1000 * tally.database / max(1, len(tally.waits)), 3),
        "driver cpu s": round(tally.driver, 1),
        "driver ms/move": round(1000 * tally.driver / max(1, len(tally.waits)), 3),
        "server memory MB": memory >> 20,
        "problems": dict(tally.problems.most_common(5)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Moves at a fixed rate.")
    parser.add_argument("--games", default="choccer")
    parser.add_argument("--database", default="", help="nothing: a new SQLite file; postgresql: a new cluster")
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--rate", type=float, default=500, help="moves per second, of all matches together")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--touch", action="store_true", help="all play on phones")
    arguments = parser.parse_args()
    print(f"{arguments.matches} matches of {arguments.games}, {arguments.rate:g} moves/s, {os.cpu_count()} cores")
    cluster = house.PostgreSQL().start() if arguments.database == "postgresql" else None
    redis = house.Redis().start() if arguments.workers > 1 else None
    try:
        for name, value in measure(arguments, cluster, redis.url if redis else "").items():
            print(f"{name:>18}  {value}")
    finally:
        if redis:
            redis.kill()
        if cluster:
            cluster.stop()


if __name__ == "__main__":
    main()
