"""What tests of the server have in hand: servers to start, people who sit at their tables, databases that are real."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import anyio
import httpx
from litestar import Litestar
from litestar.testing import TestClient, WebSocketTestSession, websocket_test_session
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from parlour.server.rooms.holders import Holder
from parlour.server.rooms.room import Room
from parlour.server.running.services import Services

PATIENCE = 60.0  # seconds after which something that should happen never will

# Nothing that a quick test does should meet a limit, unless the test is about that limit.
ROOMY = {
    "commands_per_second": 10_000.0,
    "requests_per_second": 10_000.0,
    "drawing_per_second": 1000.0,
    "playing_per_second": 1000.0,
    "connections_per_address": 10_000,
    "connections": 10_000,
    "tables_per_address": 100_000,
    "tables_per_hour": 1_000_000,
    "bot_pause": 0.0,
    "warm": False,
}


LONGEST_PAUSE = 0.1  # seconds between two looks: each may be a request, whose time others need


def until(holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until it holds, and return what it gave; fail if it never does. Soon looks are followed by rarer ones."""
    end, pause = time.monotonic() + seconds, 0.005
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE)
    raise AssertionError(f"did not come about within {seconds:g} seconds")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# People.


class Wire(Protocol):
    """One end of a WebSocket."""

    def send(self, text: str) -> None: ...
    def receive(self, seconds: float) -> str: ...


@dataclass
class Live:
    """A socket at a table, after its hello."""

    wire: Wire
    heard: list[dict[str, Any]] = field(default_factory=list)

    def say(self, type: str, **more: Any) -> None:
        self.wire.send(json.dumps({"type": type, **more}))

    def hear(self, *types: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message, of one of these types if any are named; others are passed over, and kept in ``heard``."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message: dict[str, Any] = json.loads(self.wire.receive(max(0.05, end - time.monotonic())))
            self.heard.append(message)
            if not types or message["type"] in types:
                return message
        raise AssertionError(f"heard no {' or '.join(types)} within {seconds:g} seconds, but {self.heard[-5:]}")

    def ask(self, type: str, **more: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        cid = more.setdefault("cid", new_cid())
        self.say(type, **more)
        while True:
            answer = self.hear("ack", "reject", "hint")
            if answer["cid"] in (cid, None):
                return answer


Connect = Callable[[str], contextlib.AbstractContextManager[Wire]]


def new_cid() -> str:
    return secrets.token_hex(8)


@dataclass
class Place:
    """Where tables are: an HTTP client for the server, and how to open a WebSocket to it."""

    http: httpx.Client
    connect: Connect

    def open(self, game: str = "connect_four", **wish: Any) -> dict[str, Any]:
        """Open a table; returns ``table`` and ``invite``."""
        answer = self.http.post("/api/tables", json={"game": game, **wish})
        assert answer.status_code == 201, answer.text
        opened: dict[str, Any] = answer.json()
        return opened

    def sit(self, table: str, name: str, *, token: str | None = None, **more: Any) -> Seat:
        answer = self.http.post(f"/api/tables/{table}/sit", json={"name": name, **more}, headers=bearer(token))
        assert answer.status_code == 201, answer.text
        seated = answer.json()
        return Seat(self, table, seated["seat"], seated["token"])

    def table_of(self, *names: str, game: str = "connect_four", **wish: Any) -> list[Seat]:
        """A table at which these people sit: its match has begun if they take all seats."""
        table = self.open(game, seats=wish.pop("seats", None) or max(2, len(names)), **wish)["table"]["id"]
        return [self.sit(table, name) for name in names]

    def view(self, table: str, token: str | None = None, **query: Any) -> dict[str, Any]:
        answer = self.http.get(f"/api/tables/{table}", headers=bearer(token), params=query)
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()
        return view

    def log(self, table: str, since: int = 0) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.http.get(f"/api/tables/{table}/log", params={"since": since}).json()[
            "entries"
        ]
        return entries

    @contextlib.contextmanager
    def live(self, table: str, token: str | None = None, **hello: Any) -> Iterator[Live]:
        """A socket at the table, welcomed; the welcome is the first that it has heard."""
        with self.connect(f"/api/tables/{table}/live") as wire:
            live = Live(wire)
            live.say("hello", **({"token": token} if token else {}), **hello)
            welcome = live.hear()
            assert welcome["type"] == "welcome", welcome
            yield live


@dataclass
class Seat:
    """Somebody's seat, held by its token."""

    at: Place
    table: str
    number: int
    token: str

    def do(self, what: str, **body: Any) -> httpx.Response:
        """A command over HTTP."""
        return self.at.http.post(
            f"/api/tables/{self.table}/{what}", json={"cid": new_cid(), **body}, headers=bearer(self.token)
        )

    def must(self, what: str, **body: Any) -> dict[str, Any]:
        """A command that is carried out; returns its acknowledgement."""
        answer = self.do(what, **body)
        assert answer.status_code == 200, answer.text
        ack: dict[str, Any] = answer.json()
        return ack

    def view(self, **query: Any) -> dict[str, Any]:
        return self.at.view(self.table, self.token, **query)

    def live(self, **hello: Any) -> contextlib.AbstractContextManager[Live]:
        return self.at.live(self.table, self.token, **hello)


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


def refused(answer: httpx.Response, code: str, status: int, words: str = "") -> None:
    """The answer is a refusal with this code, a status that goes with it, and a sentence that has these words."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), answer.text
    assert problem["message"], "a refusal is said in words"
    assert words in problem["message"], answer.text


def mover(seats: list[Seat]) -> Seat:
    """The seat whose choice it is; by the rules of some games, chance says who begins."""
    to_move = seats[0].view()["position"]["to_move"]
    return next(seat for seat in seats if seat.number == to_move)


def play_out(seats: list[Seat], most: int = 2000) -> dict[str, Any]:
    """Have all seats play, the first legal action of each, until the match is over; returns the table's view."""
    by_number = {seat.number: seat for seat in seats}

    def awaits_somebody() -> dict[str, Any] | None:
        """The table as it stands, unless a bot thinks."""
        view = seats[0].view()
        return view if view["phase"] == "over" or view["position"]["to_move"] in by_number else None

    for _ in range(most):
        view: dict[str, Any] = until(awaits_somebody)
        if view["phase"] == "over":
            return view
        seat = by_number[view["position"]["to_move"]]
        if choices := seat.view()["choices"]:
            seat.do("act", ply=view["position"]["ply"], action=choices[0]["action"])
    raise AssertionError(f"not over after {most} tries")


# A server in this process.


def holder_of(room: Room, seat: int) -> Holder:
    """Who holds the seat, as this process knows it."""
    return Holder(seat, next(digest for digest, held in room.holders.seats.items() if held == seat))


async def _pause(_: float) -> None:
    await anyio.sleep(0.001)


# While a socket is open, Litestar asks without a pause whether its client has said something: that takes a whole core.
vars(websocket_test_session)["sleep"] = _pause


class _TestWire:
    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session

    def send(self, text: str) -> None:
        self.session.send_text(text)

    def receive(self, seconds: float) -> str:
        return str(self.session.receive_text(timeout=seconds))


class House(Place):
    """The server in this process: its insides are within reach."""

    http: TestClient[Litestar]

    def __init__(self, client: TestClient[Litestar]) -> None:
        super().__init__(client, self._connect)

    @contextlib.contextmanager
    def _connect(self, path: str) -> Iterator[Wire]:
        with self.http.websocket_connect(path) as session:
            yield _TestWire(session)

    @property
    def services(self) -> Services:
        services: Services = self.http.app.state.services
        return services

    def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Have something done on the server's event loop: a function, or a coroutine function."""

        async def on_loop() -> Any:
            result = work(*arguments)
            return await result if hasattr(result, "__await__") else result

        return self.http.blocking_portal.call(on_loop)

    def pass_time(self, table: str, seconds: float) -> None:
        """Let so much time pass at a table, by the server's clock; what is due then is done, unless it takes long."""

        async def passes() -> None:
            clock, scheduler = self.services.clock, self.services.scheduler
            clock.set(clock.now() + seconds)
            room = await self.services.rooms.get(table)
            if table in scheduler._schedules:
                scheduler._schedules[table].stop_timer()  # it runs by another clock
            scheduler.wake(room)
            if (task := scheduler._schedules[table].task) is not None:
                await asyncio.wait({task}, timeout=0.2)

        self.run(passes)


Build = Callable[..., House]


# A server in a process of its own.


class _ThreadedWire:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, text: str) -> None:
        self.socket.send(text)

    def receive(self, seconds: float) -> str:
        return str(self.socket.recv(seconds))


class Server:
    """``parlour serve`` as people run it. Its log goes to a file."""

    program: tuple[str, ...] = (str(Path(sys.executable).with_name("parlour")),)

    def __init__(self, folder: Path, *flags: str, database: str | None = None, **settings: object) -> None:
        self.port = free_port()
        self.folder = folder
        self.database = database or f"sqlite:///{folder / 'parlour.sqlite'}"
        self.log = folder / f"server-{self.port}.log"
        self.flags = flags
        self.settings = {**ROOMY, **settings}
        self.process: subprocess.Popen[bytes] | None = None
        self.place = Place(httpx.Client(base_url=self.url, timeout=30), self.connect)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        settings = {f"PARLOUR_{name.upper()}": str(value) for name, value in self.settings.items()}
        line = ["serve", "--port", str(self.port), "--database", self.database, *self.flags]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.program, *line],
                stderr=log,
                stdout=log,
                env={**os.environ, "PARLOUR_LOG": "json", **settings},
                start_new_session=True,
            )
        until(self._is_ready)
        return self

    def _is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the server ended at once: {self.log.read_text()}"
        with contextlib.suppress(httpx.TransportError):
            return self.place.http.get("/readyz").status_code == 200
        return False

    @contextlib.contextmanager
    def connect(self, path: str) -> Iterator[Wire]:
        with connect(f"ws://127.0.0.1:{self.port}{path}", max_size=2**24, compression=None) as socket:
            yield _ThreadedWire(socket)

    def kill(self) -> None:
        """As when the power fails: the whole group of processes, at once."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """As an administrator does; returns the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.place.http.close()
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)


def closed_with(socket: ClientConnection, seconds: float = PATIENCE) -> int | None:
    """Read until the other end closes the socket; returns the code that it gave."""
    try:
        while True:
            socket.recv(seconds)
    except ConnectionClosed:
        return socket.close_code
