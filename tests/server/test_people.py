"""What is stored about a person: exported, and forgotten."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import hmac
import itertools
import json
import sqlite3
import threading
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from parlour.engine import fair, registry
from parlour.server.admin import operator as operators
from parlour.server.admin import people
from parlour.server.admin.operator import Operator
from parlour.server.basics.steady import SteadyClock
from parlour.server.running.housekeeping import Housekeeping
from parlour.server.store import engine as engines
from parlour.server.store.schema import AUDIT
from server.test_admin import TOKEN, ask, did, sqlite
from serving import Build, House, play_out, refused


@pytest.fixture
def house(build: Build) -> House:
    return build(admin_token=TOKEN)


def test_what_is_stored_about_a_person_is_exported_and_forgotten(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    ann.must("chat", text="my secret")
    ann.must("act", ply=0, action=ann.view()["choices"][0]["action"])
    bob.must("chat", text="hello Ann")
    (table,) = did(house, "export", name="ann")["tables"]
    assert [entry["kind"] for entry in table["entries"]] == ["sit", "chat", "act"]
    assert table["entries"][1]["text"] == "my secret"
    assert did(house, "forget", name="Ann") == {"tables": [ann.table]}
    view = house.view(ann.table)
    assert [seat["name"] for seat in view["seats"]] == ["Somebody", "Bob"]
    assert [line["text"] for line in view["chat"]] == ["…", "hello Ann"]
    assert view["position"]["ply"] == 1, "the match stays"
    refused(ann.do("chat", text="hello"), "unauthorised", 401)
    assert did(house, "tables")[0]["names"] == ["Somebody", "Bob"]
    refused(ask(house, "forget", name="Ann"), "not_found", 404)
    assert "ann" not in json.dumps(did(house, "audit")).lower().replace("channel", "")


def test_nobody_finds_a_name_in_the_audit_log_by_trying(build: Build) -> None:
    """The hash is the same for the same name at one server alone; it is not the name's own, nor that of a known key."""
    one, other = (build(admin_token=TOKEN) for _ in range(2))
    for house in (one, other):
        house.table_of("Ann", "Bob")
        for name in ("Ann", "ann", "Bob"):
            did(house, "export", name=name)
    (bob, ann, again), abouts = ([line["about"] for line in did(house, "audit")] for house in (one, other))
    assert ann == again != bob
    assert not {ann, bob} & set(abouts)
    key = one.services.store.processes.shared_key()
    plain = hashlib.sha256(b"ann").hexdigest(), hmac.digest(key, b"ann", "sha256").hex()
    assert not [guess for guess in plain if guess.startswith(ann.removeprefix("person "))]
    with one.services.store._writing() as connection:
        connection.execute(update(AUDIT).where(AUDIT.c.id == 1).values(about="person 0123456789ab"))
    assert did(one, "audit")[-1]["about"] == "person 0123456789ab", "an older line stays as it is"


def test_what_is_stored_is_found_though_lots_have_changed_seats(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair, "seating", lambda secret, nonces, claims: [1, 0])
    table = house.open()["table"]["id"]
    ann, bob = house.sit(table, "Ann", lot=True), house.sit(table, "Bob", lot=True)
    ann.must("chat", text="mine")
    bob.must("chat", text="not mine")
    (told,) = did(house, "export", name="Ann")["tables"]
    assert [entry["kind"] for entry in told["entries"]] == ["sit", "chat"]
    assert (told["seats"], told["entries"][1]["text"]) == ([1], "mine")
    did(house, "forget", name="Ann")
    (line,) = house.http.get("/api/tables").json()
    assert (line["names"], line["who"]) == (["Bob", "Somebody"], ["Bob", "Somebody"])
    assert [line["text"] for line in house.view(table)["chat"]] == ["…", "not mine"]
    bob.must("chat", text="still here")


def test_others_can_write_while_somebody_is_forgotten_at_many_tables(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits for SQLite's lock looks every tenth of a second or so whether it is free."""
    forgotten = threading.Event()
    waits = list[float]()
    forget = people.forget

    def forget_slowly(connection: Connection, name: str, table_id: str, at: float) -> None:
        forget(connection, name, table_id, at)
        time.sleep(0.005)

    def write() -> None:
        with contextlib.closing(sqlite3.connect(tmp_path / "house0.sqlite", timeout=15, isolation_level=None)) as other:
            while not forgotten.is_set():
                began = time.monotonic()
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
                waits.append(time.monotonic() - began)

    for _ in range(60):
        house.sit(house.open()["table"]["id"], "Zebedee")
    operator = Operator(engines.connect(sqlite(tmp_path)), house.services.clock, "a test")
    monkeypatch.setattr(people, "forget", forget_slowly)
    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert len(operator.forget("Zebedee")) == 60
    finally:
        forgotten.set()
        writer.join()
        operator.engine.dispose()
    assert max(waits) < 0.25


def test_a_forgotten_name_does_not_come_back_from_memory(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if the server does not know of it yet when it writes."""

    async def follow_nothing(_: Housekeeping) -> None:
        pass

    follow_operator = Housekeeping.follow_operator
    monkeypatch.setattr(Housekeeping, "follow_operator", follow_nothing)
    house = build()
    seats = house.table_of("Zebedee", "Bob")
    quiet = house.table_of("Zebedee", "Cid")
    play_out(quiet)
    quiet[0].must("rematch")  # where a seat is kept for the name
    rooms = list(house.services.rooms.in_memory.values())
    operator = Operator(engines.connect(sqlite(tmp_path)), house.services.clock, "a test")
    assert len(operator.forget("Zebedee")) == 3
    seats[1].must("chat", text="hello")
    assert [seat["name"] for seat in house.view(seats[0].table)["seats"]] == ["Somebody", "Bob"]
    house.run(house.services.upgrades.note, rooms)
    house.run(house.services.upgrades.draw, 20.0)
    assert not holders(tmp_path / "house0.sqlite", "zebedee")
    house.run(follow_operator, house.services.housekeeping)
    for table in operator.tables():
        assert "Zebedee" not in json.dumps(house.view(table.id))
    operator.engine.dispose()


def holders(file: Path, word: str) -> list[str]:
    """The tables of the database in which a word stands, packed or not."""
    found = []
    with contextlib.closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            for value in itertools.chain.from_iterable(connection.execute(f"SELECT * FROM {name}")):
                packed = value if isinstance(value, bytes) else str(value).encode()
                with contextlib.suppress(zlib.error):
                    packed = zlib.decompress(packed)
                if word.encode() in packed.lower():
                    found.append(name)
    return found


def test_names_are_found_though_their_person_left_before_the_match(house: House) -> None:
    ann = house.table_of("Ann")[0]
    ann.must("leave")
    house.sit(ann.table, "Bob")
    assert [table["id"] for table in did(house, "export", name="Ann")["tables"]] == [ann.table]
    operator = Operator(engines.connect(house.services.config.database_url), SteadyClock(), "a test")
    assert operator.forget("Ann") == [ann.table]


@pytest.mark.parametrize(("called", "asked"), [("Lena", "LENA"), ("Straße", "strasse")])
def test_a_name_goes_from_lists_however_it_is_written(house: House, called: str, asked: str) -> None:
    ada, bob = house.table_of(called, "Bob")
    ada.must("resign")
    assert did(house, "tables")[0]["ending"]["text"] == f"{called} resigns: Bob wins"
    did(house, "forget", name=asked)
    (line,) = did(house, "tables")
    assert line["ending"]["text"] == "Somebody resigns: Bob wins"
    assert called.casefold() not in json.dumps([line, house.view(bob.table)], ensure_ascii=False).casefold()


@pytest.mark.parametrize("asked", ["Zoe\u0301", " zo\u00e9 ", "Zo\u00e9\u200b"])
def test_a_name_is_found_however_it_is_typed(house: House, asked: str) -> None:
    """Letters with accents can be written in two ways; a name is stored in one."""
    zoe, _ = house.table_of("Zo\u00e9", "Bob")
    assert [table["id"] for table in did(house, "export", name=asked)["tables"]] == [zoe.table]
    assert did(house, "forget", name=asked) == {"tables": [zoe.table]}


@pytest.mark.parametrize("name", ["", " ", "\u200b"])
def test_nobody_has_no_name(house: House, name: str) -> None:
    house.table_of("Ann", "Bob")
    for what in ("export", "forget"):
        refused(ask(house, what, name=name), "bad_request", 400, "whom?")


def test_who_has_a_name_with_another_in_it_keeps_theirs(house: House) -> None:
    ann, other = house.table_of("Ann", "Ann")
    other.must("resign")
    assert did(house, "tables")[0]["ending"]["text"] == "Ann 2 resigns: Ann wins"
    assert did(house, "forget", name="Ann") == {"tables": [ann.table]}
    assert did(house, "tables")[0]["ending"]["text"] == "Ann 2 resigns: Somebody wins"
    assert did(house, "tables")[0]["names"] == ["Somebody", "Ann 2"]


def test_what_a_game_calls_a_free_seat_is_nobodys_name(house: House) -> None:
    house.table_of("Ann")
    names = did(house, "tables")[0]["names"]
    assert names[0] == "Ann"
    refused(ask(house, "forget", name=names[1]), "not_found", 404)
    assert did(house, "tables")[0]["names"] == names


@pytest.mark.parametrize("name", ["0", "M", "fill", '"', "Ann\\"])
def test_an_album_of_older_rules_stays_readable_without_a_name(
    house: House, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Only a name is taken out of it, and not what looks like one in a picture."""
    seats = house.table_of(name, "Bob", game="goose")
    play_out(seats)
    house.run(house.services.upgrades.note, list(house.services.rooms.in_memory.values()))
    house.run(house.services.upgrades.draw, 20.0)
    table = seats[0].table
    newer, known = dataclasses.replace(registry.get("goose"), version=99), registry.get
    monkeypatch.setattr(registry, "get", lambda game: newer if game == "goose" else known(game))
    house.run(house.services.rooms.reload, table)
    some = {"count": 20}  # not as many as go into an answer, which are fewer where names are longer
    before = house.http.get(f"/api/tables/{table}/frames", params=some).json()
    assert before["old_rules"], "it is seen by its album"
    did(house, "forget", name=name)
    after = house.http.get(f"/api/tables/{table}/frames", params=some).json()
    assert (before["names"], after["names"]) == ([name, "Bob"], ["Somebody", "Bob"])
    assert [frame["scene"] for frame in after["frames"]] == [frame["scene"] for frame in before["frames"]]
    told = [told["text"] for frame in after["frames"] for told in frame["events"]]
    assert any(text.startswith("Somebody ") for text in told)
    assert not any(text.startswith(f"{name} ") for text in told)


def test_while_somebody_is_exported_or_forgotten_others_can_write(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite one writes at a time. To look through everything takes long, and is done before."""
    for _ in range(12):
        house.table_of("Ann", "Bob")
    file = house.services.config.database_url.removeprefix("sqlite:///")
    looked, look = list[str](), people.tables_of

    def look_while_another_writes(*arguments: Any) -> list[str]:
        found = look(*arguments)
        with contextlib.closing(sqlite3.connect(file, timeout=0.1)) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")  # raises if somebody else is writing
        looked.append("and another could write")
        return found

    monkeypatch.setattr(people, "tables_of", look_while_another_writes)
    assert len(did(house, "export", name="Ann")["tables"]) == 12
    assert len(did(house, "forget", name="Ann")["tables"]) == 12
    assert len(looked) == 2
    noted = [len(line["details"]["tables"]) for line in did(house, "audit") if line["action"] == "forget"]
    assert sum(noted) == 12
    assert max(noted) <= operators.FORGOTTEN_AT_ONCE
