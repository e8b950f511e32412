"""What is tried again, and what is not. Nothing is done twice."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import httpx
import msgspec
import pytest

from lossy import Wire
from parlour.client import BadAnswer, Client, Refused, Ticket, Unreachable, calls, run_bot
from parlour.client.retry import LONGEST, Attempts, Pauses
from parlour.protocol import OpenTable, Problem
from serving import Server, until

TICKET = Ticket("table", 0, "token")
GAME = "connect_four"


def problem(code: str) -> bytes:
    return msgspec.json.encode(Problem(code, f"it is {code}"))


def test_pauses_grow_up_to_a_limit_and_end() -> None:
    pauses = Pauses(patience=3600)
    taken = [pauses.take() or 0 for _ in range(20)]
    assert taken[0] <= 0.1
    assert 0.5 * LONGEST <= taken[-1] <= LONGEST
    assert Pauses(patience=0).take() is None


@pytest.mark.parametrize(("status", "code"), [(503, "busy"), (503, "not_saved"), (429, "too_fast")])
def test_a_command_is_sent_again_when_it_may_work_later(status: int, code: str) -> None:
    attempts = Attempts(calls.act(TICKET, 1, 0), "http://x", 60)
    body = attempts.call.body
    assert attempts.heard(status, problem(code)) is not None
    assert attempts.heard(200, b'{"type":"ack","cid":"c","number":4,"ply":1}') is None
    assert attempts.answers[0].number == 4
    assert attempts.call.body == body, "the same cid"


@pytest.mark.parametrize(("status", "code"), [(400, "illegal_action"), (409, "stale"), (500, "bug"), (429, "too_many")])
def test_what_would_be_refused_again_is_raised(status: int, code: str) -> None:
    attempts = Attempts(calls.act(TICKET, 1, 0), "http://x", 60)
    with pytest.raises(Refused, match=code) as refused:
        attempts.heard(status, problem(code))
    assert refused.value.code == code


def test_patience_ends() -> None:
    attempts = Attempts(calls.act(TICKET, 1, 0), "http://x", 0)
    with pytest.raises(Refused, match="busy"):
        attempts.heard(503, problem("busy"))
    with pytest.raises(Unreachable, match="does not answer"):
        attempts.lost(httpx.ReadError("gone"))


def test_what_must_not_happen_twice_is_not_asked_twice() -> None:
    opening = Attempts(calls.open_table(OpenTable(GAME)), "http://x", 60)
    assert opening.lost(httpx.ConnectError("nobody")) > 0, "it has not been sent"
    with pytest.raises(Unreachable, match="whether it was done is not known"):
        opening.lost(httpx.ReadError("lost"))
    with pytest.raises(Refused):
        opening.heard(503, problem("not_saved"))


def test_what_is_no_parlour_server() -> None:
    games = Attempts(calls.games(), "http://x", 60)
    for status, content in [(200, b"<html>"), (200, b"{}"), (404, b"not here"), (200, b"\xff\xfe")]:
        with pytest.raises(BadAnswer, match="does not answer as a Parlour server does"):
            games.heard(status, content)
    assert games.heard(502, b"<html>bad gateway") is not None, "a proxy whose server is away"


def test_lost_answers_cost_nothing_and_double_nothing(server: Server) -> None:
    """Half of all answers are lost, after the server has done what was asked."""
    dice = random.Random(7)
    with Wire(server.port, lambda request: request.startswith(b"POST") and dice.random() < 0.5) as wire:
        with Client(server.url) as sure, Client(wire.url) as unsure:
            table = sure.open_table(GAME, bots={1: "random"}).table.id
            seat = unsure.sit(table, "Ada")
            for _ in range(5):
                seat = seat.renew()
            chosen: list[tuple[int, int]] = []

            def choose(view: object) -> int:
                action = view.choices[0].action  # type: ignore[attr-defined]
                chosen.append((view.position.ply, action))  # type: ignore[attr-defined]
                return int(action)

            for word in "abc":
                seat.chat(word)
            said = [entry.body["text"] for entry in sure.log(table).entries if entry.kind == "chat"]
            run_bot(seat, choose)
            played = [
                (entry.body["ply"], entry.body["actions"][0])
                for entry in sure.log(table).entries
                if entry.kind == "act" and entry.seat == 0
            ]
        assert wire.lost > 0
        assert said == list("abc")
        assert played == chosen


def test_a_seat_that_is_too_fast_waits(tmp_path: Path) -> None:
    server = Server(tmp_path, commands_per_second=2).start()
    try:
        with Client(server.url) as client:
            seat = client.sit(client.open_table("goose", seats=2, bots={1: "random"}).table.id, "Ada")
            for number in range(12):
                with pytest.raises(Refused) as refused:  # never because it is too fast
                    seat.act(0, 10_000 + number)
                assert refused.value.code == "stale"
    finally:
        server.close()


def test_the_server_is_killed_in_mid_match_and_comes_back(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    try:
        with Client(server.url, patience=60) as client:
            seat = client.sit(client.open_table("choccer", bots={1: "random"}).table.id, "Ada")
            plies: list[int] = []

            def choose(view: object) -> int:
                plies.append(view.position.ply)  # type: ignore[attr-defined]
                return int(random.choice(view.choices).action)  # type: ignore[attr-defined]

            playing = threading.Thread(target=run_bot, args=(seat, choose))
            playing.start()
            until(lambda: len(plies) > 3)
            server.kill()
            before = len(plies)
            server.start()
            playing.join(60)
            assert not playing.is_alive()
            assert len(plies) > before
            assert seat.verify() == []
    finally:
        server.close()
