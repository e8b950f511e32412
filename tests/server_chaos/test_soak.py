"""Tables and sockets come and go, and leave nothing behind; benchmarks/server/soak.py is the long form."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import uvicorn
from benchmarks.server import house
from benchmarks.server.ledger import Ledger
from benchmarks.server.soak import churn
from litestar import WebSocket
from websockets.server import ServerProtocol

from parlour import protocol
from parlour.server import serve
from parlour.server.app import make_app
from parlour.server.basics.config import Config
from parlour.server.http.guard import Guard
from parlour.server.http.sockets import SocketConnection
from parlour.server.rooms.commands import carry_out
from parlour.server.rooms.room import Room
from parlour.server.running.services import Services
from parlour.server.tables import frames
from parlour.server.tables.listener import Listener
from serving import ROOMY, holder_of, until

TABLES = 6  # in a round
OURS = "parlour."


async def play(services: Services, game: str) -> None:
    """A match from its opening to its end, with somebody at each seat and somebody who watches."""

    async def send(message: bytes) -> None:
        pass

    room = await services.opener.open_table(protocol.OpenTable(game=game, seats=2), "")
    listeners = [Listener(send, lambda code: None) for _ in range(3)]
    for listener in listeners[:2]:
        listener.seat, _ = await services.commands.sit(room, protocol.Sit(name="Ann"), None, "127.0.0.1")
    for listener in listeners:
        listener.pictures = True
        room.join(listener)
    while (seat := room.table.to_move) is not None:
        assert room.table.match is not None
        ply, action = room.table.ply, room.table.match.legal()[0]
        act = protocol.Act(cid=f"c{ply}", ply=ply, action=action)
        await carry_out(room, holder_of(room, seat), act, lambda answer: None)
    await asyncio.sleep(0)
    for listener in listeners:
        room.part(listener)


async def things(services: Services) -> Counter[str]:
    """Our own objects that are left once every table has left the memory."""
    end = time.monotonic() + 20
    while services.rooms.in_memory and time.monotonic() < end:
        await asyncio.sleep(0.05)
    # Those of which an album is to be drawn, or a snapshot to be stored, stay until then.
    await services.upgrades.draw(20)
    await services.keeper.close()
    frames.whole.cache_clear()  # it keeps the last few
    await asyncio.sleep(0.1)
    gc.collect()
    kinds = (type(thing) for thing in gc.get_objects())
    return Counter(kind.__name__ for kind in kinds if str(kind.__module__).startswith(OURS) or kind is asyncio.Task)


async def grown(config: Config, plant: Callable[[Services], None], rounds: int) -> Counter[str]:
    """What there is more of after the last round of tables than after the first."""
    services = Services(config)
    await services.open()
    plant(services)
    counts = []
    for _ in range(rounds):
        for number in range(TABLES):
            await play(services, ("connect_four", "goose", "choccer")[number % 3])
        counts.append(await things(services))
    await services.close()
    return counts[-1] - counts[0]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.setattr("parlour.server.running.services.SWEEP", 0.1)
    return Config(database=f"sqlite:///{tmp_path}/soak.sqlite", idle=0.1, tables_per_address=1000, tables_per_hour=1000)


def test_tables_that_come_and_go_leave_nothing_behind(config: Config) -> None:
    more = asyncio.run(grown(config, lambda services: None, 3))
    assert {name: count for name, count in more.items() if count >= TABLES} == {}


def test_a_leak_would_be_found(config: Config) -> None:
    kept: list[Room] = []

    def plant(services: Services) -> None:
        told = services.changed
        services.changed = lambda room: (kept.append(room), told(room))[1]  # type: ignore[method-assign, func-returns-value]

    more = asyncio.run(grown(config, plant, 2))
    assert more["Room"] >= TABLES


# The same over real sockets, which are cut, and without the collector: what is let go of must not wait for it.


class Served:
    """The server in a thread of this process, at a port of its own."""

    def __init__(self, config: Config) -> None:
        self.app = make_app(config)
        self.url = f"http://127.0.0.1:{config.port}"
        guard = Guard(config, files=1000)
        settings = {**serve.settings(config, config.port, guard), "factory": False, "workers": None}
        self.server = uvicorn.Server(uvicorn.Config(self.app, **settings))
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self) -> Served:
        self.thread.start()
        until(lambda: self.server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join()


def rooms() -> int:
    """Rooms that anything in this process still holds on to."""
    return sum(type(thing) is Room for thing in gc.get_objects())


def sockets() -> int:
    """Parts of sockets, ours and the libraries', that anything in this process still holds on to."""
    kinds = (SocketConnection, ServerProtocol, WebSocket, Listener)
    return sum(type(thing) in kinds for thing in gc.get_objects())


def test_sockets_that_come_and_go_leave_nothing(config: Config) -> None:
    config = msgspec.structs.replace(config, port=house.free_port(), **ROOMY)
    gc.collect()
    before, parts = rooms(), sockets()  # of other tests
    gc.disable()
    try:
        with Served(config) as served:
            ledger = Ledger()
            while len(ledger.matches) < 2:  # a slow machine plays few in a while
                asyncio.run(asyncio.wait_for(churn(served, ledger, time.monotonic() + 5, 0), 60))
            services = served.app.state.services
            until(lambda: not services.rooms.in_memory)
            # Those that wait for their albums are no leak, and to look for rooms makes the process too busy to draw.
            until(lambda: rooms() - len(services.upgrades._waiting) <= before)
            until(lambda: sockets() <= parts)
    finally:
        gc.enable()
