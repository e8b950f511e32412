"""The audit of the chaos suite finds what it is there to find."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from benchmarks.server.ledger import Ledger, audit

from parlour import protocol
from parlour.server.basics.config import Config
from parlour.server.rooms.commands import carry_out
from parlour.server.running.services import Services
from serving import holder_of


async def play(config: Config, ledger: Ledger) -> None:
    """A match of Connect Four, its moves written down as a client would."""
    services = Services(config)
    await services.open()
    room = await services.opener.open_table(protocol.OpenTable(game="connect_four"), "")
    for name in ("Ann", "Bob"):
        await services.commands.sit(room, protocol.Sit(name=name), None, "127.0.0.1")
    ledger.matches[room.id] = "connect_four"
    while (seat := room.table.to_move) is not None:
        assert room.table.match is not None
        ply, action, answers = room.table.ply, room.table.match.legal()[0], list[protocol.Ack | protocol.Reject]()
        ledger.intended[room.id, seat, f"c{ply}"] = (ply, action)
        act = protocol.Act(cid=f"c{ply}", ply=ply, action=action)
        await carry_out(room, holder_of(room, seat), act, answers.append)
        assert isinstance(answers[0], protocol.Ack)
        ledger.acknowledge((room.id, seat, f"c{ply}"), answers[0].number)
    await services.close()


@pytest.fixture
def played(tmp_path: Path) -> tuple[Ledger, str]:
    ledger, database = Ledger(), f"sqlite:///{tmp_path}/audit.sqlite"
    asyncio.run(play(Config(database=database), ledger))
    return ledger, database


def test_a_match_without_faults_is_in_order(played: tuple[Ledger, str]) -> None:
    assert audit(*played) == []


def test_a_move_that_is_lost_is_found(played: tuple[Ledger, str], tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "audit.sqlite") as connection:
        connection.execute("DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)")
    connection.close()
    wrong = "\n".join(audit(*played))
    assert "was acknowledged and is not in the log" in wrong
    assert "is not over" in wrong


def test_a_move_that_happened_twice_is_found(played: tuple[Ledger, str], tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "audit.sqlite") as connection:
        connection.execute("UPDATE entries SET cid = 'again' WHERE number = (SELECT max(number) FROM entries)")
    connection.close()
    assert "happened, but nobody meant it" in "\n".join(audit(*played))


def test_a_move_that_was_refused_and_happened_is_found(played: tuple[Ledger, str]) -> None:
    ledger, database = played
    ledger.refuse(next(iter(ledger.acknowledged)), "stale")
    assert "happened, but was refused" in "\n".join(audit(ledger, database))


def test_two_answers_to_one_move_are_found(played: tuple[Ledger, str]) -> None:
    ledger, database = played
    intent, number = next(iter(ledger.acknowledged.items()))
    ledger.acknowledge(intent, number + 1)
    assert "and then as" in "\n".join(audit(ledger, database))


def test_a_table_that_is_gone_is_found(played: tuple[Ledger, str]) -> None:
    ledger, database = played
    ledger.matches["nowhere"] = "goose"
    assert "nowhere is gone" in audit(ledger, database)
