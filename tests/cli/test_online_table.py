"""A server's table in the terminal: what is shown and asked for, message by message."""

from __future__ import annotations

import msgspec
import pytest

import parlour
import telling
from parlour import protocol
from parlour.cli.online.screen import Screen
from parlour.cli.online.table import RemoteTable
from parlour.client import AsyncClient, Interruption, Ticket
from parlour.engine.game import Game
from parlour.engine.match import Match


class At:
    """Somebody in a seat of a match at a server, who hears of it."""

    def __init__(self, match: Match, you: int | None = 0) -> None:
        self.match, self.you = match, you
        ticket = Ticket("table", you, "token") if you is not None else None
        view = telling.view(match, you)
        self.table = RemoteTable(AsyncClient("http://127.0.0.1:9"), view, ticket, Screen(ascii=True))
        self.table.hear(protocol.Welcome(protocol.VERSION, view))

    def act(self, action: int) -> None:
        self.table.hear(telling.act(self.match, action, self.table.number + 1))

    def offer(self) -> None:
        self.table.hear(protocol.Choices(len(self.match.plies), telling.choices(self.match, self.you), may_undo=False))


@pytest.fixture
def no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on nobody may ask the rules what is legal."""

    def legal_actions(game: Game, state: object) -> list[int]:
        raise AssertionError("the terminal works out legal actions by itself")

    monkeypatch.setattr(Game, "legal_actions", legal_actions)


@pytest.mark.parametrize("game", ["goose", "mazerunner", "connect_four"])
def test_what_can_be_chosen_is_what_the_server_says(
    game: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    match = parlour.new(game, seats=2, seed=1)
    view = telling.view(match, match.to_move)
    only = protocol.ChoiceView(17, "Leap", "over the river")
    table = RemoteTable(
        AsyncClient("http://127.0.0.1:9"), view, Ticket("table", match.to_move, "token"), Screen(ascii=True)
    )
    request.getfixturevalue("no_rules")
    table.hear(protocol.Welcome(protocol.VERSION, msgspec.structs.replace(view, choices=[only])))
    shown = capsys.readouterr().out
    assert "Leap  over the river" in shown
    assert table.menu is not None
    assert table.menu.pick("l e a p") == table.menu.pick("") == 17


def test_until_the_server_says_what_from_there_is_nothing_to_choose(capsys: pytest.CaptureFixture[str]) -> None:
    at = At(parlour.new("connect_four", seed=1))
    at.act(0)
    assert at.table.menu is None
    at.act(1)
    assert at.table.menu is None, "it is this seat's turn, but nothing was offered yet"
    at.table.hear(protocol.Choices(1, [protocol.ChoiceView(3, "4")], may_undo=False))
    assert at.table.menu is None, "that was for another ply"
    capsys.readouterr()
    at.offer()
    assert at.table.menu is not None
    assert capsys.readouterr().out.count("to move") == 1, "the board once, with the choices"


def test_a_choice_that_was_made_is_not_offered_while_the_server_has_not_told_of_it() -> None:
    at = At(parlour.new("connect_four", seed=1))
    at.table.acted(protocol.Ack("cid", 1, 1))
    assert at.table.menu is None
    at = At(parlour.new("connect_four", seed=1))
    at.act(0)
    at.act(1)
    at.offer()
    at.table.acted(protocol.Ack("cid", 1, 1))
    assert at.table.menu is not None, "the answer came after what it brought about"


def test_after_an_interruption_only_what_is_new_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    match = parlour.new("connect_four", seed=1)
    at = At(match)
    capsys.readouterr()
    at.table.hear(Interruption("the connection is lost"))
    at.table.hear(Interruption("nobody answers"))
    at.table.hear(protocol.Welcome(protocol.VERSION, telling.view(match, 0)))
    assert capsys.readouterr().out == "the connection is lost; trying again ...\nConnected again.\n"
    for action in range(2):
        match.play(action)
    at.table.hear(protocol.Welcome(protocol.VERSION, telling.view(match, 0, 2)))
    shown = capsys.readouterr().out
    assert shown.count("drops a disc") == 2
    assert at.table.menu is not None


def test_after_an_undo_the_board_is_shown_again(capsys: pytest.CaptureFixture[str]) -> None:
    match = parlour.new("connect_four", seed=1)
    at = At(match)
    at.act(0)
    capsys.readouterr()
    match.undo()
    undone = telling.act(match.twin(), 0, at.table.number + 1)
    undone = msgspec.structs.replace(
        undone, kind="undo", body={"ply": 1, "spent": 0}, events=[], position=telling.position(match)
    )
    at.table.hear(undone)
    at.offer()
    shown = capsys.readouterr().out
    assert "takes the last choice back" in shown
    assert "to move" in shown


def test_lots_are_told_and_a_spot_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    at = At(parlour.new("connect_four", seed=1))
    start = msgspec.structs.replace(
        telling.act(at.match, 0, at.table.number + 1), kind="start", body={"seating": [1, 0]}
    )
    at.table.hear(start)
    assert at.table.you == 1
    assert "The seats are settled: you are Yellow" in capsys.readouterr().out
    explained = at.table.explain("4")
    assert explained is not None
    assert explained.text.startswith("Column 4")


def test_bots_are_called_as_people_know_them(capsys: pytest.CaptureFixture[str]) -> None:
    match = parlour.new("connect_four", seed=1)
    at = At(match)
    told = telling.act(match, 0, at.table.number + 1)
    event = protocol.EventView("Yellow (mcts:2) drops a disc (once)")
    at.table.hear(msgspec.structs.replace(told, events=[event]))
    gone = {"bot": "mcts:1", "reason": "absent"}
    at.table.hear(msgspec.structs.replace(told, number=told.number + 1, kind="away", body=gone, events=[]))
    shown = capsys.readouterr().out
    assert "Yellow (Relaxed) drops a disc (once)" in shown
    assert "is away: Easy plays on meanwhile" in shown


@pytest.mark.parametrize(("away", "why"), [("resigned", "You have resigned"), ("time", "Your time is used up")])
def test_whoever_has_resigned_or_run_out_of_time_is_told_so_and_asked_nothing(
    away: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was their turn: what they could choose is gone, and they see what the others do."""
    match = parlour.new("goose", seats=3, seed=1)
    at = At(match, you=match.to_move)
    at.offer()
    assert at.table.menu is not None
    seats = telling.seats(match)
    seats[match.to_move] = msgspec.structs.replace(seats[match.to_move], stand_in="random", away=away, gone=True)
    told = telling.act(match.twin(), match.legal()[0], at.table.number + 1)
    at.table.hear(msgspec.structs.replace(told, kind="away", seats=seats, events=[], position=None))
    shown = capsys.readouterr().out
    assert f"{why}: Company plays on in your place. Watch how it ends, or type quit to go." in shown
    assert at.table.menu is None
    at.offer()
    assert at.table.menu is None
    told = telling.act(match, match.legal()[0], at.table.number + 1)
    at.table.hear(msgspec.structs.replace(told, seats=seats))
    assert "is up, to throw both dice" in capsys.readouterr().out, "the board is shown, as to people who watch"
