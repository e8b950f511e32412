"""Whoever asked for it is told by Web Push that it is their turn; and nobody makes the server send anything else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from py_vapid import Vapid02
from sqlalchemy import select

from parlour.server.admin.operator import Operator
from parlour.server.people.tokens import hash_token
from parlour.server.push import lines, messages
from parlour.server.rooms import turn_messages as turns
from parlour.server.store import Store
from parlour.server.store.pushes import PER_SEAT, Subscription
from parlour.server.store.schema import PUSHES
from pushing import Browser, PushService
from serving import Build, House, Seat, refused, until

DAY = {"kind": "turn", "seconds": 86400}


@pytest.fixture
def service() -> Iterator[PushService]:
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def house(build: Build, service: PushService) -> House:
    return build(push_endpoints=[service.url])


def goes(seat: Seat) -> None:
    """The seat's person closes the page, and the server has noticed."""
    with seat.live() as live:
        you = live.heard[0]["table"]["you"]
    until(lambda: not seat.at.view(seat.table)["seats"][you]["here"])


def plays(seat: Seat) -> None:
    view = seat.view()
    seat.must("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])


def kept(house: House) -> list[int]:
    """The seats that are to be told."""

    def read() -> list[int]:
        with house.services.store.engine.begin() as connection:
            return list(connection.scalars(select(PUSHES.c.seat).order_by(PUSHES.c.seat)))

    return read()


def subscribes(seat: Seat, browser: Browser, **more: Any) -> None:
    answer = seat.at.http.post(
        f"/api/tables/{seat.table}/push",
        json={**browser.subscription, **more},
        headers={"authorization": f"Bearer {seat.token}", "origin": str(seat.at.http.base_url)},
    )
    assert answer.json() == {"on": True}, answer.text


def test_whoever_is_away_is_told_in_their_language(house: House, service: PushService) -> None:
    """Encrypted for their browser alone, and signed with the key that it was given."""
    ann, bob = house.table_of("Ann", "Bob", clock=DAY)
    browser, other = Browser(service), Browser(service)
    subscribes(ann, browser)
    subscribes(ann, other, language="de")
    plays(ann)
    goes(ann)
    plays(bob)
    until(lambda: browser.read and other.read)
    assert browser.read == [{"title": "Your turn", "body": "Connect Four with Bob", "table": ann.table}]
    assert other.read == [{"title": "Du bist dran", "body": "Connect Four mit Bob", "table": ann.table}]
    (pushed,) = browser.raw
    assert Vapid02.verify(pushed.headers["authorization"])
    assert house.http.get("/api/push").json()["key"] in pushed.headers["authorization"]
    assert (pushed.headers["ttl"], pushed.headers["topic"]) == ("86400", ann.table)
    assert b"Bob" not in pushed.body


def test_whoever_got_another_seat_by_lot_is_told(house: House, service: PushService) -> None:
    table = house.open(seats=2, clock=DAY)["table"]["id"]
    ann = house.sit(table, "Ann", lot=True)
    browser = Browser(service)
    subscribes(ann, browser)
    bob = house.sit(table, "Bob", seat=0)
    assert (bob.number, ann.view()["you"]) == (0, 1), "who leaves it to the lot gives way"
    goes(ann)
    plays(bob)
    until(lambda: browser.read)


def test_nobody_is_told_who_is_there_or_did_not_ask_or_plays_fast(house: House, service: PushService) -> None:
    quick = house.table_of("Ann", "Bob", clock={"kind": "turn", "seconds": 60})
    slow = house.table_of("Ann", "Bob")
    hasty, present, away = Browser(service), Browser(service), Browser(service)
    subscribes(quick[0], hasty)
    subscribes(slow[0], present)
    subscribes(slow[1], away)
    for ann, bob in (quick, slow):
        goes(bob)
        with ann.live() as live:
            plays(ann)
            if bob.table == slow[1].table:
                until(lambda: away.read)  # once it is not their turn any more, nobody would be told
            plays(bob)
            ann.must("chat", text="well played")
            live.hear("update")
    goes(slow[1])
    plays(slow[0])
    until(lambda: len(away.read) == 2)
    assert (hasty.read, present.read) == ([], [])


def test_a_subscription_ends_with_the_seat_and_with_the_match(house: House, service: PushService) -> None:
    open_table = house.open(seats=2)["table"]["id"]
    ann = house.sit(open_table, "Ann")
    subscribes(ann, Browser(service))
    ann.must("leave")
    assert kept(house) == [], "whoever leaves before the match"
    cleo, dora, _ = seats = house.table_of("Cleo", "Dora", "Emmy", game="goose")
    for seat in seats:
        subscribes(seat, Browser(service))
    cleo.must("resign")
    until(lambda: kept(house) == [1, 2])
    dora.at.http.post(f"/api/tables/{dora.table}/renew", headers={"authorization": f"Bearer {dora.token}"})
    assert kept(house) == [2], "a new token ends what the old one asked for"
    fred, gina = house.table_of("Fred", "Gina")
    subscribes(fred, Browser(service))
    subscribes(gina, Browser(service))
    assert kept(house) == [0, 1, 2]
    fred.must("resign")
    until(lambda: kept(house) == [2])
    operator = Operator(house.services.store.engine, house.services.clock, "tests")
    (told,) = operator.export("emmy")["tables"]
    assert told["push_services"][0].startswith(service.url)
    operator.forget("emmy")
    assert kept(house) == []


def test_what_the_operator_closes_is_forgotten_too(house: House, service: PushService) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    subscribes(ann, Browser(service))
    Operator(house.services.store.engine, house.services.clock, "tests").close(ann.table, "good night")
    house.run(house.services.turn_messages._tidy)
    assert kept(house) == []


def test_whoever_turns_it_off_is_told_no_more(house: House, service: PushService) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    for _ in range(PER_SEAT + 2):
        subscribes(ann, browser := Browser(service))
    assert len(kept(house)) == PER_SEAT
    header = {"authorization": f"Bearer {ann.token}"}
    path = f"/api/tables/{ann.table}/push/end"
    endpoint = browser.subscription["endpoint"]
    assert house.http.post(path, json={"endpoint": endpoint}, headers=header).json() == {"on": False}
    assert len(kept(house)) == PER_SEAT - 1
    house.http.post(path, json={}, headers=header)
    assert kept(house) == []
    refused(house.http.post(path, json={}), "unauthorised", 401)


def test_a_browser_that_is_gone_is_forgotten(house: House, service: PushService) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    service.answers = [(410, {})]
    subscribes(ann, Browser(service))
    plays(ann)
    goes(ann)
    plays(bob)
    until(lambda: kept(house) == [])


def test_what_is_not_delivered_is_tried_again_but_not_for_ever(
    house: House, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PAUSES", (0.0, 0.0))
    ann, bob = house.table_of("Ann", "Bob")
    browser = Browser(service)
    subscribes(ann, browser)
    service.answers = [(503, {}), (429, {"retry-after": "0"}), (500, {})]
    plays(ann)
    goes(ann)
    plays(bob)
    until(lambda: not service.answers)
    plays(ann)
    goes(ann)
    service.answers = [(503, {})]
    plays(bob)
    until(lambda: len(browser.raw) == 5)
    assert kept(house) == [0]
    assert browser.read[3] == browser.read[4]


def test_of_many_processes_one_tells_it(tmp_path: Path, build: Build) -> None:
    """Each turn is given out once; and all sign with the same key."""
    file = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    ann, _ = build(database=file).table_of("Ann", "Bob")
    stores = [Store(file, f"process {number}") for number in range(4)]
    wish = Subscription(0, 2, "https://push.example/1", p256dh="x", auth="y", language="en")
    assert stores[0].pushes.keep(ann.table, wish, 5.0, hash_token(ann.token))

    def claim(given: tuple[Store, float]) -> int:
        store, began = given
        return len(store.pushes.claim(ann.table, 0, 2, began))

    with ThreadPoolExecutor(len(stores)) as pool:
        for began, times in ((5.0, 0), (6.0, 1), (6.0, 0), (7.0, 1)):
            assert sum(pool.map(claim, [(store, began) for store in stores])) == times
        assert len(set(pool.map(lambda store: store.pushes.key(messages.new_key), stores))) == 1
    for store in stores:
        store.close()


def test_whom_push_services_may_ask_is_a_site_of_the_internet() -> None:
    key = messages.new_key()
    to = Subscription(0, 2, "https://push.example/1", p256dh="x", auth="y", language="en")
    origins = {"https://games.example:8443": "https://games.example", "http://games.example": "", "https://parlour": ""}
    for origin, contact in origins.items():
        assert messages.contact(origin) == contact
        signed = messages.headers(key, to, contact=contact or turns.NOBODY, topic="x", seconds=60)
        assert Vapid02.verify(signed["Authorization"])


def test_a_subscription_that_is_none_is_refused(house: House, service: PushService) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    browser = Browser(service)
    header = {"authorization": f"Bearer {ann.token}"}
    path = f"/api/tables/{ann.table}/push"
    for wrong in (
        {"endpoint": "http://127.0.0.1:1/x"},
        {"endpoint": "https://localhost/x"},
        {"p256dh": "A" * 87},
        {"auth": "A" * 21},
        {"language": "xx"},
    ):
        refused(house.http.post(path, json={**browser.subscription, **wrong}, headers=header), "bad_request", 400)
    refused(house.http.post(path, json=browser.subscription), "unauthorised", 401)
    assert kept(house) == []
    bob.must("resign")
    refused(house.http.post(path, json=browser.subscription, headers=header), "not_playing", 409)


def test_without_the_library_nothing_is_offered(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LIBRARY", "a_library_that_is_not_installed")
    for house in (build(), build(push=False)):
        ann, _ = house.table_of("Ann", "Bob")
        assert house.http.get("/api/push").json() == {"key": ""}
        service = PushService()
        wish, header = Browser(service).subscription, {"authorization": f"Bearer {ann.token}"}
        refused(house.http.post(f"/api/tables/{ann.table}/push", json=wish, headers=header), "forbidden", 403)
        service.close()
