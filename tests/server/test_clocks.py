"""Time at a table: what is spent, what is not, and what happens when it is used up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine

from parlour.engine import registry
from parlour.engine.match import Match
from parlour.protocol import Act, AnyEntry, ClockSpec, Leave, Returned, Sit, TokenRenewed, Undo
from parlour.server.rooms import proposals
from parlour.server.running import services
from parlour.server.store.schema import ENTRIES, PROCESSES, TABLES
from parlour.server.tables.fold import fold
from parlour.server.tables.table import Table, TableSpec
from serving import Build, House, Seat, mover, refused, until

pytestmark = pytest.mark.usefixtures("still")
DAY = 86400.0
TURN: dict[str, Any] = {"kind": "turn", "seconds": 60}
BANK: dict[str, Any] = {"kind": "bank", "seconds": 60, "increment": 5}


def left(house: House, table: str) -> list[int | None]:
    return [None if seat["left"] is None else round(seat["left"]) for seat in house.view(table)["seats"]]


def away(house: House, table: str, seat: int) -> str | None:
    reason: str | None = house.view(table)["seats"][seat]["away"]
    return reason


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'x.sqlite'}"


@pytest.fixture
def pair(house: House) -> list[Seat]:
    return house.table_of("Ann", "Bob", clock=TURN)


def test_without_a_clock_nothing_is_left(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    assert left(house, ann.table) == [None, None]


def test_a_turn_has_its_time_anew(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    house.pass_time(ann.table, 50)
    assert left(house, ann.table) == [10, 60], "everybody sees it run"
    ann.must("act", ply=0, action=3)
    house.pass_time(ann.table, 20)
    bob.must("act", ply=1, action=3)
    assert left(house, ann.table) == [60, 60]
    assert [round(entry["body"]["spent"]) for entry in house.log(ann.table)[3:]] == [50, 20]


def test_a_bank_is_used_up_and_grows(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", clock=BANK)
    house.pass_time(ann.table, 20)
    ann.must("act", ply=0, action=3)
    house.pass_time(ann.table, 1)
    bob.must("act", ply=1, action=3)
    assert left(house, ann.table) == [45, 64]
    house.pass_time(ann.table, 44)
    ann.must("act", ply=2, action=3)
    assert left(house, ann.table) == [6, 64]


def test_whatever_happens_the_clock_is_told_as_it_runs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Talk, offers and choices: time stands still here but for what the test lets pass, so that it can be exact."""
    at = [house.services.clock.now()]
    monkeypatch.setattr(house.services.clock, "now", lambda: at[0])
    ann, bob = house.table_of("Ann", "Bob", clock=BANK)
    happens: list[tuple[Seat, str, dict[str, Any], list[float]]] = [
        (bob, "chat", {"text": "hurry"}, [52.5, 60]),
        (ann, "draw", {}, [45, 60]),
        (bob, "draw", {"answer": "decline"}, [37.5, 60]),
        (ann, "act", {"ply": 0, "action": 0}, [35, 60]),
        (ann, "chat", {"text": "your turn"}, [35, 52.5]),
        (bob, "act", {"ply": 1, "action": 0}, [35, 50]),
    ]
    with bob.live() as live:
        known = {one["seat"]: one["left"] for one in live.heard[0]["table"]["seats"]}
        for seat, what, body, expected in happens:
            at[0] += 7.5
            seat.must(what, **body)
            known |= {one["seat"]: one["left"] for one in live.hear("update")["seats"]}
            assert [known[0], known[1]] == pytest.approx(expected, abs=0.2), what
            assert [one["left"] for one in house.view(ann.table)["seats"]] == pytest.approx(expected, abs=0.2)


@pytest.mark.parametrize("clock", [TURN, BANK])
def test_a_choice_taken_back_gives_no_time(house: House, clock: dict[str, Any]) -> None:
    seats = house.table_of("Ann", "Bob", game="game17", options={"edge": 4}, clock=clock)
    ann = mover(seats)
    house.pass_time(ann.table, 50)
    order = ann.view()["choices"][1]["action"]
    for _ in range(3):
        ann.must("act", ply=0, action=order)
        ann.must("undo", ply=1)
    assert left(house, ann.table)[ann.number] == 10


def test_whose_turn_runs_out_is_played_for_until_they_act(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    ann.must("act", ply=0, action=3)
    with bob.live():
        house.pass_time(ann.table, 61)
        until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    assert away(house, ann.table, 1) == "time"
    assert [entry["kind"] for entry in house.log(ann.table)[4:]] == ["away", "act"]
    ann.must("act", ply=2, action=5)
    until(lambda: house.view(ann.table)["position"]["ply"] == 4)
    bob.must("back")
    assert away(house, ann.table, 1) is None
    ann.must("act", ply=4, action=5)
    bob.must("act", ply=5, action=6)


def test_a_bank_that_is_empty_stays_empty(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", clock=BANK)
    house.pass_time(ann.table, 61)
    until(lambda: away(house, ann.table, 0))
    assert left(house, ann.table)[0] == 0
    refused(ann.do("back"), "forbidden", 403, "used up")
    until(lambda: house.view(ann.table)["position"]["to_move"] == 1)
    bob.must("act", ply=1, action=0)


def test_a_bot_that_plays_on_earns_no_time(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", clock=BANK)
    house.pass_time(ann.table, 61.0004)
    until(lambda: away(house, ann.table, 0))
    for ply in (1, 3):
        until(partial(is_at, house, ann.table, ply))
        bob.must("act", ply=ply, action=bob.view()["choices"][0]["action"])
    until(lambda: house.view(ann.table)["position"]["ply"] >= 5)
    assert house.view(ann.table)["seats"][0]["left"] == 0.0, "exactly, and no increments"
    refused(ann.do("back"), "forbidden", 403, "used up")


def is_at(house: House, table: str, ply: int) -> bool:
    return bool(house.view(table)["position"]["ply"] == ply)


@pytest.mark.parametrize("spec", [ClockSpec("bank", 10_000, 7), ClockSpec("turn", 500)], ids=["bank", "turn"])
def test_thinking_about_an_undo_counts(spec: ClockSpec) -> None:
    """Also where the turn that was ended is followed by another of the same seat."""
    table = with_clock("mazerunner", 1, spec)
    assert table.match is not None
    while not ends_turn_by_choice(table.match):
        act(table, table.match.legal()[0], 0.0)
    before = table.clocks.left[0]
    act(table, next(action for action in table.match.legal() if ends_turn(table.match, action)), 20.0)
    take_back(table, 30.0)
    assert table.clocks.left[0] == pytest.approx(before - 50.0)


@pytest.mark.parametrize("spec", [ClockSpec("bank", 500, 7), ClockSpec("turn", 500)], ids=["bank", "turn"])
def test_taking_back_again_and_again_earns_no_time(spec: ClockSpec) -> None:
    """Past the answers of bots, several turns can be taken back, one after the other."""
    table = with_clock("connect_four", 1, spec, bots={1: "random"})
    for _ in range(2):
        act(table, 3, 10.0)
        write(table, proposals.bot_acts(table, 4, 0.0).entries)
    for _ in range(2):
        take_back(table, 0.0)
    assert (table.ply, table.clocks.left[0]) == (0, 480)


def test_who_leaves_or_returns_gives_no_time_to_who_is_to_move() -> None:
    table = with_clock("goose", 3, ClockSpec("bank", 100, 5))
    assert table.to_move is not None
    other = (table.to_move + 1) % 3
    write(table, proposals.propose(table, Leave(cid="l"), other, 50.0).entries)
    write(table, [Returned(number=table.number + 1, at=60.0, seat=other)])
    assert table.turn_began == 0.0


def test_a_new_token_does_not_put_off_the_beginning() -> None:
    table = with_clock("goose", 2, ClockSpec(), seal="5e" * 32)
    assert table.is_revealing
    write(table, [TokenRenewed(number=table.number + 1, at=9.0, seat=0)])
    assert table.turn_began == 0.0


def with_clock(game: str, people: int, clock: ClockSpec, bots: dict[int, str] | None = None, **wish: Any) -> Table:
    """A table at which these sit, of which only its log is known."""
    rules = registry.get(game)
    bots, options = bots or {}, rules.resolve_options({})
    seats = people + len(bots)
    table = Table(TableSpec("x", game, rules.version, options, seats, True, True, clock, 90.0, "5e" * 32, 0.0))
    write(table, proposals.open_table(table, bots, 0.0))
    for seat in range(people):
        write(
            table, proposals.sit(table, proposals.ChosenSeat(seat), f"Ann {seat}", Sit(name="Ann", **wish), 0.0).entries
        )
    return table


def write(table: Table, entries: Sequence[AnyEntry]) -> None:
    for entry in entries:
        fold(table, entry)


def act(table: Table, action: int, spent: float) -> None:
    command = Act(cid=f"a{table.number}", ply=table.ply, action=action)
    write(table, proposals.propose(table, command, 0, 0.0, spent).entries)


def take_back(table: Table, spent: float) -> None:
    write(table, proposals.propose(table, Undo(cid=f"u{table.number}", ply=table.ply), 0, 0.0, spent).entries)


def ends_turn(match: Match, action: int) -> bool:
    after = match.twin()
    after.play(action)
    return after.state.turns != match.state.turns and not after.plies[-1].by_chance and not after.over


def ends_turn_by_choice(match: Match) -> bool:
    return any(ends_turn(match, action) for action in match.legal())


def forget(house: House, table: str) -> None:
    """The table leaves the memory, as one does that nobody looks at."""
    room = house.services.rooms.in_memory.pop(table)
    house.run(house.services.scheduler.forget, [room])


@pytest.mark.parametrize("seconds", [3 * DAY, 600.0])
def test_a_table_that_comes_back_charges_what_was_spent_and_no_more(house: House, seconds: float) -> None:
    ann, bob = house.table_of("Ann", "Bob", game="goose", clock={"kind": "turn", "seconds": seconds}, grace=10_000)
    seats = [ann, bob]
    for ply in range(40):
        if house.view(ann.table)["phase"] == "over":
            break
        house.pass_time(ann.table, 100)
        seat = mover(seats)
        seat.must("act", ply=ply, action=0)
        if ply % 5 == 0:
            forget(house, ann.table)
    last = [entry["body"].get("spent") for entry in house.log(ann.table) if entry["kind"] == "act"]
    assert last == pytest.approx([100] * len(last), abs=5)


def test_a_move_by_way_of_another_process_costs_the_same(build: Build, database: str) -> None:
    one, two = (build(database=database, workers=2) for _ in range(2))
    ann, _ = one.table_of("Ann", "Bob", clock=BANK)
    for house in (one, two):
        clock = house.services.clock
        house.run(clock.set, clock.now() + 40)
    Seat(two, ann.table, 0, ann.token).must("act", ply=0, action=3)
    assert two.log(ann.table)[-1]["body"]["spent"] == pytest.approx(40, abs=5)


def test_nobody_loses_by_a_second_that_is_left(house: House, pair: list[Seat]) -> None:
    with pair[0].live():
        house.pass_time(pair[0].table, 58)
        time.sleep(0.1)
        assert away(house, pair[0].table, 0) is None


@pytest.mark.parametrize("jump", [3 * DAY, -3 * DAY])
def test_a_jump_of_the_wall_clock_costs_nothing(
    house: House, pair: list[Seat], monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    ann, bob = pair
    real = time.time
    with ann.live(), bob.live():
        house.pass_time(ann.table, 10)
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        assert left(house, ann.table) == [50, 60]
        house.run(house.services.housekeeping.sweep)
        ann.must("act", ply=0, action=3)
        bob.must("act", ply=1, action=3)
        assert left(house, ann.table) == [60, 60]
    assert [round(entry["body"]["spent"]) for entry in house.log(ann.table)[3:]] == [10, 0]


# While the server is down.


def age(database: str, seconds: float) -> None:
    """Make all that is stored look so much older."""
    engine = create_engine(database)
    with engine.begin() as connection:
        connection.execute(ENTRIES.update().values(at=ENTRIES.c.at - seconds))
        connection.execute(TABLES.update().values(wake=TABLES.c.wake - seconds))
        older = {"clock": PROCESSES.c.clock - seconds, "until": PROCESSES.c.until - seconds}
        connection.execute(PROCESSES.update().values(older))
    engine.dispose()


def test_quick_clocks_stand_still_while_the_server_is_down(build: Build, database: str) -> None:
    house = build(database=database)
    ann, _ = house.table_of("Ann", "Bob", clock=BANK)
    house.http.__exit__(None, None, None)
    age(database, 3600)
    again = build(database=database)
    assert left(again, ann.table) == [60, 60]
    time.sleep(0.1)
    assert away(again, ann.table, 0) is None


def test_slow_clocks_go_on_while_the_server_is_down(build: Build, database: str) -> None:
    house = build(database=database)
    ann, _ = house.table_of("Ann", "Bob", clock={"kind": "turn", "seconds": 3 * DAY})
    ann.must("chat", text="later")
    house.http.__exit__(None, None, None)
    age(database, 2 * DAY)
    again = build(database=database)
    assert again.view(ann.table)["seats"][0]["left"] == pytest.approx(DAY, abs=60), "it has run once, not twice"
    ann.at = again
    ann.must("act", ply=0, action=3)
    assert again.log(ann.table)[-1]["body"]["spent"] == pytest.approx(2 * DAY, abs=60)


def test_talk_does_not_stop_a_slow_clock(build: Build, database: str) -> None:
    house = build(database=database)
    ann, _ = house.table_of("Ann", "Bob", clock={"kind": "turn", "seconds": 3 * DAY})
    house.http.__exit__(None, None, None)
    age(database, 2 * DAY)
    again = build(database=database)
    ann.at = again
    ann.must("chat", text="I am thinking")
    again.http.__exit__(None, None, None)
    third = build(database=database)
    assert third.view(ann.table)["seats"][0]["left"] == pytest.approx(DAY, abs=60)


def test_a_slow_clock_that_ran_out_is_noticed_by_nobody_but_the_server(
    build: Build, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = build(database=database)
    ann, _ = house.table_of("Ann", "Bob", clock={"kind": "turn", "seconds": 2 * DAY})
    house.http.__exit__(None, None, None)
    age(database, 2 * DAY + 60)
    monkeypatch.setattr(services, "SWEEP", 0.1)
    again = build(database=database)
    # Asked of the store: a question over HTTP would bring the table into memory.
    until(lambda: len(again.services.store.since(ann.table, 0)[0]) == 5)
    assert [entry["kind"] for entry in again.log(ann.table)[3:]] == ["away", "act"]
