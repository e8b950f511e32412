"""Whatever Parlour writes: on a full disk, what was there before stays, and one line says why."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import game17
from game17.files import write_players
from judges import any_judge
from parlour.arena.report import write_page
from parlour.arena.standings import standings
from parlour.arena.tournament import announce
from parlour.arena.tournament_folder import open_folder
from parlour.bots.starter import write_starter
from parlour.cli.online import saved_seats
from parlour.client import Ticket
from parlour.engine import registry, replay
from parlour.engine.errors import NotWritten
from parlour.engine.match import Match
from parlour.lab.train import checkpoint
from parlour.lab.train.network import Network
from parlour.lab.train.plan import make_plan

GOOSE = registry.get("goose")
PLAN = announce(GOOSE, ["random", "random"], format="robin", rounds=1, seed=4)


def keep_replay(file: Path) -> None:
    replay.save(Match(GOOSE, 2, 1), file, overwrite=True)


def keep_judge(file: Path) -> None:
    any_judge(registry.get("choccer"), 3).save(file)


def keep_checkpoint(file: Path) -> None:
    plan = make_plan(registry.get("choccer"), games=10, units=8, seed=1)
    checkpoint.save(file, plan, Network(plan.game, plan.units, plan.seed), checkpoint.Progress())


def keep_page(file: Path) -> None:
    write_page(file.parent, standings(PLAN, {}), {})


def keep_tournament(file: Path) -> None:
    open_folder(file.parent, PLAN)


def keep_bot(file: Path) -> None:
    write_starter(GOOSE, file)


def keep_players(file: Path) -> None:
    write_players(file, {1: "b.py"})


def keep_game17(file: Path) -> None:
    game17.battle_royale({}, file.parent, num_games=1, board_size=3)


@pytest.mark.parametrize(
    ("name", "before", "write"),
    [
        ("match.json", "before", keep_replay),
        ("my.judge", "before", keep_judge),
        ("my.judge.checkpoint", "before", keep_checkpoint),
        ("report.html", '<meta name="generator" content="parlour report">', keep_page),
        ("tournament.json", None, keep_tournament),
        ("bot.py", None, keep_bot),
        ("players.txt", "a.py is player 1\n", keep_players),
        ("battle-royale-0.json", None, keep_game17),
    ],
)
def test_a_full_disk(
    name: str, before: str | None, write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / name
    if before is not None:
        file.write_text(before)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotWritten, match=rf"{name} cannot be written: No space left on device") as told:
        write(file)
    assert "\n" not in str(told.value)
    assert [path.name for path in tmp_path.iterdir()] == ([] if before is None else [name])
    assert before is None or file.read_text() == before
    monkeypatch.undo()
    write(file)
    assert file.stat().st_size > 0
    assert before is None or file.read_bytes() != before.encode()


def test_a_seat_is_its_owners_alone_and_kept_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_seats, "folder", lambda: tmp_path / "seats")
    first, server = Ticket("T", 0, "first"), "https://a.example"
    saved_seats.save(server, "goose", "Ada", first)

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotWritten, match="No space left on device"):
        saved_seats.save(server, "goose", "Ada", Ticket("T", 0, "second"))
    (file,) = (tmp_path / "seats").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    (found,) = saved_seats.find(server, "Ada")
    assert found.ticket.token == "first"
