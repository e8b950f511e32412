"""What is worked out on the event loop for who asks over HTTP, or looked up in the store, counts for their address."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from parlour.protocol import OpenTable
from parlour.server.store.lists import Lists
from parlour.server.table import Table
from parlour.server.views import table_line
from serving import Build, House, Seat, bearer, refused

MOST = 2000  # requests, after which a limit should have been met: on a fast machine each costs little


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
def test_whoever_asks_for_much_waits(build: Build, what: str) -> None:
    """And whoever plays does not."""
    house = build(drawing_per_second=1e-3)
    ann, _bob = house.table_of("Ann", "Bob", game="choccer")
    answers = (DEAR[what](ann) for _ in range(MOST))
    answer = next(answer for answer in answers if not answer.is_success)
    refused(answer, "too_fast", 429, "for your address")
    assert float(answer.headers["retry-after"]) > 0
    ann.must("chat", text="go on")


def test_a_search_is_charged_with_what_it_takes(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    house, found = build(), Lists.lines
    charged = house.services.limits.drawing.charge
    times: list[float] = []

    def charge(address: str, seconds: float) -> None:
        times.append(seconds)
        charged(address, seconds)

    monkeypatch.setattr(house.services.limits.drawing, "charge", charge)

    def long(*given: Any, **named: Any) -> Any:
        _spend_time()
        return found(*given, **named)

    monkeypatch.setattr(Lists, "lines", long)
    house.http.get("/api/tables", params={"name": "nobody"})
    assert max(times) > 0.01


def _spend_time() -> None:
    until = time.thread_time() + 0.01
    while time.thread_time() < until:
        pass


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
