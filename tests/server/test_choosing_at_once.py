"""Several seats are asked at the same time: each chooses when it likes, and may choose again until all have."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from installing import installed
from parlour.engine import UNKNOWN, registry
from serving import Build, House, Place, Seat, new_cid, refused, until


@pytest.fixture(autouse=True)
def games(tmp_path: Path) -> Iterator[None]:
    with installed(tmp_path / "games", "goofspiel", "hearts"):
        yield


def at_table(place: Place, *names: str, **wish: Any) -> list[Seat]:
    return place.table_of(*names, game="goofspiel", **{"options": {"cards": 3}, **wish})


def bid(seat: Seat, action: int, **more: Any) -> dict[str, Any]:
    return seat.must("act", **{"ply": seat.view()["position"]["ply"], "action": action, **more})


def at_once(seat: Seat) -> dict[str, Any]:
    found: dict[str, Any] = seat.view()["position"]["at_once"]
    return found


def text_of(seats: list[Seat]) -> str:
    """The replay, without what differs between two tables."""
    content = json.loads(seats[0].at.http.get(f"/api/tables/{seats[0].table}/replay").text)
    return json.dumps([content["actions"], content["names"]])


def test_it_is_among_the_games_and_each_seat_is_told_that_it_is_its_turn(house: House) -> None:
    assert {"goofspiel", "hearts"} <= {game["name"] for game in house.http.get("/api/games").json()}
    ann, bob = seats = at_table(house, "Ann", "Bob")
    for seat in seats:
        view = seat.view()
        assert view["position"]["to_move"] == seat.number
        assert [choice["action"] for choice in view["choices"]] == [0, 1, 2]
        assert view["position"]["at_once"] == {"asked": [0, 1], "chosen": [], "yours": None}
    bid(bob, 2)
    assert at_once(ann) == {"asked": [0, 1], "chosen": [1], "yours": None}
    assert at_once(bob) == {"asked": [0, 1], "chosen": [1], "yours": 2}
    assert ann.view()["position"]["to_move"] == bob.view()["position"]["to_move"] == 0
    assert ann.view()["position"]["ply"] == 0, "nothing is played before all have chosen"
    assert len(bob.view()["choices"]) == 3, "it may choose again"
    bid(ann, 0)
    assert ann.view()["position"]["ply"] == 2


def choose(seats: list[Seat], order: list[tuple[int, int]]) -> None:
    for seat, action in order:
        bid(seats[seat], action)


def test_neither_the_order_nor_what_was_replaced_leaves_a_trace(house: House) -> None:
    plain, other = at_table(house, "Ann", "Bob"), at_table(house, "Ann", "Bob")
    choose(plain, [(0, 1), (1, 2), (0, 0), (1, 0)])
    choose(other, [(1, 0), (1, 2), (0, 1), (1, 1), (1, 0), (0, 0)])
    for seats in (plain, other):
        choose(seats, [(0, 2), (1, 1)])
        assert seats[0].view()["phase"] == "over"
    assert text_of(plain) == text_of(other)
    log = house.log(other[0].table)
    told = [(line["seat"], line["body"]["actions"]) for line in log if line["kind"] == "act"]
    assert told[:3] == [(1, [UNKNOWN]), (1, [2]), (0, [1])], "nobody else ever hears of a choice that was replaced"
    assert told[3:5] == [(1, [UNKNOWN]), (1, [0])]
    assert house.http.get(f"/api/tables/{other[0].table}/frames").json()["plies"] == 6


def test_what_is_told_to_others_is_the_same_whatever_was_chosen(house: House) -> None:
    """Byte for byte, but for what names the table: to the other seat, and to who watches."""
    told = []
    for first, second in ((0, 1), (2, 0)):
        ann, bob = at_table(house, "Ann", "Bob")
        with ExitStack() as stack:
            lives = [stack.enter_context(ann.live(pictures=True, state=True))]
            lives.append(stack.enter_context(house.live(ann.table, pictures=True, state=True)))
            bid(bob, first)
            bid(bob, second)
            bob.must("chat", text="done")
            heard = []
            for live in lives:
                while not any(one.get("kind") == "chat" for one in live.heard):
                    live.hear()
                heard.append([one for one in live.heard if one["type"] == "choices" or one.get("kind") == "act"])
        told.append(heard)
        assert any(one.get("kind") == "act" for one in heard[0])
    assert without_prize(told[0]) == without_prize(told[1])


def without_prize(told: Any) -> list[Any]:
    """Which prize lies there differs from table to table."""
    kept = []
    for heard in told:
        for one in heard:
            position = one.get("position") or {}
            kept.append(
                (
                    one["type"],
                    one.get("kind"),
                    (one.get("body") or {}).get("actions"),
                    one.get("choices"),
                    position.get("at_once"),
                )
            )
            if position:
                game = registry.get("goofspiel")
                state = game.layout.unpack(base64.b64decode(position["state"]))
                kept.append((list(state.bid), list(state.spent), int(state.ply), int(state.to_move)))
    return kept


def test_a_stale_command_is_refused_and_the_same_cid_counts_once(house: House) -> None:
    ann, bob = at_table(house, "Ann", "Bob")
    cid = new_cid()
    first = bid(bob, 2, cid=cid)
    assert bid(bob, 1)["number"] == first["number"] + 1
    assert bob.must("act", ply=0, action=2, cid=cid) == first, "it is answered once more, and does not happen again"
    assert at_once(bob)["yours"] == 1
    bid(ann, 0)
    refused(bob.do("act", ply=0, action=0), "stale", 409)
    refused(bob.do("act", ply=1, action=0), "stale", 409)
    refused(bob.do("act", ply=2, action=1), "illegal_action", 400)
    refused(bob.do("undo", ply=2), "no_undo", 409)


def test_clocks_run_for_those_who_have_still_to_choose(build: Build) -> None:
    clock = {"kind": "bank", "seconds": 100, "increment": 7}
    house = build(patience=1000.0)
    ann, bob, _ = at_table(house, "Ann", "Bob", "Cem", clock=clock)
    house.pass_time(ann.table, 10)

    def left() -> list[int]:
        return [round(seat["left"]) for seat in ann.view()["seats"]]

    assert left() == [90, 90, 90]
    bid(bob, 0)
    assert left() == [90, 97, 90]
    house.pass_time(ann.table, 5)
    assert left() == [85, 97, 85]
    bid(bob, 2)
    assert left() == [85, 97, 85], "to choose again costs nothing and earns nothing"


def test_a_bot_takes_over_for_one_and_the_others_choices_stay(build: Build) -> None:
    house = build(patience=1000.0, grace=30.0)
    ann, bob, cem = at_table(house, "Ann", "Bob", "Cem", clock={"kind": "turn", "seconds": 20})
    bid(bob, 2)
    house.pass_time(ann.table, 15)
    bid(ann, 1)
    house.pass_time(ann.table, 6)
    until(lambda: ann.view()["position"]["ply"] == 3)
    assert [seat["away"] for seat in ann.view()["seats"]] == [None, None, "time"]
    log = house.log(ann.table)
    assert [line["kind"] for line in log if line["kind"] in ("act", "away")][:4] == ["act", "act", "away", "act"]
    assert cem.must("back")
    bid(cem, cem.view()["choices"][0]["action"])


def test_bots_choose_while_people_think(house: House) -> None:
    (ann,) = at_table(house, "Ann", seats=3, bots={"0": "random", "2": "random"})
    until(lambda: at_once(ann)["chosen"] == [0, 2])
    assert at_once(ann)["asked"] == [0, 1, 2]
    bid(ann, 1)
    until(lambda: at_once(ann)["chosen"] == [0, 2] and ann.view()["position"]["ply"] == 3)


def test_a_table_comes_back_in_the_middle_of_a_choice(build: Build, tmp_path: Path) -> None:
    """From its log and, later, from a snapshot."""
    from parlour.server.tables import snapshot
    from parlour.server.tables.fold import fold_all
    from parlour.server.tables.table import Table

    house = build()
    ann, bob, cem = at_table(house, "Ann", "Bob", "Cem")
    choose([ann, bob, cem], [(0, 0), (1, 0), (2, 0), (2, 2), (1, 1)])
    stored = house.services.store.load_whole(ann.table)
    table = Table(stored.spec)
    list(fold_all(table, stored.entries))
    back = snapshot.unpack(stored.spec, table.number, snapshot.pack(table))
    for one in (table, back):
        assert one.match is not None
        assert (one.asked, one.awaited, one.match.chosen) == ([0, 1, 2], [0], [1, 2])
        assert one.match.seen_by(1).sealed == 1
        assert one.match.seen_by(2).sealed == 2
    assert table.match is not None
    assert back.match is not None
    assert table.match.state == back.match.state
