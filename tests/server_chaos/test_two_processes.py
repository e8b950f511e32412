"""Two processes that serve the same table, one of them behind the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from parlour.server import hall as halls
from parlour.server import messages as say
from parlour.server.config import Config
from parlour.server.duties import Duties
from parlour.server.hall import Hall
from parlour.server.room import Room


async def answer(room: Room, seat: int, cid: str) -> say.Ack | say.Reject:
    """What the seat is answered that drops into the first column, at the ply that is also the cid."""
    answers: list[say.Ack | say.Reject] = []
    await room.command(say.Act(cid=cid, ply=int(cid), action=0), seat, answers.append)
    return answers[0]


def test_a_move_sent_again_to_a_process_that_is_behind_gets_its_first_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing tells the other process what has happened: it neither looks at the store nor minds the table.
    monkeypatch.setattr(halls, "POLL", 3600.0)
    monkeypatch.setattr(Duties, "tend", lambda duties, room: None)
    config = Config(database=f"sqlite:///{tmp_path}/two.sqlite", workers=2)

    async def play() -> None:
        here, there = Hall(config), Hall(config)
        await here.open()
        await there.open()
        room, _ = await here.open_table(say.OpenTable(game="connect_four"))
        for name in ("Ann", "Bob"):
            await here.sit(room, say.Sit(name=name), None)
        behind = await there.room(room.id)
        first = room.table.to_move
        assert first is not None
        await answer(room, first, "0")
        told = await answer(room, 1 - first, "1")
        assert isinstance(told, say.Ack)
        assert behind.table.ply == 0
        assert await answer(behind, 1 - first, "1") == told
        await here.close()
        await there.close()

    asyncio.run(play())
