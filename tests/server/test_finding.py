"""Finding a table: by its code, in a filtered list, or by wanting what somebody waits for."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from databases import Postgres
from parlour.protocol import Closed, read_code
from parlour.protocol.codes import LETTERS
from parlour.server.rooms import opener, rooms, wishes
from parlour.server.store.schema import SEEN, TABLES
from serving import Build, House, Live, refused


def found(house: House, code: str) -> dict[str, str]:
    answer = house.http.get(f"/api/codes/{code}")
    assert answer.status_code == 200, answer.text
    invitation: dict[str, str] = answer.json()
    return invitation


# Codes.


def test_a_code_is_read_as_people_type_it() -> None:
    assert read_code("k7m-4xq") == read_code(" K7M 4XQ") == "K7M4XQ"
    assert read_code("258CDF") == "ZSBCDF", "digits that look like letters are those letters"
    for other in ("", "K7M4X", "K7M4XQQ", "K7M4XA", "K7M4X1", "K7M4XÄ"):
        assert read_code(other) is None, other


def test_a_code_leads_to_its_table_until_the_match_is_over(house: House) -> None:
    view = house.open("connect_four")["table"]
    code = view["code"]
    assert len(code) == 6
    assert set(code) <= set(LETTERS)
    assert found(house, f"{code[:3]}-{code[3:]}".lower()) == {"table": view["id"], "invite": ""}
    ann, _ = house.sit(view["id"], "Ann"), house.sit(view["id"], "Bob")
    assert found(house, code)["table"] == view["id"]
    assert house.view(view["id"])["code"] == code
    ann.must("resign")
    refused(house.http.get(f"/api/codes/{code}"), "not_found", 404, "no table")
    assert ann.view()["code"] == ""
    ann.must("rematch")
    again = house.view(ann.view()["rematch"])
    assert found(house, again["code"])["table"] == again["id"]
    assert again["code"] != code


def test_the_code_of_a_private_table_invites_and_is_told_to_its_seats_alone(house: House) -> None:
    opened = house.open("connect_four", public=False)
    table, code = opened["table"]["id"], opened["table"]["code"]
    invitation = found(house, code)
    assert invitation == {"table": table, "invite": opened["invite"]}
    ann = house.sit(table, "Ann", invite=invitation["invite"])
    assert (house.view(table)["code"], ann.view()["code"]) == ("", code)


def test_a_closed_table_has_no_code(house: House) -> None:
    table = house.open("goose")["table"]
    house.services.store.closing.close(table["id"], Closed(reason="operator", text="closed", at=time.time()))
    refused(house.http.get(f"/api/codes/{table['code']}"), "not_found", 404)


def test_wrong_codes_are_counted_and_right_ones_are_not(house: House) -> None:
    code = house.open("goose")["table"]["code"]
    for _ in range(25):
        found(house, code)
    answers = [house.http.get(f"/api/codes/{guess}").status_code for guess in wrong(code, 22)]
    assert answers == [404] * 20 + [429] * 2
    answer = house.http.get(f"/api/codes/{code}")
    refused(answer, "too_fast", 429, "codes")
    assert 1 <= int(answer.headers["retry-after"]) <= 20


def wrong(code: str, count: int) -> list[str]:
    return [guess for guess in (f"{one}{two}{code[2:]}" for one in LETTERS for two in LETTERS) if guess != code][:count]


def test_no_two_tables_have_one_code(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["BCDFGH", "BCDFGH", "BCDFGJ", "BCDFGH", "BCDFGH", "BCDFGJ", "BCDFGK"])
    for module in (opener, rooms, wishes):
        monkeypatch.setattr(module, "new_code", lambda: next(drawn))
    ann, _ = house.table_of("Ann", "Bob")
    other = house.open("goose")["table"]
    assert other["code"] == "BCDFGJ"
    assert found(house, "BCDFGH")["table"] == ann.table
    assert house.view(ann.table)["phase"] == "playing", "the first table is as it was"
    bob, _ = house.table_of("Bob", "Cid")
    assert bob.view()["code"] == "BCDFGK"


# Filters.


def listed(house: House, **query: Any) -> set[str]:
    return {line["id"] for line in house.http.get("/api/tables", params=query).json()}


def test_lists_are_filtered_by_game_company_and_clock(house: House) -> None:
    slow, quick = {"kind": "turn", "seconds": 86400}, {"kind": "bank", "seconds": 300, "increment": 3}
    plain = house.open("goose", seats=3)["table"]["id"]
    mixed = house.open("goose", seats=3, bots={"2": "random"}, clock=quick)["table"]["id"]
    days = house.open("connect_four", clock=slow)["table"]["id"]
    assert listed(house) == {plain, mixed, days}
    assert listed(house, game="goose") == {plain, mixed}
    assert listed(house, company="bots") == {mixed}
    assert listed(house, company="people", game="goose") == {plain}
    assert [listed(house, clock=clock) for clock in ("none", "quick", "slow")] == [{plain}, {mixed}, {days}]
    assert house.http.get("/api/tables", params={"clock": "fast"}).status_code == 400
    with house.connect("/api/lobby/live?company=people&clock=slow") as wire:
        lobby = Live(wire)
        assert [line["id"] for line in lobby.hear("lobby")["tables"]] == [days]
        house.open("goose")
        more = house.open("goose", clock=slow)["table"]["id"]
        assert [line["id"] for line in lobby.hear("lobby_change")["tables"]] == [more]
        house.sit(more, "Ann").must("bots", seat=1, bot="random")
        heard = lobby.hear("lobby_change")
        while heard["gone"] != [more]:
            heard = lobby.hear("lobby_change")
    with house.connect("/api/lobby/live?game=nonsense") as wire:
        assert Live(wire).hear("bye")["code"] == "bad_option"


def test_a_filter_finds_what_stands_beyond_the_first_page(house: House) -> None:
    wanted = house.open("connect_four", seats=2)["table"]["id"]
    for _ in range(61):
        house.open("goose", seats=2)
    with house.connect("/api/lobby/live") as wire:
        assert wanted not in {line["id"] for line in Live(wire).hear("lobby")["tables"]}
    with house.connect("/api/lobby/live?game=connect_four") as wire:
        assert [line["id"] for line in Live(wire).hear("lobby")["tables"]] == [wanted]


# Pairing.


def pair(house: House, game: str = "connect_four", **wish: Any) -> str:
    answer = house.http.post("/api/pairings", json={"game": game, **wish})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"]["id"])


def test_who_wants_the_same_is_paired_and_nobody_else(house: House) -> None:
    blitz = {"kind": "bank", "seconds": 180, "increment": 2}
    first = pair(house)
    house.sit(first, "Ann")
    others = {
        pair(house, clock=blitz),
        pair(house, "goose", seats=2),
        pair(house, "goose", seats=3),
        pair(house, hints=False),
    }
    assert first not in others
    assert len(others) == 4
    assert pair(house) == first
    house.sit(first, "Bob")
    assert house.view(first)["phase"] == "playing"
    assert pair(house) not in {first, *others}
    refused(house.http.post("/api/pairings", json={"game": "goose", "public": False}), "bad_option", 400)


def test_nobody_is_paired_where_nobody_else_can_sit(house: House) -> None:
    for game, seats in (("game17", 0), ("mazerunner", 1)):
        alone = house.http.post("/api/pairings", json={"game": game, "seats": seats})
        refused(alone, "bad_option", 400, "a table for anybody has at least 2 seats")
    assert house.http.get("/api/tables").json() == []


def test_two_who_play_with_anybody_begin_at_once(house: House) -> None:
    """Whatever is usual: at goose, four. Who wishes for four waits for them."""
    first = pair(house, "goose")
    house.sit(first, "Ann")
    assert pair(house, "goose", seats=4) != first
    assert pair(house, "goose") == first
    house.sit(first, "Bob")
    assert house.view(first)["phase"] == "playing"
    refused(house.http.post("/api/pairings", json={"game": "goose", "options": {"none": 1}}), "bad_option", 400)


def test_where_nobody_sits_nobody_waits(house: House) -> None:
    table = house.open("goose")["table"]["id"]
    waiting = {"waiting": "true", "game": "goose"}
    assert house.http.get("/api/tables", params=waiting).json() == []
    house.sit(table, "Ann")
    assert [line["id"] for line in house.http.get("/api/tables", params=waiting).json()] == [table]


def test_a_table_that_somebody_opened_is_found_too_but_no_private_one(house: House) -> None:
    house.open("connect_four", public=False)
    opened = house.open("connect_four")["table"]["id"]
    assert pair(house) == opened


def test_nobody_is_paired_with_who_has_gone(house: House) -> None:
    (ann,) = house.table_of("Ann", seats=2)
    with house.services.store.engine.begin() as connection:
        connection.execute(update(TABLES).values(changed=time.time() - 3000))
        connection.execute(update(SEEN).values(at=time.time() - 3000))
    other = pair(house)
    assert other != ann.table
    house.services.store.processes.note_seen([(ann.table, 0)])
    assert pair(house) == ann.table, "she is there, and has waited longer"


def meet(houses: list[House], people: int) -> int:
    """So many who come at once, by way of these processes; returns how many tables were opened for them."""
    with ThreadPoolExecutor(people) as pool:
        return len(set(pool.map(pair, [houses[number % len(houses)] for number in range(people)])))


def test_two_who_come_at_once_meet_whatever_process_they_reach(build: Build, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'both.sqlite'}"
    assert meet([build(database=database, workers=2) for _ in range(2)], 6) == 1


@pytest.mark.xdist_group("postgres")
def test_they_meet_by_way_of_postgresql_too(build: Build, postgres: Postgres) -> None:
    database = postgres.new_database()
    assert meet([build(database=database) for _ in range(2)], 6) == 1
