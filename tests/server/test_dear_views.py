"""What is worked out on the event loop for who asks over HTTP, or looked up in the store, counts for their address."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import httpx
import pytest

from parlour.protocol import OpenTable
from parlour.server.basics.limiter import Limiter
from parlour.server.store import Store
from parlour.server.store.lists import Lists
from parlour.server.tables.table import Table
from parlour.server.telling.views import table_line
from serving import PATIENCE, Build, House, Seat, bearer, refused, until


def look(seat: Seat) -> httpx.Response:
    return seat.at.http.get(f"/api/tables/{seat.table}", headers=bearer(seat.token), params={"pictures": "true"})


def ask(what: str) -> Callable[[Seat], httpx.Response]:
    return lambda seat: seat.at.http.get(f"/api/tables/{seat.table}/{what}")


def renew(seat: Seat) -> httpx.Response:
    answer = seat.at.http.post(f"/api/tables/{seat.table}/renew", headers=bearer(seat.token), json={})
    seat.token = answer.json().get("token", seat.token)
    return answer


def open_one(seat: Seat) -> httpx.Response:
    return seat.at.http.post("/api/tables", json={"game": "goose"})


def pair(seat: Seat) -> httpx.Response:
    return seat.at.http.post("/api/pairings", json={"game": "goose"})


DEAR = {
    "look": look,
    "explain": ask("explain?name=A1"),
    "why not": ask("why-not?tried=A1"),
    "picture": ask("picture"),
    "renew": renew,
    "open": open_one,
    "pair": pair,
    "list": lambda seat: seat.at.http.get("/api/tables", params={"name": "nobody"}),
}


@pytest.mark.parametrize("what", DEAR)
def test_whoever_asks_for_much_waits(house: House, what: str) -> None:
    """And whoever plays does not."""
    ann, _bob = house.table_of("Ann", "Bob", game="choccer")
    for limiter in ("loop", "drawing"):
        setattr(house.services.limits, limiter, Limiter(1e-6, 1e-6))  # nothing was asked yet
    first, answer = [DEAR[what](ann) for _ in range(2)]
    assert first.is_success
    refused(answer, "too_fast", 429, "for your address")
    assert float(answer.headers["retry-after"]) > 0
    ann.must("chat", text="go on")


def test_a_search_is_charged_with_what_it_takes(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    house, found = build(), Lists.lines
    charged = house.services.limits.drawing.charge
    times: list[float] = []

    def noted(key: str, amount: float) -> None:
        times.append(amount)
        charged(key, amount)

    monkeypatch.setattr(house.services.limits.drawing, "charge", noted)

    def long(*given: Any, **named: Any) -> Any:
        _spend_time()
        return found(*given, **named)

    monkeypatch.setattr(Lists, "lines", long)
    house.http.get("/api/tables", params={"name": "nobody"})
    assert max(times) > 0.01


async def _let_all_go_on() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def _spend_time() -> None:
    until = time.thread_time() + 0.01
    while time.thread_time() < until:
        pass


def test_others_wait_for_one_thing_of_an_address_and_not_for_all_of_them(house: House) -> None:
    drawing, done, drawn = house.services.drawing, threading.Event(), list[str]()

    async def draw() -> None:
        tasks: list[asyncio.Future[Any]] = [asyncio.ensure_future(drawing.do("eve", done.wait))]
        tasks += [asyncio.ensure_future(drawing.do(name, drawn.append, name)) for name in ("eve", "ann")]
        await _let_all_go_on()
        assert drawing.in_hand == len(tasks)
        done.set()
        await asyncio.gather(*tasks)

    house.run(draw)
    assert drawn == ["ann", "eve"]


@pytest.mark.parametrize("path", ["/api/tables?name=nobody", "/api/tables?waiting=true", "/api/tables/{}/log"])
def test_what_one_address_looks_up_leaves_the_store_to_others(
    house: House, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The store has a few threads that read. One address had them all for seconds with a few long logs."""
    table, done, waiting = house.open("goose")["table"]["id"], threading.Event(), house.services.drawing._waiting

    def long(*given: Any, **named: Any) -> Any:
        done.wait(PATIENCE)
        return []

    for owner, method in ((Lists, "lines"), (Lists, "waiting"), (Store, "since")):
        monkeypatch.setattr(owner, method, long)
    with ThreadPoolExecutor(9) as pool:
        looking = [pool.submit(house.http.get, path.format(table)) for _ in range(8)]
        try:
            until(lambda: waiting._now.total() == 8)
            house.run(_let_all_go_on)
            assert pool.submit(house.run, house.services.store.ask, int).result(PATIENCE / 6) == 0
        finally:
            done.set()
            wait(looking)


def test_who_learns_a_game_does_not_wait_for_replays(house: House) -> None:
    done, replays = threading.Event(), list[asyncio.Future[bool]]()
    house.run(lambda: replays.append(asyncio.ensure_future(house.services.drawing.do("192.0.2.1", done.wait, 10))))
    assert house.http.get("/api/games/goose/lesson/0").status_code == 200
    assert not replays[0].done()
    done.set()


def test_who_looks_at_a_large_table_does_not_wait_for_replays(house: House) -> None:
    table, done = house.open("game17")["table"]["id"], threading.Event()
    drawing = house.services.drawing
    replays = list[asyncio.Future[bool]]()
    house.run(lambda: replays.append(asyncio.ensure_future(drawing.do("192.0.2.1", done.wait, 10))))
    house.sit(table, "Ann")
    assert len(house.view(table, pictures=True)["seats"]) > 1
    assert not replays[0].done()
    done.set()


def test_a_line_of_the_list_takes_no_longer_for_each_seat_the_more_there_are(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = OpenTable("game17", seats=500, options={"edge": 24})
    room = house.run(house.services.opener.open_table, wish, "10.0.0.1")
    looks, offered = [0], vars(Table)["offered"]

    def counted(table: Table) -> list[int]:
        looks[0] += 1
        found: list[int] = offered.fget(table)
        return found

    monkeypatch.setattr(Table, "offered", property(counted))
    line = table_line(room.table, 0.0)
    assert (line.free, line.who, looks[0]) == (500, [], 1)
