"""What a seat may still do for which a bot plays."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from parlour.engine import registry
from parlour.engine.match import Match
from parlour.protocol import ClockSpec, Sit
from parlour.server.bots.service import BotChoice, BotService
from parlour.server.rooms import proposals
from parlour.server.tables.fold import fold
from parlour.server.tables.table import Table, TableSpec
from serving import House, Seat, mover, refused, until

COMMANDS: dict[str, dict[str, Any]] = {
    "act": {"ply": 0, "action": 0},
    "undo": {"ply": 0},
    "draw": {},
    "resign": {},
    "back": {},
    "leave": {},
}


def three(house: House) -> list[Seat]:
    return house.table_of("Ann", "Bob", "Carl", game="goose")


def flagged(house: House) -> Seat:
    """Somebody whose bank of time is used up."""
    ann, _ = house.table_of("Ann", "Bob", clock={"kind": "bank", "seconds": 60})
    house.pass_time(ann.table, 61)
    until(lambda: house.view(ann.table)["seats"][0]["away"] == "time")
    return ann


@pytest.mark.parametrize("what", COMMANDS)
def test_who_has_resigned_or_left_may_do_nothing_more(shared_house: House, what: str) -> None:
    ann, bob, _ = three(shared_house)
    ann.must("resign")
    bob.must("leave")
    refused(ann.do(what, **COMMANDS[what]), "forbidden", 403, "you have resigned")
    refused(bob.do(what, **COMMANDS[what]), "forbidden", 403, "you have left")


def test_who_has_resigned_or_left_has_nothing_to_choose(shared_house: House) -> None:
    """Also where it is their seat's turn: they are told so, and are offered nothing."""
    seats = three(shared_house)
    mover(seats).must("resign")
    gone = mover(seats).view()
    assert gone["choices"] == []
    assert gone["prompt"] == ""
    assert [seat["gone"] for seat in gone["seats"]] == [seat.number == gone["you"] for seat in seats]


@pytest.mark.parametrize("what", COMMANDS)
def test_who_has_used_up_all_time_may_do_nothing_more(house: House, what: str) -> None:
    refused(flagged(house).do(what, **COMMANDS[what]), "forbidden", 403, "used up")


def test_they_may_talk(house: House) -> None:
    ann, bob, _ = three(house)
    ann.must("resign")
    bob.must("leave")
    for seat in (ann, bob, flagged(house)):
        seat.must("chat", text="well played")


def test_a_bots_choice_is_not_taken_back_by_who_was_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def choose(self: BotService, table_id: str, bot: str, match: Match, owner: str) -> BotChoice:
        if match.state.ply == 2:
            await asyncio.Event().wait()  # the match stays as it is
        return BotChoice(match.legal()[0])

    monkeypatch.setattr(BotService, "choose", choose)
    ann = house.sit(house.open(bots={"1": "random"})["table"]["id"], "Ann")
    house.pass_time(ann.table, 86_500)
    until(lambda: house.view(ann.table)["seats"][0]["away"])
    until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    refused(ann.do("undo", ply=2), "forbidden", 403, "come back first")


def test_nor_by_who_comes_back() -> None:
    """It was not theirs."""
    game = registry.get("connect_four")
    table = Table(TableSpec("x", game.name, game.version, {}, 2, True, True, ClockSpec(), 90.0, "5e" * 32, 0.0))
    steps = [
        lambda: proposals.open_table(table, {1: "random"}, 0.0),
        lambda: proposals.sit(table, proposals.ChosenSeat(0), "Ann", Sit(name="Ann"), 0.0).entries,
        lambda: proposals.take_over(table, 0, "absent", 0.0, 0.0).entries,
        *[lambda: proposals.bot_acts(table, 3, 0.0).entries] * 2,
        lambda: (proposals.give_back(table, 0, 0.0) or pytest.fail("nobody is away")).entries,
    ]
    for step in steps:
        for entry in step():
            fold(table, entry)
    assert (table.to_move, table.undo_plies(0)) == (0, 0)
    for action in (4, 5):
        for entry in proposals.bot_acts(table, action, 0.0).entries:
            fold(table, entry)
    assert table.undo_plies(0) == 2, "their own can be"
