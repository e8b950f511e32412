"""A token that was renewed does nothing any more, at whatever process, from the moment that the new one is there."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from databases import Postgres, Redis
from parlour.server.admin.operator import Operator
from parlour.server.rooms.room import Room
from parlour.server.tables.table import Table
from parlour.server.telling import chances
from serving import PATIENCE, Build, House, Place, Seat, Server, bearer, refused, until

pytestmark = pytest.mark.xdist_group("postgres")
TRIES = 25


def renews(seat: Seat) -> str:
    answer = seat.at.http.post(f"/api/tables/{seat.table}/renew", headers=bearer(seat.token))
    assert answer.status_code == 200, answer.text
    token: str = answer.json()["token"]
    return token


def hears_of_redis(server: Server) -> bool:
    return "parlour_redis_up 1.0" in server.place.http.get("/metrics").text


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_replaced_token_plays_nothing_at_another_process(
    serve: Callable[..., Server], postgres: Postgres, redis: Redis, is_slow: bool
) -> None:
    """By a socket that was open before, or by a request; while hints arrive, or while Redis has just fallen silent."""
    database = postgres.new_database()
    one, two = (serve("--redis", redis.url, database=database) for _ in range(2))
    until(lambda: hears_of_redis(one) and hears_of_redis(two))
    tables = [one.place.table_of("Ann", "Bob")[0] for _ in range(TRIES)]
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(two.place.live(seat.table, seat.token)) for seat in tables]
        if is_slow:
            redis.pause()
            stack.callback(redis.go_on)
        new = []
        for number, (seat, socket) in enumerate(zip(tables, sockets, strict=True)):
            new.append(renews(seat))
            late = Seat(two.place, seat.table, seat.number, seat.token)
            if number % 2:
                assert socket.ask("act", ply=0, action=3)["code"] == "unauthorised"
                refused(late.do("act", ply=0, action=3), "unauthorised", 401)
            else:
                refused(late.do("act", ply=0, action=3), "unauthorised", 401)
                assert socket.ask("chat", text="it is still me")["code"] == "unauthorised"
            answer = late.at.http.post(f"/api/tables/{seat.table}/renew", headers=bearer(seat.token))
            refused(answer, "unauthorised", 401)
    for seat, token in zip(tables, new, strict=True):
        assert [entry["kind"] for entry in one.place.log(seat.table)] == ["sit", "sit", "start", "renew"]
        Seat(two.place, seat.table, seat.number, token).must("act", ply=0, action=3)


def test_a_command_that_waits_while_its_token_is_renewed_is_refused(house: House) -> None:
    """Also at the same process: both wait for the same lock."""
    ann, _ = house.table_of("Ann", "Bob")
    room = house.services.rooms.in_memory[ann.table]
    house.run(room.lock.acquire)
    with ThreadPoolExecutor(2) as pool:
        renewing = pool.submit(renews, ann)
        until(lambda: _waiting(room) == 1)
        late = pool.submit(ann.do, "act", ply=0, action=3)
        until(lambda: _waiting(room) == 2)
        house.run(room.lock.release)
        refused(late.result(PATIENCE), "unauthorised", 401)
        assert renewing.result(PATIENCE)
    assert house.log(ann.table)[-1]["kind"] == "renew"


def _waiting(room: Room) -> int:
    return len(room.lock._waiters or ())


def test_a_socket_whose_token_is_renewed_while_it_says_hello_only_watches(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has shown its token, and waits until it can be told win chances: a judge is loaded, which takes a while."""
    asked, goes_on = threading.Event(), threading.Event()

    async def make_ready(table: Table) -> None:
        asked.set()
        await asyncio.to_thread(goes_on.wait, PATIENCE)

    monkeypatch.setattr(chances, "make_ready", make_ready)
    house = build()
    ann, _ = house.table_of("Ann", "Bob")
    with house.connect(f"/api/tables/{ann.table}/live") as wire:
        wire.send(f'{{"type":"hello","token":"{ann.token}","chances":true}}')
        assert asked.wait(PATIENCE)
        renews(ann)
        goes_on.set()
        assert '"code":"unauthorised"' in wire.receive(PATIENCE)


def test_no_hint_is_given_to_a_token_that_is_renewed_while_a_bot_thinks(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = house.table_of("Ann", "Bob")

    async def think(*_: object) -> list[Any]:
        await asyncio.to_thread(renews, ann)
        return []

    monkeypatch.setattr(house.services.bots, "hint", think)
    refused(ann.do("hint"), "unauthorised", 401)


def test_no_token_comes_back_with_a_log_that_is_read_anew(
    build: Build, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name is forgotten at the table; the token is renewed while another process reads the log from its beginning."""
    database = postgres.new_database()
    one, two = build(database=database), build(database=database)
    ann, _ = one.table_of("Ann", "Bob")
    two.view(ann.table)
    room = two.services.rooms.in_memory[ann.table]
    read = room._read_again

    async def read_after_renewal() -> Any:
        await asyncio.to_thread(renews, ann)
        return await read()

    monkeypatch.setattr(room, "_read_again", read_after_renewal)
    Operator(one.services.store.engine, one.services.clock, "tests").forget("Bob")
    until(lambda: "renew" in [entry["kind"] for entry in one.log(ann.table)])
    until(lambda: room.table.number == len(one.log(ann.table)))
    late = Seat(Place(two.http, two.connect), ann.table, ann.number, ann.token)
    refused(late.do("act", ply=0, action=3), "unauthorised", 401)
