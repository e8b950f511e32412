"""Another version of a game's rules: what was played by the old one is ended, told, and still to be seen."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from litestar.testing import TestClient

from databases import Postgres
from parlour.engine import registry, replay
from parlour.engine.errors import OtherRules, UnknownName
from parlour.protocol import Acted, ClockSpec, TableLine, Undone
from parlour.server.admin import upgrade_check
from parlour.server.app import make_app
from parlour.server.basics.config import Config
from parlour.server.tables.past import PastTable
from parlour.server.tables.table import TableSpec
from serving import ROOMY, House, Place, Seat, Server, mover, play_out, refused, until

DATA = Path(__file__).parents[1] / "data"
Serving = Callable[..., contextlib.AbstractContextManager[House]]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'parlour.sqlite'}"


@pytest.fixture
def serving(address: str) -> Serving:
    """A server that begins and ends, with the same database each time."""

    @contextlib.contextmanager
    def serve(**settings: Any) -> Iterator[House]:
        config: dict[str, Any] = {"database": address, **ROOMY, **settings}
        with TestClient(make_app(Config(**config))) as client:
            yield House(client)

    return serve


@pytest.fixture
def new_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called, Connect Four has another version, and Goose is not among the games."""
    known = registry.get
    newer = dataclasses.replace(known("connect_four"), version=known("connect_four").version + 1)

    def get(name: str) -> Any:
        if name == "goose":
            raise UnknownName("there is no game 'goose'")
        return newer if name == "connect_four" else known(name)

    def upgrade() -> None:
        monkeypatch.setattr(registry, "get", get)
        monkeypatch.setattr(registry, "names", lambda: ["choccer", "connect_four"])

    return upgrade


def begin(house: Place, game: str = "connect_four", plies: int = 3) -> list[Seat]:
    seats = house.table_of("Ann", "Bob", game=game)
    for ply in range(plies):
        seat = seats[seats[0].view()["position"]["to_move"]]
        seat.must("act", ply=ply, action=seat.view()["choices"][0]["action"])
    return seats


def test_what_cannot_be_played_on_is_ended_and_can_be_seen(serving: Serving, new_rules: Callable[[], None]) -> None:
    with serving() as house:
        ann, _ = begin(house)
        waiting = house.table_of("Lea")[0]
        goose = begin(house, "goose", plies=1)[0]  # with more, luck could end it
        chess = begin(house, "choccer")[0]
        before = house.view(ann.table, pictures=True)
    new_rules()
    with serving() as house:
        until(lambda: [line["id"] for line in house.http.get("/api/tables").json()] == [chess.table])
        now = house.view(ann.table, pictures=True)
        assert (now["phase"], now["ending"]["reason"], now["ending"]["winners"]) == ("over", "upgrade", [])
        assert now["ending"]["text"].startswith("Ended by an upgrade: it was played by version 1 of the rules")
        assert (now["story"], now["backdrop"], now["size"]) == (before["story"], before["backdrop"], before["size"])
        assert now["position"]["scene"] == before["position"]["scene"]
        assert [seat["name"] for seat in now["seats"]] == ["Ann", "Bob"]
        assert house.log(ann.table)[-1]["kind"] == "close"
        assert house.view(goose.table)["ending"]["text"].endswith("not among the games of this server any more")
        assert house.view(goose.table)["story"]
        assert house.view(waiting.table)["phase"] == "over"
        refused(house.http.get(f"/api/tables/{waiting.table}/frames"), "not_found", 404, "were not kept")
        move = Seat(house, chess.table, chess.number, chess.token).view()["position"]["ply"]
        assert move == 3, "other matches go on"


def test_its_plies_are_counted_without_those_taken_back() -> None:
    spec = TableSpec("x", "gone", 1, {}, 2, True, True, ClockSpec(), 90.0, "5e" * 32, 0.0)
    table = PastTable(spec, TableLine("x", "gone", "Gone", "over", ["Ann", "Bob"], 2, 0, {}, 0.0, 0.0), None, "gone")
    for entry in (Acted(seat=0, ply=0, actions=[1, 2]), Acted(seat=1, ply=2, actions=[3])):
        table.pass_over(entry)
    table.pass_over(Undone(seat=0, ply=3, spent=0.0, plies=2))
    assert (table.ply, table.actions) == (1, [1])


def test_its_players_are_told_and_may_talk_but_not_play(serving: Serving, new_rules: Callable[[], None]) -> None:
    with serving() as house:
        ann, _ = begin(house)
    new_rules()
    with serving() as house, house.live(ann.table, ann.token) as live:
        welcome = live.heard[0]["table"]
        assert (welcome["you"], welcome["phase"], welcome["ending"]["reason"]) == (0, "over", "upgrade")
        assert "version 1" in welcome["old_rules"]
        assert live.ask("act", ply=3, action=0)["code"] == "not_playing"
        assert live.ask("rematch")["code"] == "not_playing"
        assert live.ask("chat", text="what a pity")["type"] == "ack"
    with serving() as house:
        assert house.view(ann.table)["chat"][0]["text"] == "what a pity"


def test_a_finished_match_can_be_watched_and_says_why_it_is_not_verified(
    serving: Serving, new_rules: Callable[[], None]
) -> None:
    with serving() as house:
        seats = house.table_of("Ann", "Bob")
        before = play_out(seats)
        table = seats[0].table
        shown = house.http.get(f"/api/tables/{table}/frames", params={"first": 2, "count": 3}).json()
        summary = house.http.get(f"/api/tables/{table}/summary").json()
        assert len(summary["plies"]) == before["position"]["ply"]
        picture = house.http.get(f"/api/tables/{table}/picture", params={"ply": 4}).text
        saved = house.http.get(f"/api/tables/{table}/replay").text
    new_rules()
    with serving() as house:
        now = house.http.get(f"/api/tables/{table}/frames", params={"first": 2, "count": 3}).json()
        assert now.pop("old_rules").startswith("it was played by version 1 of the rules")
        assert shown.pop("old_rules") is None
        assert now == shown
        assert house.http.get(f"/api/tables/{table}/summary").json() == summary | {"scored": True, "judged": False}
        assert house.http.get(f"/api/tables/{table}/picture", params={"ply": 4}).text == picture
        assert house.http.get(f"/api/tables/{table}/replay").text == saved
        with pytest.raises(OtherRules, match="played by older rules"):
            replay.doubts(replay.loads(saved))
        view = house.view(table)
        assert (view["ending"], view["story"]) == (before["ending"], before["story"])
        refused(house.http.get(f"/api/tables/{table}/picture", params={"ply": 999}), "not_found", 404, "plies")


def test_many_stranded_matches_hold_up_nobody(serving: Serving, new_rules: Callable[[], None], address: str) -> None:
    with serving() as house:
        for _ in range(5):
            begin(house, plies=0)
        chess = begin(house, "choccer", plies=0)
    _multiply(address, "connect_four", 40)
    new_rules()
    with serving() as house:
        until(lambda: house.run(house.services.store.count, "playing") == 1)
        seat = chess[house.view(chess[0].table)["position"]["to_move"]]
        seat = Seat(house, seat.table, seat.number, seat.token)
        seat.must("act", ply=0, action=seat.view()["choices"][0]["action"])


def _multiply(address: str, game: str, times: int) -> None:
    """Many more tables like those of the game, as a large server has them: all are overdue."""
    with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection, connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(tables)")]
        others = ", ".join(name for name in columns if name not in ("id", "line", "wake"))
        for number in range(times):
            connection.execute(
                f"INSERT INTO tables (id, line, wake, {others}) SELECT substr(id, 1, 16) || ?,"
                f" CAST(replace(CAST(line AS TEXT), id, substr(id, 1, 16) || ?) AS BLOB), 1, {others}"
                " FROM tables WHERE game = ? AND length(id) = 22",
                [f"{number:05}", f"{number:05}", game],
            )


def test_the_check_says_what_would_be_ended_and_changes_nothing(
    serving: Serving, new_rules: Callable[[], None], address: str
) -> None:
    with serving() as house:
        begin(house)
        play_out(house.table_of("Cid", "Dan"))
    assert upgrade_check.check(address).lines().__next__() == "Every match can be played on."
    new_rules()
    report = upgrade_check.check(address)
    assert [(group.game, group.matches, group.seen) for group in report.ended] == [("connect_four", 1, 1)]
    assert [(group.game, group.matches, group.seen) for group in report.unverified] == [("connect_four", 1, 1)]
    assert report.ended == upgrade_check.check(address).ended


def test_the_check_counts_only_albums_that_there_are(
    serving: Serving, new_rules: Callable[[], None], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """None in a database of before there were any; and what an album does not show yet is to be drawn."""
    file = address.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.executescript((DATA / "database-0001.sql").read_text("utf-8"))
    new_rules()
    old = upgrade_check.check(address)
    found = [*old.ended, *old.unverified]
    assert {group.matches > 0 for group in found} == {True}
    assert {group.seen for group in found} == {0}
    assert sum(group.lacking for group in found) > 0
    assert any("--prepare" in line for line in old.lines())
    monkeypatch.undo()
    Path(file).unlink()
    with serving() as house:
        begin(house)
        house.table_of("Lea")
    new_rules()

    def counts() -> list[tuple[int, int, int]]:
        return [(group.matches, group.seen, group.lacking) for group in upgrade_check.check(address).ended]

    assert counts() == [(2, 1, 0)]
    advice = [line for line in upgrade_check.check(address).lines() if "--prepare" in line]
    assert advice == [], "at a table that has not begun there is nothing to be seen"
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE albums SET number = number - 1")  # somebody has played on since
    assert counts() == [(2, 1, 1)]
    monkeypatch.undo()
    assert upgrade_check.prepare(address) == (1, {})
    new_rules()
    assert counts() == [(2, 1, 0)]


def test_what_is_played_by_newer_rules_waits_for_them(
    serving: Serving, new_rules: Callable[[], None], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    new_rules()
    with serving() as house:
        ann, _ = begin(house)
        over = play_out(house.table_of("Cid", "Dan"))["id"]
    monkeypatch.undo()  # back to the old version
    report = upgrade_check.check(address)
    assert (report.ended, [group.matches for group in report.waiting], report.is_harmless) == ([], [1], False)
    with serving() as house:
        house.run(house.services.upgrades.end_stranded)
        refused(house.http.get(f"/api/tables/{ann.table}"), "busy", 503, "goes on where the newer rules are")
        assert house.view(over)["old_rules"]
    new_rules()
    with serving() as house:
        assert Seat(house, ann.table, ann.number, ann.token).view()["phase"] == "playing"


def test_albums_are_drawn_beforehand(serving: Serving, new_rules: Callable[[], None], address: str) -> None:
    with serving() as house:
        ann, _ = begin(house)
    with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("DELETE FROM albums")  # as after a crash
    assert upgrade_check.prepare(address) == (1, {})
    assert upgrade_check.prepare(address) == (0, {})
    new_rules()
    with serving() as house:
        assert len(house.view(ann.table)["story"]) == 3


def test_a_drained_server_ends_matches_begins_none_and_stops(
    serving: Serving, serve: Callable[..., Server], address: str
) -> None:
    with serving() as house:
        ann, bob = begin(house, plies=0)
        lea = house.table_of("Lea")[0]
    server = serve("--drain", database=address)
    refused(server.place.http.post("/api/tables", json={"game": "goose"}), "maintenance", 503)
    sat = server.place.http.post(f"/api/tables/{lea.table}/sit", json={"name": "Max"})
    refused(sat, "maintenance", 503, "will stop soon")
    seats = [Seat(server.place, seat.table, seat.number, seat.token) for seat in (ann, bob)]
    seats[0].must("resign")
    assert server.process is not None
    assert server.process.wait(20) == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]  # every line is JSON
    assert "draining: 0 matches are still played" in [line["message"] for line in lines]
    assert all(line["worker"] for line in lines)
    assert {"request", "address"} <= next(line for line in lines if line["message"].startswith("POST")).keys()


@pytest.mark.xdist_group("postgres")
def test_on_postgresql_what_another_process_still_plays_is_left_to_it(
    postgres: Postgres, new_rules: Callable[[], None]
) -> None:
    database = postgres.new_database()
    settings: dict[str, Any] = {"database": database, **ROOMY}
    with contextlib.ExitStack() as at_first, contextlib.ExitStack() as later:
        ann, _ = begin(House(at_first.enter_context(TestClient(make_app(Config(**settings))))))
        new = House(later.enter_context(TestClient(make_app(Config(**settings)))))
        new_rules()
        new.run(new.services.upgrades.end_stranded)
        refused(new.http.get(f"/api/tables/{ann.table}"), "busy", 503, "old version")
        at_first.close()  # the old process ends
        new.run(new.services.upgrades.end_stranded)
        assert new.view(ann.table)["ending"]["reason"] == "upgrade"
    report = upgrade_check.check(database)
    assert (report.ended, [(group.matches, group.lacking) for group in report.unverified]) == ([], [(1, 0)])


def test_a_database_of_the_first_version_is_ended_by_an_upgrade_too(
    serving: Serving, new_rules: Callable[[], None], address: str
) -> None:
    old = json.loads((DATA / "database-0001.json").read_text("utf-8"))
    with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection:
        connection.executescript((DATA / "database-0001.sql").read_text("utf-8"))
    assert upgrade_check.check(address).revision == "0001"
    with serving():
        pass
    assert upgrade_check.prepare(address)[1] == {}
    new_rules()
    with serving() as house:
        for name, table in old["ids"].items():
            view = house.view(table, pictures=True)
            assert view["story"] == [] or view["position"]["scene"], name


def test_albums_wait_while_the_process_is_busy(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrades, drawn = house.services.upgrades, AsyncMock()
    monkeypatch.setattr(upgrades, "draw", drawn)
    for used, times in ((0.9, 0), (0.1, 1)):
        upgrades._looked = time.monotonic() - 1000, time.process_time() - 1000 * used
        house.run(upgrades.draw_when_idle)
        assert drawn.await_count == times


@pytest.mark.parametrize("has_album", [True, False])
def test_what_was_ended_by_an_upgrade_is_verified_by_the_version_that_has_its_rules(
    serving: Serving,
    new_rules: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    *,
    has_album: bool,
) -> None:
    """Also a match with stakes, which are given out when it ends; and also after a crash, which left no album."""
    with serving() as house:
        plain = begin(house)
        staked = house.table_of("Ann", "Bob", game="goose", options={"stakes": True})
        for ply in range(4):
            mover(staked).must("act", ply=ply, action=0)
        lea = house.table_of("Lea")[0]
    if not has_album:
        with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection, connection:
            connection.execute("DELETE FROM albums")
    new_rules()
    with serving() as house:
        until(lambda: house.run(house.services.store.count, "playing") == 0)
        texts = [house.http.get(f"/api/tables/{seats[0].table}/replay").text for seats in (plain, staked)]
        refused(house.http.get(f"/api/tables/{lea.table}/replay"), "not_found", 404, "before a match began")
    monkeypatch.undo()  # the old version
    contents = [replay.loads(text) for text in texts]
    assert [len(content.actions) for content in contents] == [3, 4]
    assert [content.result is not None for content in contents] == [has_album] * 2
    assert [replay.doubts(content) for content in contents] == [[], []]
    assert {content.ended.reason for content in contents if content.ended is not None} == {"upgrade"}
