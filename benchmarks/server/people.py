"""People who play a match to its end, whatever happens: each move is sent, under one cid, until it is answered."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
from benchmarks.server import wire
from benchmarks.server.ledger import Ledger

SILENCE = 2.0  # seconds without a word after which a connection counts as dead
AGAIN = {"not_saved", "busy", "too_fast"}  # nothing has happened: the same may be sent again


class Lost(Exception):
    """The connection is gone, or is to be."""


class Person:
    """One seat of one match. ``cuts`` is how likely, at each move, each way of losing the connection is."""

    def __init__(self, servers: Callable[[], str], table: str, seat: int, token: str, ledger: Ledger) -> None:
        self.servers = servers
        self.table = table
        self.seat = seat
        self.token = token
        self.ledger = ledger
        self.cuts = 0.0
        self.is_over = False
        self.ply = 0  # nothing that is told of earlier plies is news
        self.choices: list[int] = []
        self.pending: dict[str, Any] | None = None  # the move that has no answer yet
        self.to_send = False
        self.count = 0
        self.half_open: list[wire.Socket] = []

    @property
    def is_done(self) -> bool:
        return self.is_over and self.pending is None

    async def play(self) -> None:
        """Until the match is over, and what became of the last move is known."""
        while not self.is_done:
            try:
                await self._visit(self.servers())
            except (Lost, OSError, TimeoutError):
                await asyncio.sleep(random.uniform(0.01, 0.1))
        for socket in self.half_open:
            socket.cut()

    async def _visit(self, url: str) -> None:
        """One connection, for as long as it lasts."""
        inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        path = f"/api/tables/{self.table}/live"
        socket = await asyncio.wait_for(
            wire.connect(url, path, inbox.put_nowait, lambda: inbox.put_nowait(None)), SILENCE
        )
        try:
            socket.say(msgspec.json.encode({"type": "hello", "token": self.token}))
            while not self.is_done:
                text = await asyncio.wait_for(inbox.get(), SILENCE)
                if text is None:
                    raise Lost
                await self._hear(msgspec.json.decode(text))
                await self._act(socket)
        finally:
            if socket not in self.half_open:
                socket.cut()

    async def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "welcome":
            table = message["table"]
            self.to_send = True  # whether the last connection brought it there nobody knows
            self.is_over = table["phase"] == "over"
            if table["position"]:
                self._see(table["position"]["ply"], table["choices"])
        elif kind == "choices":
            self._see(message["ply"], message["choices"])
        elif kind == "update":
            self.is_over = message["phase"] == "over"
        elif kind == "ack":
            self._acknowledged(message)
        elif kind == "reject":
            await self._rejected(message)
        elif kind == "bye":
            raise Lost

    def _see(self, ply: int, choices: list[dict[str, Any]]) -> None:
        if ply >= self.ply:
            self.ply = ply
            self.choices = [choice["action"] for choice in choices]

    def _acknowledged(self, ack: dict[str, Any]) -> None:
        self.ledger.acknowledge((self.table, self.seat, ack["cid"]), ack["number"])
        if ack["ply"] > self.ply:
            self.ply, self.choices = ack["ply"], []
        if self.pending is not None and self.pending["cid"] == ack["cid"]:
            self.pending = None

    async def _rejected(self, reject: dict[str, Any]) -> None:
        self.ledger.troubles[f"rejected: {reject['code']}"] += 1
        if reject["code"] in AGAIN:
            await asyncio.sleep(0.05)
            self.to_send = True
            return
        self.ledger.refuse((self.table, self.seat, reject["cid"]), reject["code"])
        self.pending = None
        raise Lost  # what this client thinks of the table is wrong: look again

    async def _act(self, socket: wire.Socket) -> None:
        if self.pending is None and self.choices and not self.is_over:
            self._intend(random.choice(self.choices))
        if self.pending is not None and self.to_send:
            self.to_send = False
            await self._send(socket, msgspec.json.encode(self.pending))

    def _intend(self, action: int) -> None:
        self.count += 1
        cid = f"{self.seat}.{self.count}"
        self.choices, self.to_send = [], True
        self.pending = {"type": "act", "cid": cid, "ply": self.ply, "action": action}
        self.ledger.intended[self.table, self.seat, cid] = (self.ply, action)

    async def _send(self, socket: wire.Socket, text: bytes) -> None:
        """Send the move; or lose the connection before, after, or in a way that the server does not notice."""
        chance = random.random()
        if chance < self.cuts:
            self.ledger.troubles["cut before sending"] += 1
            raise Lost
        socket.say(text)
        if chance < 2 * self.cuts:
            self.ledger.troubles["cut after sending"] += 1
            await asyncio.sleep(random.choice((0.0, 0.001, 0.005)))
            raise Lost
        if chance < 3 * self.cuts:
            self.ledger.troubles["left half open"] += 1
            socket.deafen()
            self.half_open.append(socket)
            raise Lost


async def seat_people(servers: Callable[[], str], game: dict[str, Any], ledger: Ledger) -> list[Person] | None:
    """A new table with somebody at each seat that no bot has; None if something broke on the way."""
    url = servers()
    seats = [seat for seat in range(game["seats"]) if str(seat) not in game.get("bots", {})]
    try:
        async with httpx.AsyncClient(base_url=url, timeout=5) as http:
            opened = await http.post("/api/tables", json=game)
            opened.raise_for_status()
            table = opened.json()["table"]["id"]
            tokens = {}
            for seat in seats:
                sat = await http.post(f"/api/tables/{table}/sit", json={"name": f"Seat {seat}", "seat": seat})
                sat.raise_for_status()
                tokens[seat] = sat.json()["token"]
    except httpx.HTTPError:
        ledger.troubles["tables that could not be opened"] += 1
        return None
    ledger.matches[table] = game["game"]
    return [Person(servers, table, seat, token, ledger) for seat, token in tokens.items()]
