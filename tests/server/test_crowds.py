"""Tables with many seats or sockets: what happens is told in few words, and counts for those who make it happen."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest

from parlour.protocol import Renew
from parlour.server.rooms import room
from parlour.server.tables.listener import Listener
from serving import Build, House, Live, Seat, holder_of, mover, refused, until


async def nowhere(message: bytes) -> None:
    pass


def never(code: int) -> None:
    pass


def seats_of(view: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {seat["seat"]: seat for seat in view["seats"]}


def test_of_many_seats_only_those_that_changed_are_told(house: House) -> None:
    table = house.open("game17", seats=196, options={"edge": 14})["table"]["id"]
    ann = house.sit(table, "Ann")
    with house.live(table) as live:
        for word in ("one", "two"):
            ann.must("chat", text=word)
            update = live.hear("update")
        assert (update["kind"], update["seats"]) == ("chat", [])
        bob = house.sit(table, "Bob")
        assert [seat["name"] for seat in live.hear("update")["seats"]] == ["Bob"]
        bob.must("leave")
        assert [(seat["seat"], seat["kind"]) for seat in live.hear("update")["seats"]] == [(bob.number, "free")]


class Known:
    """What somebody who listens knows of the seats: those of the welcome, and then what is told."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.number = live.heard[0]["table"]["number"]
        self.seats = seats_of(live.heard[0]["table"])

    def hear_up_to(self, number: int) -> None:
        while self.number < number:
            update = self.live.hear("update", "presence")
            if update["type"] == "presence":
                self.seats = {seat: {**one, "here": seat in update["here"]} for seat, one in self.seats.items()}
            else:
                self.seats |= seats_of(update)
                self.number = update["number"]


def test_who_comes_in_the_middle_knows_the_seats_like_everybody(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks run while they come, so what they are shown first differs from what others were told."""
    house, dice = build(), random.Random(2)
    now = [1_000_000.0]
    monkeypatch.setattr(house.services.clock, "now", lambda: now[0])
    seats = house.table_of("Ann", "Bob", "Cid", game="goose", clock={"kind": "turn", "seconds": 3600})
    with contextlib.ExitStack() as doors:
        listening = [Known(doors.enter_context(house.live(seats[0].table))) for _ in range(2)]
        for _ in range(25):
            now[0] += dice.randint(1, 100)
            listening.append(Known(doors.enter_context(house.live(seats[0].table, language=dice.choice(["en", "de"])))))
            now[0] += dice.randint(1, 100)
            if house.view(seats[0].table)["phase"] == "over":  # by lucky dice
                break
            seat = mover(seats)
            seat.must("act", ply=seat.view()["position"]["ply"], action=0)
            view = house.view(seat.table)
            for known in listening:
                known.hear_up_to(view["number"])
                assert {one["left"] for one in known.seats.values()} == {one["left"] for one in view["seats"]}
                assert [known.seats[n]["score"] for n in range(3)] == [one["score"] for one in view["seats"]]


def test_where_many_come_at_once_they_are_told_of_once_in_a_while(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "TELL_CROWD_EVERY", 0.5)
    table = house.open("goose")["table"]["id"]
    with contextlib.ExitStack() as doors:
        first = doors.enter_context(house.live(table))
        for _ in range(3 * room.CROWD):
            doors.enter_context(house.live(table))
        told = [first.hear("presence")]
        while told[-1]["watching"] < 3 * room.CROWD + 1:
            told.append(first.hear("presence"))
    assert len(told) < 2 * room.CROWD


def play_on(seat: Seat) -> Any:
    view = seat.view()
    return seat.do("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])


def test_who_has_used_up_their_processor_time_waits_and_others_play_on(build: Build) -> None:
    house = build(playing_per_second=0.0005)
    ann, bob = house.table_of("Ann", "Bob", game="connect_four")
    limiter = house.services.limits.playing
    limiter.charge(f"{ann.table}:{ann.number}", 1.0)
    refused(play_on(ann), "too_fast", 429, "more time than it has for you")
    assert ann.do("chat", text="why?").status_code == 429
    assert bob.do("chat", text="whatever").status_code == 200


def test_what_somebody_does_at_another_ones_table_counts_for_them(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob = house.table_of("Ann", "Bob")
    room, charged = house.services.rooms.in_memory[bob.table], set[str]()
    monkeypatch.setattr(house.services.limits.playing, "charge", lambda payer, _: charged.add(payer))
    house.run(house.services.commands.renew, room, holder_of(room, bob.number), Renew(), "192.0.2.1")
    house.run(house.services.commands.welcome_back, room, holder_of(room, bob.number), "192.0.2.1")
    assert charged == {"192.0.2.1", f"{bob.table}:{bob.number}"}


def test_people_may_come_while_a_thread_looks_who_is_here(house: House) -> None:
    presence = house.services.rooms.in_memory[house.open()["table"]["id"]].presence

    class Coming(Listener):
        @property
        def seat(self) -> int:
            presence.join(Listener(nowhere, never))
            return 0

        @seat.setter
        def seat(self, seat: int | None) -> None:
            pass

    presence.join(Coming(nowhere, never))
    presence.join(Coming(nowhere, never))
    assert not presence.is_here(1)


def test_bots_of_one_person_wait_when_their_time_is_used_up(build: Build) -> None:
    house = build(playing_per_second=0.05)
    ann = house.sit(house.open("connect_four", bots={"1": "random"})["table"]["id"], "Ann", seat=0)
    playing, payers = house.services.playing, house.services.rooms.in_memory[ann.table].payers
    house.services.limits.playing.charge(payers[0], 1.1)
    assert playing.wait(payers) > 1
    assert play_on(ann).status_code == 200, "what she does counts for her address, and not for whom the bots play"
    until(lambda: house.view(ann.table)["position"]["ply"] == 2)
    assert playing.wait(payers) < 1
