"""What attackers have brought about before they attack: long matches of theirs, and many that are over.

It is made once, by a server without limits, and copied for each attack.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
from benchmarks.server import house
from sqlalchemy import Connection, insert, select

from parlour.server.store import engine as engines
from parlour.server.store.schema import ENTRIES, TABLES

LARGEST = {"game": "game17", "seats": 2, "options": {"edge": 24, "rounds": 1000}}
TURNS = 900  # that were played there
FINISHED = 3000  # matches that are over
PLIES = 40  # of each of these
END = 0  # the turn, in game17


@dataclass
class Held:
    """A table whose seats the attacker holds, by their tokens."""

    table: str
    tokens: list[str]


@dataclass
class Stage:
    """What stands in the database, whose file is ``database``; without one, nothing."""

    database: str
    large: list[Held] = field(default_factory=list)  # with the largest board there is, one for each attacker
    finished: list[str] = field(default_factory=list)  # tables whose match is over

    def copied(self, folder: Path) -> Stage:
        """The same, in a file of its own."""
        file = folder / "attacked.sqlite"
        if self.database:
            shutil.copyfile(self.database, file)
        return Stage(str(file), self.large, self.finished)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def from_json(told: dict[str, Any]) -> Stage:
    return Stage(told["database"], [Held(**held) for held in told["large"]], told["finished"])


async def _hold(http: httpx.AsyncClient, **wish: Any) -> Held:
    table = (await http.post("/api/tables", json=wish)).json()["table"]["id"]
    seats = [await http.post(f"/api/tables/{table}/sit", json={"name": f"Eve {seat}"}) for seat in range(2)]
    return Held(table, [seat.json()["token"] for seat in seats])


async def _act(http: httpx.AsyncClient, held: Held, ply: int, action: int | None = None) -> None:
    """The seat to move acts; both are asked, since chance may have said who begins."""
    for token in held.tokens:
        bearer = {"authorization": f"Bearer {token}"}
        if action is None:
            action = (await http.get(f"/api/tables/{held.table}", headers=bearer)).json()["choices"][0]["action"]
        body = {"cid": f"{ply}", "ply": ply, "action": action}
        answer = await http.post(f"/api/tables/{held.table}/act", json=body, headers=bearer)
        if answer.is_success:
            held.tokens.sort(key=lambda other, mine=token: other == mine)  # type: ignore[misc]
            return


async def _set_up(url: str, attackers: int, turns: int) -> tuple[list[Held], str]:
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        large = [await _hold(http, **LARGEST) for _ in range(attackers)]
        for held in large:
            for ply in range(turns):
                await _act(http, held, ply, END)
        over = await _hold(http, game="choccer", seats=2)
        for ply in range(PLIES):
            for token in over.tokens:
                bearer = {"authorization": f"Bearer {token}"}
                view = (await http.get(f"/api/tables/{over.table}", headers=bearer)).json()
                if view["position"]["ply"] == ply and view["choices"]:
                    body = {"cid": f"{ply}", "ply": ply, "action": view["choices"][0]["action"]}
                    await http.post(f"/api/tables/{over.table}/act", json=body, headers=bearer)
        bearer = {"authorization": f"Bearer {over.tokens[0]}"}
        (await http.post(f"/api/tables/{over.table}/resign", json={"cid": "end"}, headers=bearer)).raise_for_status()
        return large, over.table


def _copy(connection: Connection, table: str, count: int) -> list[str]:
    (row,) = connection.execute(select(TABLES).where(TABLES.c.id == table)).mappings().all()
    entries = [
        dict(entry) for entry in connection.execute(select(ENTRIES).where(ENTRIES.c.table_id == table)).mappings()
    ]
    made = [f"{number:022d}" for number in range(count)]
    packed = ("facts", "line")
    connection.execute(
        insert(TABLES),
        [
            {**row, "id": new, **{name: row[name].replace(table.encode(), new.encode()) for name in packed}}
            for new in made
        ],
    )
    for new in made:
        connection.execute(insert(ENTRIES), [{**entry, "table_id": new} for entry in entries])
    return made


def build(folder: Path, attackers: int, *, turns: int = TURNS, finished: int = FINISHED) -> Stage:
    """Make it: takes a while."""
    file = folder / "stage.sqlite"
    server = house.Server(f"sqlite:///{file}").start()
    try:
        large, over = asyncio.run(_set_up(server.url, attackers, turns))
    finally:
        server.stop()
    engine = engines.connect(f"sqlite:///{file}")
    with engine.execution_options(writes=True).begin() as connection:
        engines.take_your_time(connection)
        made = _copy(connection, over, finished)
    engine.dispose()  # with that, all is in the one file
    return Stage(str(file), large, made)
