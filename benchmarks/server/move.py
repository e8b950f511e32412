"""What one move costs: processor time on its whole way through one process, without the network.

    python -m benchmarks.server.move [--games choccer,goose] [--moves 3000] [--together 4]

From the bytes of a frame that a player sends, by way of the application and a SQLite file, to the bytes of all frames
that those at the table are sent: two players and some watchers, all with pictures. Which moves are played is always the
same. Processor time is that of all threads; ``together`` matches are played at the same time, and share commits.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import random
import statistics
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
import msgspec
import uvicorn
import uvloop
from benchmarks.server import house
from uvicorn.server import ServerState

from parlour.server import app as application
from parlour.server.basics import garbage
from parlour.server.basics.config import load
from parlour.server.http.guard import Guard
from parlour.server.http.sockets import SocketConnection
from parlour.server.rooms.room import Room
from parlour.server.running.services import Services
from parlour.server.serve import settings

ROUNDS = 5
GAMES = "choccer,goose,verfuchst,connect_four,mazerunner,game17"
SEATS, MOST_MOVES = 2, 100


class Wire(asyncio.Transport):
    """What a connection believes to be its network: what it writes is counted, and waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.written = 0
        self._awaited = b""
        self._heard: asyncio.Future[None] | None = None

    def hears(self, text: bytes) -> asyncio.Future[None]:
        """Done when this is written."""
        self._awaited, self._heard = text, asyncio.get_running_loop().create_future()
        return self._heard

    def write(self, data: Any) -> None:
        self.written += len(data)
        if self._heard is not None and self._awaited in data and not self._heard.done():
            self._heard.set_result(None)

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 4000) if name in ("peername", "sockname") else default

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None: ...

    def abort(self) -> None: ...


@dataclass
class Person:
    """Somebody's end of a WebSocket at a table."""

    connection: SocketConnection
    wire: Wire

    def say(self, text: bytes) -> None:
        """A mask of zeros is a mask, and leaves the text as it is."""
        head = bytes((0x81, 0x80 | len(text))) if len(text) < 126 else bytes((0x81, 0xFE)) + len(text).to_bytes(2)
        self.connection.data_received(head + bytes(4) + text)


class Tables:
    """A server's application, and people at its tables, all in this process."""

    def __init__(self, app: Any, make: Any, watchers: int) -> None:
        self.services: Services = app.state.services
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        self.make = make
        self.watchers = watchers

    async def sit_down(self, game: str) -> tuple[Room, list[Person]]:
        """A new table whose match has begun, and who is there: the seats first."""
        opened = (await self.http.post("/api/tables", json={"game": game, "seats": SEATS})).json()
        room = self.services.rooms.in_memory[opened["table"]["id"]]
        room.table.spec.__dict__["secret"] = "5e" * 32  # the same dice every time
        names = [{"name": f"Seat {seat}"} for seat in range(SEATS)]
        tokens = [(await self.http.post(f"/api/tables/{room.id}/sit", json=name)).json()["token"] for name in names]
        return room, [await self._come(room, token) for token in [*tokens, *[None] * self.watchers]]

    async def _come(self, room: Room, token: str | None) -> Person:
        wire = Wire()
        person = Person(self.make(), wire)
        person.connection.connection_made(wire)
        accepted = wire.hears(b" 101 ")
        head = f"GET /api/tables/{room.id}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        person.connection.data_received((head + upgrade + key).encode())
        await accepted
        welcomed = wire.hears(b'"welcome"')
        person.say(msgspec.json.encode({"type": "hello", "token": token, "pictures": True, "patches": True}))
        await welcomed
        return person


async def play(room: Room, people: list[Person], dice: random.Random) -> int:
    """Play a match, or the beginning of a long one; returns how many moves there were."""
    moves = 0
    while moves < MOST_MOVES and room.table.match is not None and not room.table.ending:
        match, ply = room.table.match, room.table.ply
        told = [person.wire.hears(b'"type":"choices"') for person in people[:SEATS]]
        command = b'{"type":"act","cid":"c%d","ply":%d,"action":%d}' % (ply, ply, dice.choice(match.legal()))
        people[match.to_move].say(command)
        for heard in told:
            await heard
        moves += 1
    return moves


async def measure_round(server: Tables, game: str, moves: int, together: int) -> tuple[float, float]:
    """Microseconds of processor time a move, and kilobytes that are sent."""
    worked, played, sent, seeds = 0.0, 0, 0, itertools.count()
    while played < moves:
        tables = [await server.sit_down(game) for _ in range(together)]
        gc.collect()
        before, began = _written(tables), time.process_time()
        played += sum(await asyncio.gather(*(play(*table, random.Random(next(seeds))) for table in tables)))
        worked += time.process_time() - began
        sent += _written(tables) - before
        for _, people in tables:
            for person in people:
                person.connection.connection_lost(None)
    return worked / played * 1e6, sent / played / 1000


def _written(tables: list[tuple[Room, list[Person]]]) -> int:
    return sum(person.wire.written for _, people in tables for person in people)


async def main(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        config = load({"database": f"sqlite:///{folder}/move.sqlite"}, environment=house.UNLIMITED)
        app = application.make_app(config)
        async with app.lifespan():
            given = settings(config, 0, Guard(config, 10**6)) | {"app": app, "factory": False}
            served = uvicorn.Config(**given)
            served.load()
            make = partial(given["ws"], config=served, server_state=ServerState(), app_state={})
            tables = Tables(app, make, arguments.watchers)
            garbage.look_less()
            print(f"{'':14}{'least µs':>10}{'middle µs':>10}{'KB a move':>11}")
            for game in arguments.games.split(","):
                rounds = [
                    await measure_round(tables, game, arguments.moves, arguments.together) for _ in range(ROUNDS + 1)
                ]
                costs, sizes = zip(*rounds[1:], strict=True)  # the first is to warm up
                print(f"{game:14}{min(costs):10.0f}{statistics.median(costs):10.0f}{sizes[0]:11.1f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What one move costs.")
    parser.add_argument("--games", default=GAMES)
    parser.add_argument("--moves", type=int, default=400, help="in each of five rounds")
    parser.add_argument("--together", type=int, default=4, help="matches that are played at the same time")
    parser.add_argument("--watchers", type=int, default=0, help="who look on at each table")
    parser.add_argument("--folder", default=None, help="where the database is; /dev/shm needs no disk")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(parser.parse_args()))
