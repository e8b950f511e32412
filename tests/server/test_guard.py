"""Who makes way when there are too many connections."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from parlour.server.basics.config import Config
from parlour.server.http.guard import (
    HELD_PER_SECOND,
    HOLD,
    LONGEST_HOLD,
    PROXY,
    REFUSALS_AT_ONCE,
    REFUSALS_PER_SECOND,
    SOCKETS_FULL,
    UNREAD_PER_ADDRESS,
    Guard,
)


class Line:
    """A connection, and its own transport: all that the guard does is to end it."""

    is_socket = False
    unread = 0

    def __init__(self, address: str) -> None:
        self.address = address
        self.transport: Any = self
        self.is_ended = False

    def abort(self) -> None:
        self.is_ended = True

    make_way = abort

    def get_write_buffer_size(self) -> int:
        return self.unread

    def check_time(self, now: float) -> None:
        raise AssertionError("no time has passed")


def crowded(test: Callable[[Guard], None]) -> None:
    """Runs the test with a guard that lets in six connections, of each address five."""

    async def run() -> None:
        test(Guard(Config(connections=6, connections_per_address=5), files=100))

    asyncio.run(run())


def test_whoever_has_most_makes_way() -> None:
    def test(guard: Guard) -> None:
        greedy = [Line("10.0.0.1") for _ in range(4)]
        others = [Line("10.0.0.2"), Line("10.0.0.3")]
        assert all(guard.greet(line) for line in [*greedy, *others])
        newcomers = [Line(f"10.0.1.{number}") for number in range(3)]
        assert all(guard.greet(line) for line in newcomers)
        assert [line.is_ended for line in greedy] == [True, True, True, False], "the oldest first"
        assert not any(line.is_ended for line in [*others, *newcomers])
        assert not guard.greet(Line("10.0.2.1")), "all have one"

    crowded(test)


def test_whoever_has_most_does_not_push_others_out() -> None:
    def test(guard: Guard) -> None:
        others = [Line("10.0.0.2"), Line("10.0.0.2"), Line("10.0.0.3")]
        greedy = [Line("10.0.0.1") for _ in range(3)]
        assert all(guard.greet(line) for line in [*others, *greedy])
        assert not guard.greet(Line("10.0.0.1"))
        assert not any(line.is_ended for line in others)

    crowded(test)


def test_a_proxys_connections_count_for_whoever_it_brings() -> None:
    """Those that wait for somebody to bring count for nobody."""

    def test(guard: Guard) -> None:
        idle = [Line(PROXY) for _ in range(6)]
        assert all(guard.greet(line) for line in idle)
        busy = [Line(PROXY) for _ in range(5)]
        assert all(guard.greet(line) and guard.serve(line, "192.0.2.1") for line in busy)
        assert not guard.serve(idle[0], "192.0.2.1"), "five of an address"
        guard.release(idle[0])
        guard.release(busy[0])
        assert guard.serve(idle[0], "192.0.2.1")
        assert guard.greet(Line("10.0.0.1"))
        assert guard.greet(Line("10.0.0.2"))
        assert [line.is_ended for line in busy] == [False, True, False, False, False], "the oldest of who has most"
        assert not any(line.is_ended for line in idle)

    crowded(test)


def test_what_waits_to_be_read_counts_for_whoever_asked_for_it() -> None:
    """Also where a proxy is to pass it on."""

    def test(guard: Guard) -> None:
        lines = [Line(PROXY) for _ in range(3)]
        for line, address in zip(lines, ["192.0.2.1", "192.0.2.2", "192.0.2.1"], strict=True):
            guard.greet(line)
            guard.serve(line, address)
            line.unread = UNREAD_PER_ADDRESS * 2 // 3
            guard.note_slow(line)
        assert [line.is_ended for line in lines] == [True, False, False]

    crowded(test)


def test_there_is_one_timer_however_often_connections_come_and_go() -> None:
    def test(guard: Guard) -> None:
        loop, due = asyncio.get_running_loop(), list[Callable[[], None]]()
        loop.call_later = lambda _, look: due.append(look)  # type: ignore[assignment, method-assign, misc]
        for _ in range(3):
            line = Line("10.0.0.1")
            guard.greet(line)
            guard.forget(line)
        (look,) = due
        look()
        assert due == [look], "nobody is there"
        guard.greet(Line("10.0.0.1"))
        assert due == [look, look]

    crowded(test)


def test_whoever_is_refused_again_and_again_is_turned_away_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("parlour.server.basics.limiter.time.monotonic", lambda: now[0])

    def test(guard: Guard) -> None:
        for _ in range(5 * REFUSALS_AT_ONCE):
            guard.note_refusal("10.0.0.1")
        assert guard.is_tired_of("10.0.0.1")
        assert not guard.is_tired_of("10.0.0.2")
        now[0] += 2 / REFUSALS_PER_SECOND
        assert not guard.is_tired_of("10.0.0.1")

    crowded(test)


def test_thousands_who_are_turned_away_are_not_all_answered_in_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.basics.limiter.time.monotonic", lambda: 1000.0)

    def test(guard: Guard) -> None:
        holds = [guard.hold("10.0.0.1") for _ in range(2000)]
        assert HOLD <= holds[0] < HOLD + 0.1
        soonest = Counter(int(10 * hold) for hold in holds if hold < LONGEST_HOLD)
        assert max(soonest.values()) <= HELD_PER_SECOND / 10 + 1
        assert max(holds) <= LONGEST_HOLD
        assert guard.hold("10.0.0.2") < HOLD + 0.1, "nobody waits for others"

    crowded(test)


def test_an_address_says_so_much_on_all_its_sockets_together() -> None:
    def test(guard: Guard) -> None:
        most = int(SOCKETS_FULL * guard.config.messages_per_second)
        said = sum(guard.may_say("10.0.0.1", 1) for _ in range(2 * most))
        assert most <= said < 1.1 * most
        assert guard.may_say("10.0.0.2", 1)

    crowded(test)


def test_what_has_ended_is_forgotten_once() -> None:
    def test(guard: Guard) -> None:
        lines = [Line("10.0.0.1") for _ in range(5)]
        for line in lines:
            guard.greet(line)
        for line in [*lines, lines[0]]:
            guard.forget(line)
        assert all(guard.greet(Line("10.0.0.1")) for _ in range(5))
        assert not guard.greet(Line("10.0.0.1")), "five of an address"

    crowded(test)
