"""Win chances at a table: who is told, when they are worked out; and the curve of a match that is over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.engine import seen, win_chances
from parlour.server.basics.errors import Refusal
from parlour.server.telling import curve
from serving import House, Seat, refused

DROP = [3, 4, 3, 4, 3, 4, 3]  # connect four: the last one wins
REPLAY = Path(__file__).parents[1] / "data" / "replays" / "connect_four-won.json"


@pytest.fixture
def house(shared_house: House) -> House:
    return shared_house


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The plies of all positions that were judged at tables."""
    plies: list[int] = []

    def count(game: Any, state: Any) -> list[float] | None:
        plies.append(state.ply)
        return win_chances.win_chances(game, state)

    monkeypatch.setattr(seen, "win_chances", count)
    return plies


def play(seats: list[Seat], first: int = 0, last: int = len(DROP)) -> None:
    for ply in range(first, last):
        seats[ply % 2].must("act", ply=ply, action=DROP[ply])


def test_whoever_watches_and_asks_is_told_once_for_each_position(house: House, judged: list[int]) -> None:
    pair = house.table_of("Ann", "Bob")
    table = pair[0].table
    with house.live(table, chances=True) as eve, house.live(table, chances=True) as mia, pair[0].live() as ann:
        table_view = eve.heard[0]["table"]
        assert table_view["judged"]
        assert sum(table_view["chances"]) == pytest.approx(1)
        play(pair)
        for live in (eve, mia):
            told = [live.hear("chances") for _ in DROP]
            assert [one["ply"] for one in told] == [1, 2, 3, 4, 5, 6, 7]
            assert told[-1]["chances"] == [1.0, 0.0]
        ann.say("ping")
        ann.hear("pong")
        assert "chances" not in [message["type"] for message in ann.heard]
    assert judged == list(range(8))


def test_where_nobody_asks_nothing_is_judged(house: House, judged: list[int]) -> None:
    pair = house.table_of("Ann", "Bob")
    with house.live(pair[0].table) as eve:
        play(pair)
        assert eve.heard[0]["table"]["chances"] is None
    assert house.view(pair[0].table)["judged"]
    assert judged == []


def test_it_is_switched_on_and_off_by_another_hello(house: House) -> None:
    pair = house.table_of("Ann", "Bob")
    with house.live(pair[0].table, state=True) as eve:
        eve.say("hello", chances=True)
        view = eve.hear("welcome")["table"]
        assert view["chances"] is not None
        assert view["position"]["state"] is not None, "all else stays as it was asked for first"
        play(pair, 0, 1)
        assert eve.hear("chances")["ply"] == 1
        eve.say("hello")
        assert eve.hear("welcome")["table"]["chances"] is None
        play(pair, 1, 2)
        assert eve.hear("update", "chances")["type"] == "update"
        eve.say("ping")
        assert eve.hear("chances", "pong")["type"] == "pong"


@pytest.mark.parametrize("hints", [True, False])
def test_whoever_plays_is_told_where_hints_are_allowed(house: House, *, hints: bool) -> None:
    pair = house.table_of("Ann", "Bob", hints=hints)
    with pair[0].live(chances=True) as ann:
        assert (ann.heard[0]["table"]["chances"] is not None) == hints
        play(pair, 0, 1)
        assert ann.hear("choices")["ply"] == 1
        ann.say("ping")
        assert ann.hear("chances", "pong")["type"] == ("chances" if hints else "pong")
    assert (pair[0].view(chances=True)["chances"] is not None) == hints
    pair[1].must("resign")
    assert pair[0].view(chances=True)["chances"] is not None, "once it is over, it helps nobody"


def test_without_hints_nobody_is_told_what_the_server_thinks(house: House, judged: list[int]) -> None:
    """Whoever plays can also come without their token, or with another connection: no way tells more than another."""
    pair = house.table_of("Ann", "Bob", hints=False)
    table = pair[0].table
    house.http.get("/api/tables", params={"chances": True})
    with house.live(table, chances=True) as eve:
        assert eve.heard[0]["table"]["chances"] is None
        eve.say("hello", chances=True)
        assert eve.hear("welcome")["table"]["chances"] is None
        play(pair, 0, 6)
        assert house.view(table, chances=True)["chances"] is None
        for path in ("chances", "frames", "summary", "replay"):
            refused(house.http.get(f"/api/tables/{table}/{path}"), "not_over", 409)
        refused(pair[0].do("hint"), "forbidden", 403)
        for path in ("explain?name=c3", "why-not?tried=c3", "picture", "preview.png"):
            house.http.get(f"/api/tables/{table}/{path}")
        eve.say("ping")
        eve.hear("pong")
        assert "chances" not in [message["type"] for message in eve.heard]
        assert judged == []
        play(pair, 6)
        assert eve.hear("chances")["chances"] == [1.0, 0.0]
    assert house.view(table, chances=True)["chances"] == [1.0, 0.0]


def test_without_hints_whoever_plays_alone_is_not_told_either(house: House) -> None:
    ann = house.sit(house.open(bots={"1": "random"}, hints=False)["table"]["id"], "Ann")
    assert ann.view(chances=True)["chances"] is None


def test_a_game_without_a_judge_offers_nothing(house: House) -> None:
    pair = house.table_of("Ann", "Bob", game="goose")
    with house.live(pair[0].table, chances=True) as eve:
        assert (eve.heard[0]["table"]["judged"], eve.heard[0]["table"]["chances"]) == (False, None)
    pair[0].must("resign")
    assert not house.http.get(f"/api/tables/{pair[0].table}/summary").json()["judged"]
    refused(house.http.get(f"/api/tables/{pair[0].table}/chances"), "not_found", 404, "no judge")


def test_a_judge_that_cannot_be_loaded_harms_no_move(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from parlour.server.telling import chances

    monkeypatch.setattr(chances, "_ready", {})
    monkeypatch.setattr(chances, "_is_sound", lambda game: False)
    pair = house.table_of("Ann", "Bob")
    with house.live(pair[0].table, chances=True) as eve:
        assert eve.heard[0]["table"]["chances"] is None
        play(pair, 0, 1)
        assert eve.hear("update")["body"]["ply"] == 0


# The curve.


def test_the_curve_of_a_match_is_worked_out_once_when_asked_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = house.table_of("Ann", "Bob")
    path = f"/api/tables/{pair[0].table}/chances"
    play(pair, 0, 6)
    refused(house.http.get(path), "not_over", 409)
    play(pair, 6)
    assert house.http.get(f"/api/tables/{pair[0].table}/summary").json()["judged"]
    found = house.http.get(path).json()
    with monkeypatch.context() as patch:
        patch.setattr(curve, "_drawn", None)
        assert house.http.get(path).json() == found
    assert found["plies"] == list(range(8))
    assert all(sum(chances) == pytest.approx(1, abs=0.001) for chances in found["chances"])
    assert found["chances"][-1] == [1.0, 0.0]
    file = json.loads(house.http.get(f"/api/tables/{pair[0].table}/replay").text)
    assert house.http.post("/api/replays/chances", json=file).json() == found


def test_an_old_replay_has_a_curve(house: House) -> None:
    content = json.loads(REPLAY.read_text("utf-8"))
    found = house.http.post("/api/replays/chances", json=content).json()
    assert found["plies"] == list(range(len(content["actions"]) + 1))
    refused(house.http.post("/api/replays/chances", json={"parlour": 1}), "bad_request", 400)


def test_a_long_match_has_few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curve, "judged_seats", lambda game: {2, 40})
    monkeypatch.setattr(curve, "win_chances", lambda game, state: [0.5, 0.5])
    match = parlour.new("connect_four", seed=1)
    for plies in (0, 1, 299, 300, 301, 20_000):
        found = curve._drawn(match.game, 2, (match.state for _ in range(plies + 1)), plies)
        assert (found.plies[0], found.plies[-1]) == (0, plies)
        assert min(plies, 150) < len(found.plies) <= curve.MOST_POINTS + 1
        assert len(found.chances) == len(found.plies)
    crowd = curve._drawn(match.game, 40, (match.state for _ in range(1001)), 1000)
    assert len(crowd.plies) * 40 <= curve.MOST_NUMBERS + 80
    with pytest.raises(Refusal, match="no judge"):
        curve._drawn(match.game, 3, iter([match.state]), 0)


def test_only_the_last_curves_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curve, "KEPT", 2)
    monkeypatch.setattr(curve, "_kept", type(curve._kept)())
    for seed in range(4):
        curve.of_match(parlour.new("connect_four", seed=seed))
    assert len(curve._kept) == 2
