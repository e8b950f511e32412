"""boardgame.io, of npm, with one of its stores; and two people who play Connect Four at it."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import msgspec
from benchmarks.server import house, wire
from benchmarks.server.load import Play, Tally, number_at

HERE = Path(__file__).parent
INSTALLED = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "parlour-benchmarks" / "boardgame.io"
GAME, COLUMNS, ROWS = "connect_four", 7, 6
SYNC_TRIES = 20
SOCKET = "/socket.io/?EIO=4&transport=websocket"
# Of engine.io and socket.io, as they are written on the wire.
PING, PONG, CONNECT, EVENT = b"2", b"3", b"40/connect_four,", b"42/connect_four,"
UPDATE, SYNC = EVENT + b'["update",', EVENT + b'["sync",'
OVER, STATE = b'"gameover":', b'"_stateID":'


def install() -> None:
    """Fetch it, once for each list of what is wanted."""
    wanted = (HERE / "package.json").read_bytes()
    if (INSTALLED / "package.json").exists() and (INSTALLED / "package.json").read_bytes() == wanted:
        return
    shutil.rmtree(INSTALLED, ignore_errors=True)
    INSTALLED.mkdir(parents=True)
    (INSTALLED / "package.json").write_bytes(wanted)
    try:
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=INSTALLED, check=True)
    except BaseException:
        shutil.rmtree(INSTALLED)
        raise


class Server:
    """It, in a process that can be killed and started again with the same store: memory, a folder, or PostgreSQL."""

    def __init__(self, store: str) -> None:
        self.port = house.free_port()
        self.url = f"http://{house.HOST}:{self.port}"
        self.store = store
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Server:
        # Node looks for packages where the program stands.
        program = shutil.copy(HERE / "server.cjs", INSTALLED / "server.cjs")
        self._process = subprocess.Popen(
            ["node", program, str(self.port), self.store],
            env={**os.environ, "NODE_ENV": "production"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        house.wait_for(lambda: urllib.request.urlopen(f"{self.url}/games", timeout=5).close())
        return self

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()

    async def plies(self, http: httpx.AsyncClient, table: str) -> int:
        """How many moves it knows of; -1 if it does not know the match."""
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def hear(text: bytes) -> None:
            if text.startswith(SYNC) and not told.done():
                content = msgspec.json.decode(text[len(EVENT) :])[2]
                told.set_result(_number_of_moves(content.get("state") if content else None))

        if (await http.get(f"/games/{GAME}/{table}")).status_code != 200:
            return -1
        socket = await _connect(self.url, hear)
        socket.say(_event("sync", table, None, None, 2))
        try:
            return await asyncio.wait_for(told, 5)
        except TimeoutError:  # it cannot read what it has written
            return -1
        finally:
            socket.cut()


def _number_of_moves(state: dict[str, Any] | None) -> int:
    return -1 if state is None else sum(cell is not None for cell in state["G"]["cells"])


def _event(*arguments: object) -> bytes:
    return EVENT + msgspec.json.encode(arguments)


async def _connect(url: str, heard: Any) -> wire.Socket:
    """A socket in the game's name space."""
    joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(text: bytes) -> None:
        if text == PING:
            socket.say(PONG)
        elif text.startswith(CONNECT):
            if not joined.done():
                joined.set_result(None)
        elif text.startswith(EVENT):
            heard(text)

    socket = await wire.connect(url, SOCKET, hear)
    socket.say(CONNECT)
    await asyncio.wait_for(joined, 10)
    return socket


class BoardgamePlay(Play):
    """Two sockets at one of its matches."""

    def __init__(self, url: str, http: httpx.AsyncClient, tally: Tally) -> None:
        super().__init__(url, http, GAME, tally)
        self.credentials: list[str] = []
        self.heights: list[int] = []
        self.state = b"0"
        self.synced: set[int] = set()
        self.all_synced: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def sit_down(self) -> None:
        http = self.http
        self.table = (await http.post(f"/games/{GAME}/create", json={"numPlayers": 2})).json()["matchID"]
        self.credentials, self.sockets, self.heights = [], [], [0] * COLUMNS
        self.acknowledged, self.newest, self.before = 0, 0, -1
        self.synced, self.all_synced = set[int](), asyncio.get_running_loop().create_future()
        for seat in (0, 1):
            wish = {"playerID": str(seat), "playerName": f"Seat {seat}"}
            joined = await http.post(f"/games/{GAME}/{self.table}/join", json=wish)
            self.credentials.append(joined.json()["playerCredentials"])
            socket = await _connect(self.url, lambda text, seat=seat: self.hear(seat, text))
            self.sockets.append(socket)
        for _ in range(SYNC_TRIES):  # now and then it does not answer
            for seat in {0, 1} - self.synced:
                self.sockets[seat].say(_event("sync", self.table, str(seat), self.credentials[seat], 2))
            await asyncio.wait([self.all_synced], timeout=1.0)
            if self.all_synced.done():
                break
        self.state, self.mover, self.choices, self.is_over = b"0", 0, b"any", False
        self.tally.matches += 1

    def hear(self, seat: int, text: bytes) -> None:
        self.tally.heard += len(text)
        if text.startswith(SYNC):
            self.synced.add(seat)
            if len(self.synced) == 2 and not self.all_synced.done():  # before that, nothing is sent to the second
                self.all_synced.set_result(None)
        if not text.startswith(UPDATE):
            return
        if seat == self.last_mover:
            self.acknowledged += 1
        is_over = OVER in text
        state = number_at(text, text.find(STATE) + len(STATE))
        is_news = int(state) > self.before
        self.note_seen(seat, int(state), is_over=is_over)
        if seat != self.last_mover and is_news and not is_over:
            self.mover, self.choices, self.state = seat, b"any", state
            self.send()

    def next_move(self) -> bytes:
        seat, column = str(self.mover), random.choice([x for x in range(COLUMNS) if self.heights[x] < ROWS])
        self.heights[column] += 1
        payload = {"type": "drop", "args": [column], "playerID": seat, "credentials": self.credentials[self.mover]}
        move = {"type": "MAKE_MOVE", "payload": payload}
        return _event("update", move, int(self.state), self.table, seat)
