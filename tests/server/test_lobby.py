"""Opening tables, finding them, sitting down, and coming together again."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest
from sqlalchemy.exc import SQLAlchemyError

from databases import Postgres
from parlour.engine import registry
from parlour.protocol import ClockSpec, LobbyView, Sat, TableLine
from parlour.server.basics.errors import StoreFailed
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.names import MAX_NAME, clean_name
from parlour.server.rooms.lobby import Lobby
from parlour.server.running import housekeeping
from parlour.server.store import Filter
from parlour.server.store.append import Append
from parlour.server.store.lists import LOBBY, Lists
from parlour.server.store.schema import TABLES
from parlour.server.tables.fold import fold
from parlour.server.tables.listener import MAX_BYTES, Listener
from parlour.server.tables.table import Table, TableSpec
from parlour.server.telling.views import table_line
from serving import Build, House, Live, Seat, mover, play_out, refused, until

LINE = TableLine("x", "goose", "Goose", "open", [], 2, 2, {}, 0.0, 0.0)


FAMILY = "👩🏽\u200d👩🏽\u200d👧🏽\u200d👦🏽"  # one sign, of 41 bytes


@pytest.mark.parametrize(("seats", "sign"), [(8, FAMILY), (576, "🦊")], ids=["families", "many seats"])
def test_the_longest_list_can_be_sent(seats: int, sign: str) -> None:
    """A table of 576 long names was a megabyte: four of them, and nobody could be told the list any more."""
    game = registry.get("game17")
    blank = TableSpec("x" * 22, "game17", game.version, {"edge": 24}, seats, True, True, ClockSpec(), 90.0, "s", 0.0)
    table, name = Table(blank), clean_name(sign * MAX_NAME, seats)
    for seat in range(seats):
        fold(table, Sat(seat=seat, name=name, nonce="", number=seat + 1, at=0.0))
    stored = Append("x", [], table_line(table, 0.0), None).table_row()["line"]
    lines = [msgspec.json.decode(stored, type=TableLine)] * sum(LOBBY.values())
    assert len(msgspec.json.encode(LobbyView(lines))) < MAX_BYTES


def test_where_many_sit_names_are_short(house: House) -> None:
    large, small = (house.open("game17", seats=seats)["table"]["id"] for seats in (9, 2))
    refused(house.http.post(f"/api/tables/{large}/sit", json={"name": FAMILY * 5}), "bad_name", 400, "100 bytes")
    house.sit(small, FAMILY * 5)
    wish = {"game": "game17", "seats": 9, "name": FAMILY * 5}
    refused(house.http.post("/api/tables", json=wish), "bad_name", 400, "100 bytes")


def finish(house: House, *names: str, game: str = "connect_four") -> list[Seat]:
    """A match that is over."""
    seats = house.table_of(*names, game=game)
    seats[0].must("resign")
    return seats


def listed(house: House, **query: Any) -> list[str]:
    return [line["id"] for line in house.http.get("/api/tables", params=query).json()]


def test_a_table_is_opened_as_wished(house: House) -> None:
    wish = {"seats": 3, "options": {"maze": 30, "drink": True}, "hints": False, "grace": 5}
    table = house.open("goose", clock={"kind": "bank", "seconds": 60, "increment": 2}, **wish)["table"]
    assert table["phase"] == "open"
    assert table["options"] == {"maze": 30, "drink": 1, "stakes": 0}
    assert [seat["kind"] for seat in table["seats"]] == ["free"] * 3
    assert table["clock"] == {"kind": "bank", "seconds": 60, "increment": 2}
    assert (table["hints"], table["grace"]) == (False, 5)
    assert len(table["commitment"]) == 64


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": "goose", "seats": 9}, "9"),
        ({"game": "goose", "options": {"maze": 31}}, "maze"),
        ({"game": "goose", "options": {"colour": 1}}, "colour"),
        ({"game": "goose", "bots": {"0": "deep_blue"}}, "deep_blue"),
        ({"game": "goose", "bots": {"7": "random"}}, "7"),
        ({"game": "goose", "bots": {"x": "random"}}, "x"),
        ({"game": "goose", "clock": {"kind": "turn", "seconds": 0}}, "clock"),
        ({"game": "goose", "clock": {"kind": "bank", "seconds": 60, "increment": -1}}, "increment"),
    ],
)
def test_what_there_is_not_is_refused(shared_house: House, wish: dict[str, Any], words: str) -> None:
    refused(shared_house.http.post("/api/tables", json=wish), "bad_option", 400, words)
    assert listed(shared_house) == []


@pytest.mark.parametrize("wish", [{}, {"game": 1}, {"game": "goose", "colour": "red"}, {"game": "goose", "seats": -1}])
def test_what_makes_no_sense_is_refused(shared_house: House, wish: dict[str, Any]) -> None:
    refused(shared_house.http.post("/api/tables", json=wish), "bad_request", 400)


def test_the_match_begins_when_the_last_sits_down(house: House) -> None:
    table = house.open()["table"]["id"]
    house.sit(table, "Ann")
    assert house.view(table)["phase"] == "open"
    house.sit(table, "Bob")
    view = house.view(table)
    assert view["phase"] == "playing"
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Bob"]


def test_one_person_against_bots_is_a_normal_table(house: House) -> None:
    table = house.open("goose", seats=3, bots={"0": "random", "2": "greedy"})["table"]["id"]
    ann = house.sit(table, "Ann")
    assert ann.number == 1
    assert house.view(table)["phase"] == "playing"
    until(lambda: ann.view()["choices"] or ann.view()["phase"] == "over")
    assert play_out([ann])["ending"]["reason"] == "rules"


def test_bots_alone_play_at_once(house: House) -> None:
    table = house.open("goose", seats=2, bots={"0": "random", "1": "random"})["table"]["id"]
    until(lambda: house.view(table)["phase"] == "over")


def test_a_seat_can_be_chosen_and_not_taken_twice(house: House) -> None:
    table = house.open("goose", seats=4)["table"]["id"]
    assert house.sit(table, "Ann", seat=2).number == 2
    refused(
        house.http.post(f"/api/tables/{table}/sit", json={"name": "Bob", "seat": 2}), "seat_taken", 409, "that seat"
    )
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "Bob", "seat": 9}), "bad_request", 400, "0 to 3")
    assert house.sit(table, "Bob").number == 0


def test_nobody_sits_down_once_it_has_begun(house: House) -> None:
    seats = house.table_of("Ann", "Bob")
    refused(house.http.post(f"/api/tables/{seats[0].table}/sit", json={"name": "Eve"}), "not_open", 409)


def test_a_private_table_takes_an_invitation(house: House) -> None:
    opened = house.open(public=False)
    table = opened["table"]["id"]
    path = f"/api/tables/{table}/sit"
    refused(house.http.post(path, json={"name": "Eve"}), "forbidden", 403, "private")
    refused(house.http.post(path, json={"name": "Eve", "invite": "x" * 32}), "forbidden", 403)
    assert house.sit(table, "Ann", invite=opened["invite"]).number == 0
    assert listed(house) == []
    assert house.view(table)["seats"][0]["name"] == "Ann", "who has the link may watch"


def test_names_at_a_table_differ(house: House) -> None:
    seats = house.table_of("Ann", "ann", "Ann", game="goose", seats=3)
    assert [seat["name"] for seat in seats[0].view()["seats"]] == ["Ann", "ann 2", "Ann 3"]


def test_whoever_leaves_before_the_match_frees_the_seat(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", game="goose", seats=3)
    bob.must("leave")
    assert [seat["kind"] for seat in house.view(ann.table)["seats"]] == ["person", "free", "free"]
    refused(bob.do("chat", text="hello?"), "unauthorised", 401)
    assert house.sit(ann.table, "Eve").number == 1


def test_who_left_cannot_play_the_seat_that_another_took(house: House) -> None:
    """A socket that was Ann's must not become Eve's with her seat."""
    ann, bob = house.table_of("Ann", "Bob", game="goose", seats=3)
    with bob.live() as left:
        assert left.ask("leave")["type"] == "ack"
        eve = house.sit(ann.table, "Eve")
        assert eve.number == bob.number
        for command in ({"type": "chat", "text": "I am Eve"}, {"type": "leave"}, {"type": "start", "fill": "random"}):
            answer = left.ask(**command)
            assert (answer["type"], answer.get("code")) == ("reject", "unauthorised")
    assert [seat["name"] for seat in house.view(ann.table)["seats"][:2]] == ["Ann", "Eve"]


def test_start_fills_free_seats_with_bots(house: House) -> None:
    (ann,) = house.table_of("Ann", game="goose", seats=4)
    refused(ann.do("start"), "forbidden", 403, "3 of 4 seats")
    refused(ann.do("start", fill="deep_blue"), "bad_option", 400, "deep_blue")
    ann.must("start", fill="random")
    view = house.view(ann.table)
    assert view["phase"] == "playing"
    assert [seat["kind"] for seat in view["seats"]] == ["person", "bot", "bot", "bot"]
    refused(ann.do("start", fill="random"), "not_open", 409)


def test_a_bot_is_put_at_a_seat_and_sent_away(house: House) -> None:
    (ann,) = house.table_of("Ann", game="goose", seats=3)
    ann.must("bots", seat=2, bot="greedy")
    assert house.view(ann.table)["seats"][2]["kind"] == "bot"
    ann.must("bots", seat=2)
    assert house.view(ann.table)["seats"][2]["kind"] == "free"
    refused(ann.do("bots", seat=0, bot="random"), "seat_taken", 409, "Ann")
    refused(ann.do("bots", seat=3, bot="random"), "bad_request", 400, "0 to 2")
    refused(ann.do("bots", seat=2, bot="deep_blue"), "bad_option", 400)


def test_a_rematch_keeps_a_seat_for_everybody_and_swaps_sides(house: House) -> None:
    ann, bob = finish(house, "Ann", "Bob")
    with ann.live() as live:
        bob.must("rematch")
        told = live.hear("update")
    again = house.view(ann.table)["rematch"]
    assert told["body"] == {"table": again}
    assert [seat["kind"] for seat in house.view(again)["seats"]] == ["kept", "kept"]
    refused(house.http.post(f"/api/tables/{again}/sit", json={"name": "Eve"}), "seat_taken", 409)
    refused(house.http.post(f"/api/tables/{again}/sit", json={"name": "Eve", "seat": 0}), "seat_taken", 409, "Bob's")
    assert house.sit(again, "Bob", token=bob.token).number == 0
    assert house.sit(again, "Ann", token=ann.token).number == 1
    view = house.view(again)
    assert view["phase"] == "playing"
    assert view["commitment"] != house.view(ann.table)["commitment"], "a rematch has dice of its own"


def test_there_is_one_rematch(house: House) -> None:
    ann, bob = finish(house, "Ann", "Bob")
    first = ann.do("rematch", cid="again").json()
    assert ann.do("rematch", cid="again").json() == first, "the same command gets the same answer"
    refused(bob.do("rematch"), "stale", 409, "already")
    assert len(listed(house)) == 1


def test_two_who_want_a_rematch_at_once_get_one(house: House) -> None:
    pair = finish(house, "Ann", "Bob")
    with ThreadPoolExecutor(2) as both:
        answers = [answer.json() for answer in both.map(lambda seat: seat.do("rematch"), pair)]
    assert sorted("code" in answer for answer in answers) == [False, True]
    assert listed(house) == [house.view(pair[0].table)["rematch"]], "no table is left over"


def test_a_rematch_comes_after_the_match(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    refused(ann.do("rematch"), "not_over", 409)
    assert len(listed(house)) == 1


def test_kept_seats_can_be_given_to_bots(house: House) -> None:
    ann, _ = finish(house, "Ann", "Bob")
    ann.must("rematch")
    again = house.view(ann.table)["rematch"]
    seat = house.sit(again, "Ann", token=ann.token)
    refused(seat.do("bots", seat=0, bot="random"), "seat_taken", 409, "Bob")
    seat.must("start", fill="random")
    assert house.view(again)["phase"] == "playing"


def test_anybody_may_watch(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    with house.live(ann.table) as eve:
        welcome = eve.heard[0]["table"]
        assert (welcome["you"], welcome["choices"]) == (None, [])
        ann.must("act", ply=0, action=3)
        update = eve.hear("update")
        assert (update["kind"], update["seat"], update["body"]["actions"]) == ("act", 0, [3])
        assert all(message["type"] != "choices" for message in eve.heard)
        bob.must("chat", text="hello")
        assert eve.hear("update")["body"] == {"text": "hello"}


def test_the_list_tells_itself_again_when_it_changes(house: House) -> None:
    with house.connect("/api/lobby/live") as wire:
        lobby = Live(wire)
        assert lobby.hear("lobby")["tables"] == []
        table = house.open("goose", seats=2)["table"]["id"]
        (line,) = lobby.hear("lobby_change")["tables"]
        assert (line["id"], line["phase"], line["free"]) == (table, "open", 2)
        ann, bob = house.sit(table, "Ann"), house.sit(table, "Bob")
        while (line := lobby.hear("lobby_change")["tables"][0])["phase"] != "playing":
            pass
        assert (line["names"], line["people"]) == (["Ann", "Bob"], 2)
        mover([ann, bob]).must("act", ply=0, action=0)
        heard = len(lobby.heard)
        time.sleep(1.5)
        other = house.open("goose", seats=2)["table"]["id"]
        assert [line["id"] for line in lobby.hear("lobby_change")["tables"]] == [other], "a move is no news"
        assert len(lobby.heard) == heard + 1
        ann.must("resign")
        assert lobby.hear("lobby_change") == {"type": "lobby_change", "tables": [], "gone": [table]}


def looked_at(house: House) -> list[str]:
    """The tables that somebody sees who comes to look at the list."""
    with house.connect("/api/lobby/live") as wire:
        return [line["id"] for line in Live(wire).hear("lobby")["tables"]]


def test_tables_that_wait_come_first_and_matches_against_bots_are_not_listed(house: House) -> None:
    waiting = house.open("goose", seats=2)["table"]["id"]
    played = house.table_of("Ann", "Bob")[0].table
    solo = house.open("connect_four", bots={"1": "random"})["table"]["id"]
    assert looked_at(house) == [solo, waiting, played]
    house.sit(solo, "Eve")
    # While the server still takes the first to look on, whoever comes is given the list as those have it.
    until(lambda: looked_at(house) == [waiting, played])
    assert set(listed(house)) == {waiting, played}
    assert house.view(solo)["phase"] == "playing", "whoever has the link may watch"


def test_finished_matches_are_found_by_name_and_game(house: House) -> None:
    one = finish(house, "Ann", "Bob")[0].table
    two = finish(house, "Änne%_", "Carl", game="goose")[0].table
    house.table_of("Ann", "Dora")
    assert listed(house, phase="over") == [two, one]
    assert listed(house, phase="over", game="goose") == [two]
    assert listed(house, phase="over", name="ann") == [one]
    assert listed(house, phase="over", name="ÄNN") == [two]
    assert listed(house, phase="over", name="%_") == [two], "no character is a wildcard"
    assert listed(house, phase="over", name="nobody") == []
    assert listed(house, phase="over", name="Ann", game="goose") == []


def test_long_lists_come_in_pages(house: House) -> None:
    tables = [finish(house, "Ann", "Bob")[0].table for _ in range(5)]
    found: list[str] = []
    before = None
    while lines := house.http.get(
        "/api/tables", params={"phase": "over", "limit": 2, **({"before": before} if before else {})}
    ).json():
        assert len(lines) <= 2
        found += [line["id"] for line in lines]
        before = lines[-1]["changed"]
    assert found == tables[::-1]


def age(house: House, table: str, days: float) -> None:
    """Make a table look as if it had not changed for so long."""
    before = time.time() - days * housekeeping.DAY
    with house.services.store.engine.begin() as connection:
        connection.execute(TABLES.update().where(TABLES.c.id == table).values(changed=before))


def gone(house: House, table: str) -> bool:
    return house.http.get(f"/api/tables/{table}").status_code == 404


def test_keep_deletes_matches_by_age(build: Build) -> None:
    house = build(keep=10)
    old, new = finish(house, "Ann", "Bob")[0].table, finish(house, "Ann", "Bob")[0].table
    age(house, old, 11)
    age(house, new, 9)
    house.run(house.services.housekeeping.sweep)
    assert gone(house, old)
    assert not gone(house, new)


def test_without_keep_matches_stay_for_ever(house: House) -> None:
    old = finish(house, "Ann", "Bob")[0].table
    age(house, old, 20_000)
    house.run(house.services.housekeeping.sweep)
    assert listed(house, phase="over") == [old]


def test_tables_where_nobody_came_to_play_are_removed(house: House) -> None:
    (ann,) = house.table_of("Ann", game="goose", seats=2)
    waiting = house.open()["table"]["id"]
    age(house, ann.table, 2)
    house.run(house.services.housekeeping.sweep)
    assert gone(house, ann.table)
    assert not gone(house, waiting)


def test_a_table_that_is_gone_takes_no_other_with_it(house: House) -> None:
    """What cannot be stored for one table is stored for all others."""
    (ann,) = house.table_of("Ann", game="goose", seats=2)
    with ann.live() as live:
        age(house, ann.table, 2)
        house.run(house.services.housekeeping.sweep)
        assert live.hear("bye")["code"] == "not_found"


def test_unknown_tables_are_not_found(house: House) -> None:
    for path in ("", "/log", "/replay", "/frames", "/picture"):
        refused(house.http.get(f"/api/tables/nonsense{path}"), "not_found", 404)


def test_a_match_that_is_being_played_is_never_too_old(build: Build) -> None:
    house = build(keep=7)
    ann, _ = house.table_of("Ann", "Bob", clock={"kind": "turn", "seconds": 14 * housekeeping.DAY})
    age(house, ann.table, 10)
    house.run(house.services.housekeeping.sweep)
    assert house.view(ann.table)["phase"] == "playing"


def test_a_list_that_could_not_be_read_is_told_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """And whoever comes in between takes nothing from the others."""
    with house.connect("/api/lobby/live") as wire:
        assert json.loads(wire.receive(5))["tables"] == []
        read, failed = Lists.lobby, list[bool]()

        def fails_once(lists: Lists, *arguments: Any, **named: Any) -> Any:
            if not failed:
                failed.append(True)
                raise SQLAlchemyError("for a moment")
            return read(lists, *arguments, **named)

        monkeypatch.setattr(Lists, "lobby", fails_once)
        table = house.open()["table"]["id"]
        until(lambda: failed)
        with house.connect("/api/lobby/live") as late:
            assert [line["id"] for line in json.loads(wire.receive(5))["tables"]] == [table]
            lists = [json.loads(late.receive(5))]
            while not any(line["id"] == table for heard in lists for line in heard["tables"]):
                lists.append(json.loads(late.receive(5)))


def test_a_list_that_could_not_be_read_is_still_to_be_told() -> None:
    async def fail_once() -> int:
        lines, hears = AsyncMock(side_effect=[[], StoreFailed("for once"), [LINE]]), AsyncMock()
        lobby, listener = Lobby(lines, SteadyClock()), Listener(hears, Mock())
        await lobby.join(listener)
        with pytest.raises(StoreFailed):
            await lobby.tell()
        await lobby.tell()
        await listener.flush()
        return hears.await_count

    assert asyncio.run(fail_once()) == 2


def test_who_comes_while_the_list_changes_hears_of_it() -> None:
    """The list that they have asked for is old by the time that it has been read: they get the one that others have."""

    async def come() -> list[bytes]:
        lists: list[list[TableLine]] = [[], [LINE], []]
        is_read, heard = asyncio.Event(), list[bytes]()

        async def lines(since: float, wanted: Filter) -> list[TableLine]:
            found = lists.pop(0)
            if len(lists) == 2:  # the first list comes late
                await is_read.wait()
            return found

        async def hears(message: bytes) -> None:
            heard.append(message)

        lobby = Lobby(lines, SteadyClock())
        early, late = Listener(AsyncMock(), Mock()), Listener(hears, Mock())
        coming = asyncio.create_task(lobby.join(late))
        await asyncio.sleep(0)
        await lobby.join(early)
        is_read.set()
        await coming
        lobby.has_changed = True
        await lobby.tell()
        await late.flush()
        return heard

    whole, change = asyncio.run(come())
    assert b"Goose" in whole
    assert json.loads(change) == {"type": "lobby_change", "tables": [], "gone": [LINE.id]}


def test_the_list_changes_for_who_looks_at_a_process_without_tables(build: Build, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'both.sqlite'}"
    one, two = (build(database=database, workers=2) for _ in range(2))
    with two.connect("/api/lobby/live") as wire:
        lobby = Live(wire)
        assert lobby.hear("lobby")["tables"] == []
        two.services.lobby.has_changed = False
        one.open("goose", seats=2)
        assert len(lobby.hear("lobby_change")["tables"]) == 1


# What is left behind.


def test_a_name_that_cannot_be_taken_opens_no_table(house: House) -> None:
    answer = house.http.post("/api/tables", json={"game": "goose", "name": "Ada (bot)"})
    refused(answer, "bad_name", 400, "brackets")
    assert listed(house) == []
    table = house.open("goose", name="👨🏻‍👩🏻‍👧🏻‍👦🏻" * 24)["table"]["id"]
    house.sit(table, "👨🏻‍👩🏻‍👧🏻‍👦🏻" * 24)


def test_a_table_that_everybody_has_left_is_gone(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", game="goose", seats=3)
    ann.must("leave", cid="goodbye")
    assert listed(house) == [ann.table], "Bob is still there"
    bob.must("leave")
    with house.connect("/api/lobby/live") as wire:
        assert Live(wire).hear("lobby")["tables"] == []
    house.run(house.services.housekeeping.sweep)
    refused(house.http.get(f"/api/tables/{ann.table}"), "not_found", 404)


# Rematches.


def test_a_kept_seat_that_a_bot_took_is_not_held_by_its_old_token(house: House) -> None:
    ann, bob = finish(house, "Ann", "Bob")
    ann.must("rematch")
    again = house.view(ann.table)["rematch"]
    ann = house.sit(again, "Ann", token=ann.token)
    ann.must("start", fill="random")
    assert house.view(again)["seats"][0]["kind"] == "bot"
    refused(Seat(house, again, 0, bob.token).do("act", ply=0, action=0), "unauthorised", 401)


@pytest.mark.xdist_group("postgres")
def test_rematches_by_way_of_many_processes_open_one_table(build: Build, postgres: Postgres) -> None:
    database = postgres.new_database()
    houses = [build(database=database) for _ in range(3)]
    for _ in range(4):
        seats = finish(houses[0], "Ann", "Bob")
        threads = [
            threading.Thread(target=Seat(house, seat.table, seat.number, seat.token).do, args=("rematch",))
            for house in houses
            for seat in seats
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    lines = houses[0].http.get("/api/tables", params={"phase": "open", "limit": 100}).json()
    assert len(lines) == 4, "one for each match, and no orphans"
