"""From a name to an address: the operator sees from where people are while they are there, and can ban it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from sqlalchemy import select
from websockets.sync.client import ClientConnection, connect

from databases import Postgres
from parlour.cli import run
from parlour.server.admin import copying
from parlour.server.admin.operator import Operator
from parlour.server.app import make_app
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.basics.logs import hashed
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.restrictions import Ban, Restrictions
from parlour.server.store import engine as engines
from parlour.server.store.schema import ADDRESSES
from serving import ROOMY, Build, House, Seat, Server, until

Start = Callable[..., Server]
ADA, BOB = "192.0.2.7", "198.51.100.9"
KEY = "a key of some length"


def present(house: House) -> dict[str, list[str]]:
    """Whom ``parlour admin who`` shows, and from where."""
    house.run(house.services.housekeeping.beat)
    operator = Operator(house.services.store.engine, house.services.clock, "a test")
    return {one.name: one.addresses for one in operator.who()}


def kept(house: House) -> int:
    with house.services.store.engine.connect() as connection:
        return len(connection.execute(select(ADDRESSES)).all())


def test_an_address_is_kept_while_its_person_is_there_and_no_longer(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    with house.live(ann.table, ann.token), house.live(ann.table):
        assert present(house) == {"Ann": ["testclient"], "Bob": ["testclient"]}
        assert kept(house) == 2, "not of who only watches"
        later = house.services.clock.now() + 61
        house.services.clock.set(later)
        assert present(house) == {"Ann": ["testclient"]}, "nothing was heard of Bob, who has no socket, for a minute"
        bob.view()
        assert present(house)["Bob"] == ["testclient"]
    house.services.clock.set(later + 61)
    house.run(house.services.housekeeping.beat)
    assert kept(house) == 0


def test_addresses_go_with_the_table_and_with_the_server(house: House, tmp_path: Path) -> None:
    ann = house.table_of("Ann")[0]
    with house.live(ann.table, ann.token):
        assert present(house) == {"Ann": ["testclient"]}
        copying.back_up(house.services.config.database_url, tmp_path / "copy.sqlite")
        with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
            assert copy.execute("SELECT count(*) FROM addresses").fetchone() == (0,), "no backup has them"
        Operator(house.services.store.engine, house.services.clock, "a test").delete(ann.table)
        assert kept(house) == 0
    lea = house.table_of("Lea")[0]
    with house.live(lea.table, lea.token):
        assert present(house)["Lea"] == ["testclient"]
        house.run(house.services.store.processes.leave)
        assert kept(house) == 0


def test_what_a_server_that_was_killed_has_left_is_not_shown_and_goes(
    house: House, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = house.table_of("Ann")[0]
    with house.live(ann.table, ann.token):
        assert present(house) == {"Ann": ["testclient"]}
        processes, clock = house.services.store.processes, house.services.clock
        monkeypatch.setattr(processes, "process", "another")
        clock.set(clock.now() + 16)  # the lease of the one that was killed has run out
        found = Operator(house.services.store.engine, clock, "a test").who()
        assert [(one.name, one.addresses) for one in found] == [("Ann", [])]
        house.run(house.services.housekeeping.beat)
        assert kept(house) == 0


@pytest.mark.xdist_group("postgres")
def test_several_processes_each_tell_from_where_people_come_to_them(postgres: Postgres) -> None:
    settings: dict[str, Any] = {"database": postgres.new_database(), **ROOMY}
    with contextlib.ExitStack() as stack, contextlib.ExitStack() as later:
        one, other = (House(each.enter_context(TestClient(make_app(Config(**settings))))) for each in (later, stack))
        ann, bob = one.table_of("Ann", "Bob")
        with one.live(ann.table, ann.token), other.live(bob.table, bob.token):
            one.run(one.services.housekeeping.beat)
            assert present(other) == {"Ann": ["testclient"], "Bob": ["testclient"]}
            assert kept(one) == 3, "Bob has sat down by way of one process, and has a socket at the other"
        later.close()
        assert kept(other) == 1


# As people run it: everybody comes by way of a proxy, which tells their addresses.


@contextlib.contextmanager
def at_table(server: Server, seat: Seat, address: str) -> Iterator[ClientConnection]:
    url = f"ws://127.0.0.1:{server.port}/api/tables/{seat.table}/live"
    with connect(url, additional_headers={"X-Forwarded-For": address}, compression=None) as socket:
        socket.send(json.dumps({"type": "hello", "token": seat.token}))
        assert json.loads(socket.recv(20))["type"] == "welcome"
        yield socket


def sit(server: Server, table: str, name: str, address: str) -> Seat:
    server.place.http.headers["X-Forwarded-For"] = address
    return server.place.sit(table, name)


def knock(server: Server, address: str) -> int:
    return server.place.http.get("/api/games", headers={"X-Forwarded-For": address}).status_code


@pytest.fixture
def admin(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs ``parlour admin`` for a server; returns what it prints as JSON, or in the end its complaint."""

    def command(server: Server, *words: str, code: int = 0) -> Any:
        assert run(["admin", "--database", server.database, "--json", *words]) == code
        told = capsys.readouterr()
        return json.loads(told.out) if code == 0 else told.err

    return command


@pytest.mark.parametrize("hash_addresses", [False, True])
def test_the_address_of_a_name_is_banned(serve: Start, admin: Callable[..., Any], *, hash_addresses: bool) -> None:
    """With hashes in place of addresses, it is the hash that is seen and banned, the same as in the log."""
    settings = {"hash_addresses": hash_addresses, "hash_key": KEY} if hash_addresses else {}
    server = serve("--trust-proxy", "127.0.0.1", **settings)
    shown = hashed(ADA, KEY) if hash_addresses else ADA
    table = server.place.open(seats=2)["table"]["id"]
    ada, bob = sit(server, table, "Ada", ADA), sit(server, table, "Bob", BOB)
    with at_table(server, ada, ADA) as adas, at_table(server, bob, BOB):
        found = until(lambda: {one["name"]: one["addresses"] for one in admin(server, "who") if one["addresses"]})
        assert found["Ada"] == [shown]
        (ban,) = admin(server, "ban", "--who", "ada", "--for", "12h", "--why", "Be kind.")
        assert (ban["kind"], ban["value"]) == ("address", shown if hash_addresses else f"{ADA}/32")
        while (said := json.loads(adas.recv(20)))["type"] != "bye":
            pass
        assert said["message"] == "you are banned from this server: Be kind."
    until(lambda: knock(server, ADA) == 403)
    assert knock(server, BOB) == 200
    log = server.log.read_text()
    assert (ADA in log, shown in log) == (not hash_addresses, True)
    server.kill()
    server.start()
    assert knock(server, ADA) == 403, "also after a restart"
    assert [one["value"] for one in admin(server, "bans")] == [ban["value"]]
    admin(server, "unban", "--address", shown)
    until(lambda: knock(server, ADA) == 200)


def test_nobody_else_is_banned_with_them(serve: Start, admin: Callable[..., Any]) -> None:
    server = serve("--trust-proxy", "127.0.0.1")
    table = server.place.open("goose", seats=3)["table"]["id"]
    ada, bob, cid = (sit(server, table, name, where) for name, where in (("Ada", ADA), ("Bob", ADA), ("Cid", "::1")))
    assert "nobody called Zoe is at a table now" in admin(server, "ban", "--who", "Zoe", code=2)
    for nobody in ("", "x" * 1000):
        assert "characters" in admin(server, "ban", "--who", nobody, code=2)
    with at_table(server, ada, ADA), at_table(server, bob, ADA), at_table(server, cid, "127.0.0.1"):
        until(lambda: len([one for one in admin(server, "who") if one["addresses"]]) == 3)
        said = admin(server, "ban", "--who", "Ada", code=2)
        assert f"{ADA} is also the address of Bob: ban it with --address" in said
        assert "this machine: behind a proxy, set trust_proxy" in admin(server, "ban", "--who", "Cid", code=2)
    assert admin(server, "bans") == []
    assert "one of them" in admin(server, "ban", "--who", "Ada", "--name", "Ada", code=2)
    assert "one of them" in admin(server, "ban", code=2)


def test_a_hash_is_banned_where_it_is_known() -> None:
    restrictions = Restrictions(KEY)
    restrictions.set([Ban("address", hashed(ADA, KEY), 100.0)], None)
    with pytest.raises(Refusal, match="banned"):
        restrictions.check_address(ADA, 99.0)
    restrictions.check_address(ADA, 100.0)
    restrictions.check_address(BOB, 99.0)
    for key in ("", "another key of length"):
        other = Restrictions(key)
        other.set([Ban("address", hashed(ADA, KEY), 100.0), Ban("address", BOB, 100.0)], None)
        other.check_address(ADA, 99.0)
        with pytest.raises(Refusal, match="banned"):
            other.check_address(BOB, 99.0)


@pytest.mark.parametrize("value", ["hash:", "hash:0123", "hash:0123456789ABCDEF", "hash:0123456789abcdef0", "Ada", ""])
def test_what_is_neither_address_nor_hash_is_not_banned(tmp_path: Path, value: str) -> None:
    engine = engines.connect(f"sqlite:///{tmp_path}/x.sqlite")
    engines.migrate(engine)
    with pytest.raises(Refusal, match=r"10\.0\.0\.0/8"):
        Operator(engine, SteadyClock(), "a test").ban("address", value)
    engine.dispose()
