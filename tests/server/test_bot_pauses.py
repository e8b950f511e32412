"""How long bots wait for people who look on, and how people end that."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from parlour.server.bots import pauses as bot_pauses
from parlour.server.rooms.room import Room
from parlour.server.tables.presence import Presence
from serving import Build, House, Live, Seat, until

LONG = 600.0  # seconds that nobody waits for in a test

Pauses = list[float]


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    """The pauses of all bots, in seconds."""
    found, pause = Pauses(), bot_pauses.pause

    def note(*given: Any) -> float:
        found.append(pause(*given))
        return found[-1]

    monkeypatch.setattr(bot_pauses, "pause", note)
    return found


def room_of(house: House, table: str) -> Room:
    return house.services.rooms.in_memory[table]


def ply_of(house: House, table: str) -> int:
    """Asked of the memory: nothing comes about by the question."""
    return room_of(house, table).table.ply


def is_mine(house: House, seat: Seat) -> bool:
    table = room_of(house, seat.table).table
    return table.to_move == seat.number or table.phase == "over"


def end_turn(house: House, seat: Seat) -> None:
    """Play until it is somebody else's turn."""
    while is_mine(house, seat) and (choices := seat.view()["choices"]):
        seat.must("act", ply=ply_of(house, seat.table), action=choices[0]["action"])


def company(house: House, *names: str, bots: int = 1, game: str = "goose", bot: str = "random") -> list[Seat]:
    """People at a table with bots on the last seats; the match has begun, and it is the turn of one of them."""
    seats = len(names) + bots
    wish = {str(seat): bot for seat in range(len(names), seats)}
    people = house.table_of(*names, game=game, seats=seats, bots=wish)
    until(lambda: any(is_mine(house, one) for one in people))
    return people


def test_a_bot_waits_at_the_beginning_of_its_turn_and_the_whole_round_has_an_end(build: Build, pauses: Pauses) -> None:
    house = build(bot_pause=0.1)
    (ann,) = company(house, "Ann", bots=3, game="mazerunner", bot="runner:2")
    with ann.live(pictures=True):
        until(lambda: is_mine(house, ann))
        for _ in range(2):
            pauses.clear()
            end_turn(house, ann)
            until(lambda: is_mine(house, ann))
            assert len(pauses) >= 6, "three bots have played"
            assert sum(pauses) <= 0.1 * (bot_pauses.ROUND + 0.1), "however many actions that were"
            assert max(pauses) <= 0.1
            assert sum(pause > 0.1 * bot_pauses.ROLL for pause in pauses) <= 3, "a long one at the beginning of a turn"


def test_before_the_first_ply_bots_leave_the_page_twice_the_time(build: Build, pauses: Pauses) -> None:
    """The page has to be loaded, and the start to be seen."""
    house = build(bot_pause=LONG)
    ann = house.sit(house.open(bots={"0": "random"})["table"]["id"], "Ann")
    until(lambda: is_mine(house, ann))
    assert pauses == [0.0], "nobody looks"
    ann = house.sit(house.open()["table"]["id"], "Ann", seat=1)
    with ann.live(pictures=True):
        pauses.clear()
        ann.must("bots", seat=0, bot="random")
        until(lambda: pauses)
        assert pauses[0] == pytest.approx(2 * LONG, rel=0.05)


def wanted(house: House, table: str) -> float:
    """How long a bot that has just got its turn would wait."""
    here = room_of(house, table)
    began = here.table.turn_began
    return bot_pauses.pause(here.table, here.presence, 1.0, began, began)


def test_the_slowest_wish_of_those_who_sit_there_with_pictures_counts(build: Build) -> None:
    house = build(bot_pause=LONG)
    ann, bob = company(house, "Ann", "Bob", bots=0, game="connect_four")  # nothing is played before a bot comes
    pause = partial(wanted, house, ann.table)
    with house.live(ann.table, pictures=True), ann.live(), bob.live(pictures=True, pace="off") as live:
        assert pause() == 0, "neither those who watch nor programs are waited for"
        live.say("hello", token=bob.token, pace="fast")
        live.hear("welcome")
        assert pause() == pytest.approx(bot_pauses.PACES["fast"] * 2), "what is wished for later counts"
        with ann.live(pictures=True):
            assert pause() == pytest.approx(2)
        with ann.live(pictures=True, pace="off"):
            assert pause() == pytest.approx(bot_pauses.PACES["fast"] * 2)


def test_who_watches_only_bots_can_follow_them_and_waits_for_no_turn(build: Build) -> None:
    house = build(bot_pause=1.0)
    table = house.open("goose", seats=3, bots=dict.fromkeys("012", "random"))["table"]["id"]
    assert wanted(house, table) == 0
    with house.live(table):
        assert wanted(house, table) == 0
    with house.live(table, pictures=True, pace="off"):
        assert wanted(house, table) == 0
    with house.live(table, pictures=True):
        assert 0 < wanted(house, table) <= bot_pauses.ROLL


def begins_to_wait(house: House, seat: Seat, pauses: Pauses) -> int:
    """The turn ends, and a bot waits before it acts; returns the ply."""
    pauses.clear()
    end_turn(house, seat)
    until(lambda: pauses)
    assert pauses[0] > LONG / 4
    return ply_of(house, seat.table)


def heard(live: Live) -> None:
    """Whatever was said on this socket has been heard."""
    live.say("ping")
    live.hear("pong")


def test_bots_hurry_until_it_is_ones_turn(build: Build, pauses: Pauses) -> None:
    house = build(bot_pause=LONG)
    (ann,) = company(house, "Ann", bots=2, game="verfuchst")  # where nobody skips a turn
    with ann.live(pictures=True) as live:
        live.say("hurry")
        until(lambda: is_mine(house, ann))  # chance says who begins
        for _ in range(2):
            ply = begins_to_wait(house, ann, pauses)
            live.say("hurry")
            until(lambda: is_mine(house, ann))
            assert ply_of(house, ann.table) >= ply + 2
            live.say("hurry")  # in vain, as it is her turn
            heard(live)


def test_nobody_hurries_others(build: Build, pauses: Pauses) -> None:
    house = build(bot_pause=LONG)
    ann, bob = company(house, "Ann", "Bob")
    end_turn(house, ann)
    with ann.live(pictures=True) as one, bob.live(pictures=True) as two, house.live(ann.table, pictures=True) as eve:
        ply = begins_to_wait(house, bob, pauses)
        for live in (eve, one, one):
            live.say("hurry")
            heard(live)
        assert not room_of(house, ann.table).presence.all_hurry.is_set()
        assert ply_of(house, ann.table) == ply
        two.say("hurry")
        until(lambda: is_mine(house, ann))


def test_whoever_has_resigned_hurries_nobody_who_watches(build: Build, pauses: Pauses) -> None:
    house = build(bot_pause=LONG)
    (ann,) = company(house, "Ann", bots=2)
    with ann.live() as live, house.live(ann.table, pictures=True):
        ann.must("resign")
        until(lambda: pauses and pauses[-1])
        ply = ply_of(house, ann.table)
        live.say("hurry")
        heard(live)
        ann.must("chat", text="bots act before this is stored, if they do")
        assert ply_of(house, ann.table) == ply


def test_whoever_comes_is_not_hurried_and_whoever_goes_holds_up_nobody(build: Build, pauses: Pauses) -> None:
    house = build(bot_pause=LONG)
    ann, bob = company(house, "Ann", "Bob")
    end_turn(house, ann)
    with ann.live(pictures=True) as live:
        with bob.live(pictures=True):
            begins_to_wait(house, bob, pauses)
            live.say("hurry")
            heard(live)
            assert not room_of(house, ann.table).presence.all_hurry.is_set()
        until(lambda: is_mine(house, ann))


def test_whoever_is_at_another_process_is_not_hurried(build: Build) -> None:
    house = build()
    presence = Presence(house.services.clock)
    presence.hear_of(1, 30.0)
    presence.hurry(0)
    assert not presence.all_hurry.is_set()
    presence.hurry(1)
    assert presence.all_hurry.is_set()
    presence.calm_down()
    assert not presence.all_hurry.is_set()


def test_a_hurried_table_takes_no_more_of_the_server(
    build: Build, pauses: Pauses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each action, bots still wait until there is processor time for whoever opened the table."""
    house = build(bot_pause=LONG)
    (ann,) = company(house, "Ann", bots=2)
    asked: list[int] = []
    wait: Callable[..., float] = house.services.playing.wait

    def count(payers: tuple[str, ...]) -> float:
        if not is_mine(house, ann):
            asked.append(ply_of(house, ann.table))
        return wait(payers)

    with ann.live(pictures=True) as live:
        ply = begins_to_wait(house, ann, pauses)
        monkeypatch.setattr(house.services.playing, "wait", count)
        live.say("hurry")
        until(lambda: is_mine(house, ann))
    assert set(range(ply, ply_of(house, ann.table))) <= set(asked)


def test_whoever_has_resigned_only_watches(build: Build) -> None:
    house = build(bot_pause=1.0)
    (ann,) = company(house, "Ann", bots=2)
    room = room_of(house, ann.table)
    assert not room.table.is_left_to_bots
    ann.must("resign")
    assert room.table.is_left_to_bots
