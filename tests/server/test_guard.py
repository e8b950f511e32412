"""Who makes way when there are too many connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from parlour.server.config import Config
from parlour.server.guard import PROXY, Guard


class Line:
    """A connection, and its own transport: all that the guard does is to end it."""

    is_socket = False

    def __init__(self, address: str) -> None:
        self.address = address
        self.transport: Any = self
        self.is_ended = False

    def abort(self) -> None:
        self.is_ended = True

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


def test_who_comes_by_way_of_a_proxy_is_not_pushed_out() -> None:
    """The proxy's connections are those of many people."""

    def test(guard: Guard) -> None:
        proxied = [Line(PROXY) for _ in range(6)]
        assert all(guard.greet(line) for line in proxied)
        assert not guard.greet(Line("10.0.0.1"))
        assert not any(line.is_ended for line in proxied)

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
