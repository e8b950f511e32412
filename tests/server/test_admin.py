"""What whoever runs the server can do, from the command line and over HTTP; all of it is in the audit log."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from databases import Postgres
from parlour.cli import run
from parlour.server.admin.operator import Operator
from parlour.server.app import make_app
from parlour.server.basics import logs
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.people.restrictions import Ban, Restrictions
from parlour.server.store import engine as engines
from parlour.server.store.closing import Closing
from serving import ROOMY, Build, House, Live, Seat, play_out, refused, until

TOKEN = "a token of twenty signs"


@pytest.fixture
def house(build: Build) -> House:
    return build(admin_token=TOKEN)


def ask(house: House, what: str, token: str = TOKEN, **body: Any) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"}
    if body:
        return house.http.post(f"/api/admin/{what}", json=body, headers=headers)
    return house.http.get(f"/api/admin/{what}", headers=headers)


def did(house: House, what: str, **body: Any) -> Any:
    answer = ask(house, what, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_it_takes_the_token_and_there_is_nothing_without_one(house: House, build: Build) -> None:
    refused(house.http.get("/api/admin/who"), "unauthorised", 401)
    refused(ask(house, "who", token="another token of twenty"), "unauthorised", 401)
    seat = house.table_of("Ann")[0]
    refused(ask(house, "who", token=seat.token), "unauthorised", 401)
    refused(ask(build(), "who"), "not_found", 404)


def test_tables_are_listed_closed_and_deleted(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    hidden = house.open(public=False)["table"]["id"]
    assert [line["id"] for line in did(house, "tables")] == [hidden, ann.table]
    with house.live(ann.table, ann.token) as live:
        did(house, "close", table=ann.table, text="Closed for tonight.")
        update = live.hear("update")
        assert (update["kind"], update["phase"]) == ("close", "over")
        assert update["ending"] == {"reason": "operator", "winners": [], "text": "Closed for tonight."}
    refused(bob.do("act", ply=0, action=0), "not_playing", 409)
    refused(ask(house, "close", table=ann.table), "not_found", 404)
    assert house.http.get(f"/api/tables/{ann.table}/replay").json()["ended"]["reason"] == "operator"
    with house.live(ann.table) as live:
        did(house, "delete", table=ann.table)
        assert live.hear("bye")["code"] == "not_found"
    refused(house.http.get(f"/api/tables/{ann.table}"), "not_found", 404)
    assert [line["action"] for line in did(house, "audit")] == ["delete", "close"]
    assert did(house, "audit")[0]["by"].startswith("api ")


def test_a_table_is_closed_though_something_happens_there_at_the_same_moment(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Either it is closed and noted, or neither."""
    table, close = house.table_of("Ann", "Bob")[0].table, Closing.close_in
    troubles = iter([True] * 5 + [True, False])

    def disturbed(closing: Closing, *arguments: Any) -> bool:
        done = close(closing, *arguments)
        if next(troubles):
            raise IntegrityError("INSERT", {}, Exception("somebody was faster"))
        return done

    monkeypatch.setattr(Closing, "close_in", disturbed)
    assert run(["admin", "--database", sqlite(tmp_path), "close", table]) == 2
    assert "somebody was faster" in capsys.readouterr().err
    assert (house.view(table)["phase"], did(house, "audit")) == ("playing", [])
    did(house, "close", table=table)
    assert [line["action"] for line in did(house, "audit")] == ["close"]
    assert house.view(table)["phase"] == "over"


def test_who_is_on_is_told(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    with house.live(ann.table, ann.token):
        house.run(house.services.housekeeping.beat)
        found = {(one["name"], one["table"], one["seat"]) for one in did(house, "who")}
        assert found == {("Ann", ann.table, 0), ("Bob", ann.table, 1)}


def test_a_name_is_banned_and_let_in_again(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    with house.live(ann.table, ann.token) as live:
        did(house, "ban", kind="name", value="ANN", why="too loud")
        assert live.hear("bye")["message"] == "you are banned from this server: too loud"
    refused(ann.do("chat", text="hello"), "banned", 403)
    table = house.open()["table"]["id"]
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "ann"}), "banned", 403, "too loud")
    assert bob.do("chat", text="hello").status_code == 200
    did(house, "unban", kind="name", value="Ann")
    assert ann.do("chat", text="hello").status_code == 200
    refused(ask(house, "unban", kind="name", value="Ann"), "not_found", 404)


def test_wishes_that_make_no_sense_are_refused_and_not_noted(house: House) -> None:
    ann = {"kind": "name", "value": "Ann"}
    refused(ask(house, "ban", kind="name", value=""), "bad_name", 400)
    refused(ask(house, "ban", **ann, seconds=-5), "bad_request", 400, "more than -5 seconds")
    refused(ask(house, "ban", **ann, why="x" * 1001), "bad_request", 400, "at most 1000")
    refused(ask(house, "maintenance", message="x" * 1001), "bad_request", 400, "at most 1000")
    refused(ask(house, "maintenance", message=" "), "bad_request", 400, "told something")
    refused(ask(house, "maintenance", mesage="Back at eight."), "bad_request", 400, "mesage")
    assert did(house, "audit") == []


def test_what_the_store_did_not_tell_once_is_asked_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    read, failed = Operator.bans, list[bool]()

    def fails_once(operator: Operator) -> list[Ban]:
        if not failed:
            failed.append(True)
            raise SQLAlchemyError("for a moment")
        return read(operator)

    monkeypatch.setattr(Operator, "bans", fails_once)
    ann, _ = house.table_of("Ann", "Bob")
    Operator(house.services.store.engine, house.services.clock, "a test").ban("name", "Ann")
    until(lambda: ann.do("chat", text="hello").status_code == 403)
    assert failed


@pytest.mark.parametrize(
    ("banned", "address", "is_away"),
    [
        ("10.1.2.3", "10.1.2.3", True),
        ("10.1.0.0/16", "10.1.2.3", True),
        ("10.1.2.4", "10.1.2.3", False),
        ("2001:db8::1", "2001:db8::/64", True),  # of IPv6, an address counts as its network
        ("2001:db8::/32", "10.1.2.3", False),
        ("10.1.2.3", "testclient", False),
    ],
)
def test_an_address_is_banned_for_a_time(banned: str, address: str, is_away: bool) -> None:
    restrictions = Restrictions()
    restrictions.set([Ban("address", banned, 100.0)], None)
    restrictions.check_address(address, 100.0)
    if is_away:
        with pytest.raises(Refusal, match="banned"):
            restrictions.check_address(address, 99.0)
    else:
        restrictions.check_address(address, 99.0)


def test_a_banned_address_gets_no_answer_but_that(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.http.middleware.counted_as", lambda _: "10.1.2.3")
    assert house.http.get("/api/games").status_code == 200
    operator = Operator(house.services.store.engine, house.services.clock, "a test")
    monkeypatch.setattr("parlour.server.api.live.address_of", lambda _: "10.1.2.3")
    table = house.open()["table"]["id"]
    with house.connect("/api/lobby/live") as wire, house.live(table) as live:
        operator.ban("address", "10.1.2.3", 60.0, "too loud")
        house.run(house.services.housekeeping.follow_operator)
        for one in (Live(wire), live):
            assert one.hear("bye")["message"] == "you are banned from this server: too loud"
    refused(house.http.get("/api/games"), "banned", 403)
    assert house.http.get("/healthz").status_code == 200
    with pytest.raises(Refusal, match=r"10\.0\.0\.0/8"):
        operator.ban("address", "Ann")


def test_during_maintenance_no_match_begins_and_a_message_says_why(house: House) -> None:
    seats = house.table_of("Ann", "Bob")
    table = house.open()["table"]["id"]
    with house.connect("/api/lobby/live") as wire, seats[0].live() as live:
        lobby = Live(wire)
        assert lobby.hear()["type"] == "lobby"
        did(house, "maintenance", message="Back at eight.")
        assert lobby.hear() == {"type": "lobby_change", "tables": [], "gone": [], "notice": "Back at eight."}
        while live.hear("presence")["notice"] != "Back at eight.":
            pass
    with house.connect("/api/lobby/live") as wire, seats[0].live() as live:
        assert [Live(wire).hear("lobby_change")["notice"], live.hear("presence")["notice"]] == ["Back at eight."] * 2
    assert did(house, "maintenance") == {"message": "Back at eight."}
    refused(house.http.post("/api/tables", json={"game": "goose"}), "maintenance", 503, "Back at eight.")
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "Cid"}), "maintenance", 503)
    assert play_out(seats)["phase"] == "over"
    with house.connect("/api/lobby/live") as wire:
        lobby = Live(wire)
        assert lobby.hear("lobby_change")["notice"] == "Back at eight."
        did(house, "maintenance", message=None)
        while lobby.hear("lobby_change").get("notice") != "":
            pass
    house.sit(table, "Cid")


def sqlite(tmp_path: Path, name: str = "house0.sqlite") -> str:
    return f"sqlite:///{tmp_path / name}"


@pytest.mark.parametrize("target", ["nonsense", "postgresql://ann:geheim@db:port/x", "mysql://x/y"])
def test_what_is_no_database_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    assert run(["migrate", "--database", sqlite(tmp_path)]) == 0
    assert run(["admin", "--database", sqlite(tmp_path), "move", target]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "postgresql://" in line
    assert "geheim" not in line


@pytest.mark.xdist_group("postgres")
def test_sqlite_moves_to_postgresql_and_matches_go_on(
    tmp_path: Path, postgres: Postgres, build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    target = postgres.new_database()
    move = ["admin", "--database", sqlite(tmp_path, "served.sqlite"), "move", target]
    settings: dict[str, Any] = {**ROOMY, "database": sqlite(tmp_path, "served.sqlite"), "admin_token": TOKEN}
    with TestClient(make_app(Config(**settings))) as client:
        house = House(client)
        ann, bob = house.table_of("Ann", "Bob")
        ann.must("act", ply=0, action=0)
        did(house, "ban", kind="name", value="Max")
        assert run(move) == 2
        assert "stop it first" in capsys.readouterr().err
    assert run(move) == 0
    there = build(database=target, admin_token=TOKEN)
    assert there.view(ann.table)["position"]["ply"] == 1
    Seat(there, bob.table, bob.number, bob.token).must("act", ply=1, action=1)
    did(there, "unban", kind="name", value="Max")
    assert [line["action"] for line in did(there, "audit")] == ["unban", "ban"]
    (told,) = did(there, "export", name="Ann")["tables"]
    assert [entry["kind"] for entry in told["entries"]] == ["sit", "act"]
    assert did(there, "forget", name="Ann") == {"tables": [ann.table]}
    assert [seat["name"] for seat in there.view(ann.table)["seats"]] == ["Somebody", "Bob"]


def test_the_command_line_does_the_same_and_a_server_that_runs_follows(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def admin(*words: str) -> Any:
        code = run(["admin", "--database", sqlite(tmp_path), "--json", *words])
        told = capsys.readouterr()
        assert code == 0, told.err
        return json.loads(told.out)

    ann, _ = house.table_of("Ann", "Bob")
    assert [line["id"] for line in admin("tables", "--phase", "playing")] == [ann.table]
    assert admin("who") == []
    with house.live(ann.table, ann.token) as live:
        admin("close", ann.table, "--text", "Good night.")
        assert live.hear("update")["ending"]["text"] == "Good night."
    admin("ban", "--name", "Ann", "--for", "12h")
    assert [one["value"] for one in admin("bans")] == ["ann"]
    until(lambda: ann.do("chat", text="hello").status_code == 403)
    admin("maintenance", "Back soon.")
    until(lambda: house.services.restrictions.maintenance == "Back soon.")
    assert admin("maintenance", "--off") == {"maintenance": None}
    assert admin("export", "Ann")["name"] == "Ann"
    assert admin("forget", "Ann") == {"tables": [ann.table]}
    assert admin("backup", str(tmp_path / "copy.sqlite"))["tables"] == 1
    admin("delete", ann.table)
    actions = [line["action"] for line in admin("audit")]
    expected = ["delete", "backup", "forget", "export", "maintenance", "maintenance", "ban", "close"]
    assert actions == expected
    assert run(["admin", "--database", sqlite(tmp_path), "ban", "--name", "Ann", "--for", "soon"]) == 2
    assert "12h" in capsys.readouterr().err


def test_a_table_may_have_an_id_that_looks_like_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["migrate", "--database", sqlite(tmp_path)]) == 0
    for words in (["close", "-ntET5ksg19M", "--text", "Good night."], ["delete", "-htET5ksg19M"]):
        assert run(["admin", "--database", sqlite(tmp_path), *words]) == 2
        assert f"there is no table {words[1]}" in capsys.readouterr().err


NOT_TEXT = "\udcff"  # a byte that is no UTF-8, as Python hands it on


@pytest.mark.parametrize(
    "words",
    [
        ("ban", "--name", "Max", "--for", "9" * 400 + "d"),
        ("ban", "--name", "Max", "--for", "9" * 5000 + "s"),
        ("ban", "--name", "Max", "--why", NOT_TEXT),
        ("tables", "--limit", "9" * 20),
        ("tables", "--limit", "-5"),
        ("tables", "--name", NOT_TEXT),
        ("audit", "--limit", "9" * 20),
        ("forget", NOT_TEXT),
        ("export", NOT_TEXT),
        ("close", NOT_TEXT),
        ("delete", NOT_TEXT),
        ("maintenance", NOT_TEXT),
        ("backup", f"{NOT_TEXT}.sqlite"),
    ],
)
def test_nonsense_on_the_command_line_is_refused_in_one_line(
    house: House, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(["admin", "--database", house.services.config.database_url, *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith("parlour: ")
    assert told.count("\n") == 1


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address, copied = sqlite(tmp_path, "typo.sqlite"), str(tmp_path / "copy.sqlite")
    for words in (["who"], ["backup", copied], ["move", sqlite(tmp_path, "new.sqlite")]):
        assert run(["admin", "--database", address, *words]) == 2
        assert "there is no database" in capsys.readouterr().err
    for which in ("--check", "--prepare"):
        assert run(["upgrade", which, "--database", address]) == 2
        assert "there is no database" in capsys.readouterr().err
    junk = tmp_path / "junk.sqlite"
    junk.write_text("no database")
    assert run(["admin", "--database", address, "restore", str(junk)]) == 2
    assert "junk.sqlite is not a backup" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [junk]
    (tmp_path / "empty.sqlite").touch()
    assert run(["upgrade", "--check", "--database", sqlite(tmp_path, "empty.sqlite")]) == 2
    assert "there is nothing in this database" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["who", "serve", "migrate"])
def test_what_is_no_database_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    """Somebody named a folder, or a file of the system: whoever may read them still may."""
    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    folder.chmod(0o755)
    file.write_text("Something else.\n" * 100)
    file.chmod(0o644)
    for place in (folder, file):
        words = ["admin", "--database", f"sqlite:///{place}", "who"]
        words = words if what == "who" else [what, "--database", f"sqlite:///{place}"]
        assert run(words) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o755, 0o644)


def test_a_database_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    engines.connect(f"sqlite:///{tmp_path / 'house.sqlite'}").dispose()
    (tmp_path / "house.sqlite").chmod(0o644)
    engine = engines.connect(f"sqlite:///{tmp_path / 'house.sqlite'}")
    engine.connect().close()
    assert (tmp_path / "house.sqlite").stat().st_mode & 0o777 == 0o600
    engine.dispose()


def test_a_database_of_a_newer_parlour_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "set_up", lambda *_, **__: None)  # the test's own log stays as it is
    assert run(["migrate", "--database", sqlite(tmp_path)]) == 0
    with contextlib.closing(sqlite3.connect(tmp_path / "house0.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for words in (
        ["admin", "--database", sqlite(tmp_path), "who"],
        ["upgrade", "--check", "--database", sqlite(tmp_path)],
        ["migrate", "--database", sqlite(tmp_path)],
        ["serve", "--port", "0", "--database", sqlite(tmp_path)],
    ):
        assert run(words) == 2
        (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("parlour: ")]
        assert "of a newer Parlour" in line
        assert "no way back: use the newer Parlour, or restore the backup" in line


def test_an_old_database_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.executescript((Path(__file__).parents[1] / "data" / "database-0001.sql").read_text("utf-8"))
    assert run(["admin", "--database", f"sqlite:///{file}", "tables"]) == 2
    assert "parlour migrate" in capsys.readouterr().err


def test_whoever_sits_at_one_of_many_seats_is_known_too(house: House) -> None:
    """Lists name only the first seats of a table."""
    table = house.open("game17", seats=12, options={"edge": 12})["table"]["id"]
    tokens = [house.sit(table, f"Ann {number}").token for number in range(12)]
    (line,) = house.http.get("/api/tables", params={"name": "ann 11"}).json()
    assert (len(line["names"]), len(line["who"]), line["people"], line["seats"]) == (8, 8, 12, 12)
    with house.live(table, tokens[11]):
        house.run(house.services.housekeeping.beat)
        assert "ann 11" in {one["name"].casefold() for one in did(house, "who")}
    assert did(house, "forget", name="Ann 11") == {"tables": [table]}
    assert house.http.get("/api/tables", params={"name": "ann 11"}).json() == []
    assert len(house.http.get("/api/tables", params={"name": "ann 10"}).json()) == 1
