"""The way between a page's script and the house, inside Pyodide. Only texts and numbers pass here."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from parlour.protocol import AnyEntry
from parlour.site.house import House
from parlour.site.keeping import Conflict, InMemory, Kept
from parlour.site.visit import Visit

_entry = msgspec.json.Decoder(AnyEntry).decode
_kept = msgspec.json.Decoder(Kept).decode


class BrowserKeeper:
    """Keeps tables in the browser's own database, by way of a script: see ``web/src/site/keeper.ts``."""

    def __init__(self, script: Any) -> None:
        self.script = script

    async def write(self, kept: Kept, entries: list[AnyEntry]) -> None:
        lines = json.dumps([msgspec.json.encode(entry).decode() for entry in entries])
        first = entries[0].number if entries else 0
        table = msgspec.json.encode(kept).decode()
        if not await self.script.write(kept.spec.id, table, first, lines):
            raise Conflict(kept.spec.id)

    async def read(self, table_id: str) -> Kept | None:
        text: str = await self.script.read(table_id)
        return _kept(text) if text else None

    async def since(self, table_id: str, number: int) -> list[AnyEntry]:
        return [_entry(line) for line in json.loads(await self.script.since(table_id, number))]

    async def all(self) -> list[Kept]:
        return [_kept(text) for text in json.loads(await self.script.all())]

    async def forget(self, table_id: str) -> None:
        await self.script.forget(table_id)


class Door:
    """What the page's script calls. A visit has a number, which the script gives it."""

    def __init__(self, keeper: Any | None) -> None:
        self.house = House(BrowserKeeper(keeper) if keeper is not None else InMemory())
        self.visits: dict[int, Visit] = {}

    async def ask(self, method: str, address: str, body: str, token: str) -> str:
        """The answer, as a list in JSON: status, kind, text."""
        return json.dumps(await self.house.ask(method, address, body.encode(), token or None))

    def enter(self, number: int, table_id: str, send: Any, close: Any) -> None:
        self.visits[number] = Visit(self.house, table_id, send, close)

    async def say(self, number: int, text: str) -> None:
        if number in self.visits:
            await self.visits[number].hear(text)

    def leave(self, number: int) -> None:
        visit = self.visits.pop(number, None)
        if visit is not None:
            visit.part()
