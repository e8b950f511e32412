"""Nobody's table stops the others: how long the event loop's thread works at a stretch, in its own processor time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from parlour.engine import registry
from parlour.engine.game import Game
from parlour.games.game17.rules import order_way
from parlour.protocol import VERSION, Ack, Chat
from parlour.server.rooms.room import Room
from serving import PATIENCE, Build, House, Live, Seat, holder_of

LONGEST = 0.05  # seconds of processor time
ORDERS = 105  # in one command


class Stretches:
    """Looks how long the event loop works without a pause."""

    def __init__(self) -> None:
        self.longest = 0.0

    def begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._look())

    def end(self) -> None:
        self._task.cancel()

    async def _look(self) -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.thread_time()
            self.longest, last = max(self.longest, now - last), now


@contextlib.contextmanager
def watched(house: House) -> Iterator[Stretches]:
    """Meanwhile nobody looks for garbage: among all that the tests hold that takes a second; at a server, far less."""
    stretches = Stretches()
    gc.disable()
    house.run(stretches.begin)
    try:
        yield stretches
        house.run(stretches.end)
    finally:
        gc.enable()


def extremes(game: Game) -> Iterator[dict[str, int]]:
    """Options at their usual values, and each at its ends."""
    yield {}
    for option in game.options:
        ends = option.choices or (option.low, option.high)
        yield from ({option.name: int(value)} for value in ends if value != option.default)


GAMES = [registry.get(name) for name in registry.names()]
CASES = [pytest.param(game, options, id=f"{game.name} {options}") for game in GAMES for options in extremes(game)]


def open_full(house: House, game: Game, options: dict[str, int], seats: int) -> Seat:
    """A table where one person plays, and bots have all other seats."""
    seat = house.sit(house.open(game.name, seats=seats, options=options)["table"]["id"], "Ann")
    if seats > 1:
        seat.must("start", fill="random")
    return seat


def ask_anew(live: Live, seat: Seat) -> None:
    live.say("hello", version=VERSION, token=seat.token, pictures=True, undoable=True)


def play(live: Live, seat: Seat, dice: random.Random) -> None:
    """Play at random; take back what can be; ask for the whole table again and again."""
    for _ in range(20):
        view = seat.view(undoable=True)
        if view["choices"]:
            action = dice.choice(view["choices"])["action"]
            live.ask("act", ply=view["position"]["ply"], action=action)
            ask_anew(live, seat)
        view = seat.view()
        if view["may_undo"] and dice.random() < 0.5:
            live.ask("undo", ply=view["position"]["ply"])


@pytest.mark.parametrize(("game", "options"), CASES)
def test_no_game_stops_the_event_loop(build: Build, game: Game, options: dict[str, int]) -> None:
    house, resolved = build(bots_per_address=1000), game.resolve_options(options)
    counts = {max(1, game.seats[0]), game.resolve_seats(None, resolved), game.seats[1]}
    with watched(house) as stretches:
        for count in (count for count in counts if game.takes(count, resolved) is None):
            seat = open_full(house, game, options, count)
            wishes: dict[str, Any] = {"pictures": True, "patches": True, "language": "de"}
            with seat.live(pictures=True, undoable=True, state=True) as live, house.live(seat.table, **wishes):
                play(live, seat, random.Random(count))
    assert stretches.longest < LONGEST


def give_squares(house: House, seat: Seat, count: int) -> None:
    """Most of the board is hers, as after a long match."""
    match = house.services.rooms.in_memory[seat.table].table.match
    assert match is not None
    state = match.state
    for square in range(count):
        state.squares_of[state.owner[square]] -= 1
        state.pieces_of[state.owner[square]] -= state.pieces[square]
        state.owner[square] = seat.number
    state.squares_of[seat.number] = state.owner.count(seat.number)
    state.pieces_of[seat.number] = sum(
        pieces for pieces, owner in zip(state.pieces, state.owner, strict=True) if owner == seat.number
    )
    match.stand_at(state)


def test_neither_many_orders_nor_taking_them_back_stops_the_event_loop(build: Build) -> None:
    house, game = build(), registry.get("game17")
    seat = open_full(house, game, {"edge": 24, "rounds": 1000}, 1)
    house.run(give_squares, house, seat, 400)
    with watched(house) as stretches, seat.live(pictures=True, undoable=True) as live:
        for _ in range(3):
            view = seat.view()
            ways = {order_way(choice["action"]): choice["action"] for choice in view["choices"] if choice["action"]}
            orders = list(ways.values())[: 4 * ORDERS : 4]
            assert len(orders) == ORDERS
            assert live.ask("act", ply=view["position"]["ply"], actions=orders)["type"] == "ack"
            assert live.ask("undo", ply=seat.view()["position"]["ply"])["type"] == "ack"
            assert live.ask("act", ply=seat.view()["position"]["ply"], action=0)["type"] == "ack"
            ask_anew(live, seat)
            live.hear("welcome")
    assert stretches.longest < LONGEST


def test_a_match_that_zombies_play_to_its_end_stops_nobody(build: Build) -> None:
    """All the rounds that are left are one action then: some seconds of processor time."""
    house, game = build(), registry.get("game17")
    with watched(house) as stretches:
        for _ in range(3):
            seat = open_full(house, game, {"edge": 24, "rounds": 300}, 1)
            house.run(take_pieces, house, seat)
            if seat.view()["phase"] == "playing":
                seat.must("act", ply=seat.view()["position"]["ply"], action=0)
                assert seat.view()["phase"] == "over"
    assert stretches.longest < LONGEST


def take_pieces(house: House, seat: Seat) -> None:
    """Her last piece is taken by whoever is up next."""
    match = house.services.rooms.in_memory[seat.table].table.match
    assert match is not None
    state = match.state
    if state.over:
        return
    other = next(owner for owner in range(state.edge**2) if owner != seat.number and state.squares_of[owner])
    state.pieces_of[other] += state.pieces_of[seat.number]
    state.pieces_of[seat.number] = 0
    state.squares_of[other] += state.squares_of[seat.number]
    state.squares_of[seat.number] = 0
    state.owner = [other if owner == seat.number else owner for owner in state.owner]
    state.seats_armed = state.seats_left = 0
    state.armed -= 1
    match.stand_at(state)


def ways_of(room: Room, payer: str) -> list[Callable[[], Awaitable[None]]]:
    """What somebody from that address can do at a table: something, and look."""

    async def look() -> None:
        async with room.still(payer):
            await room.playing.do(room.table, (payer,), room.view(None))

    return [lambda: room.attempt(lambda: None, payers=(payer,)), look]


@pytest.mark.parametrize("way", [0, 1], ids=["somebody acts", "somebody looks"])
def test_nobody_waits_for_what_another_person_has_in_hand_at_other_tables(build: Build, way: int) -> None:
    """Whoever has much in hand comes to a large table where others play: these go on meanwhile."""
    house, eve, done = build(), "192.0.2.1", threading.Event()
    here, elsewhere = (
        house.services.rooms.in_memory[house.open("game17", seats=2, bots={"1": "random"})["table"]["id"]]
        for _ in range(2)
    )
    ann = house.sit(here.id, "Ann", seat=0)

    def wait() -> None:
        done.wait(PATIENCE)

    async def meet() -> Ack:
        busy = elsewhere.attempt(wait, payers=(eve,))
        tasks = [asyncio.ensure_future(work) for work in (busy, ways_of(here, eve)[way]())]
        for _ in range(10):
            await asyncio.sleep(0)  # until both have gone as far as they can
        try:
            said = house.services.commands.answer(
                here, holder_of(here, ann.number), Chat(cid="c", text="Hello"), "192.0.2.2"
            )
            return await asyncio.wait_for(said, 5)
        finally:
            done.set()
            await asyncio.gather(*tasks)

    assert house.run(meet).cid == "c"


def test_what_describes_the_protocol_is_made_before_anybody_asks_for_it(build: Build) -> None:
    house = build()
    with watched(house) as stretches:
        assert house.http.get("/api/schema/openapi.json").status_code == 200
    assert stretches.longest < LONGEST
