"""What the limits remember, and for how long."""

from __future__ import annotations

import math

import pytest

from parlour.server import limits
from parlour.server.limits import Limiter


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which the limits go; its one number can be set."""
    now = [0.0]
    monkeypatch.setattr("parlour.server.limits.time.monotonic", lambda: now[0])
    return now


def test_as_much_at_once_as_the_burst_then_so_many_a_second(clock: list[float]) -> None:
    limiter = Limiter(rate=2, burst=3)
    assert [limiter.allows("ann") for _ in range(5)] == [True, True, True, False, False]
    clock[0] = 0.5
    assert [limiter.allows("ann") for _ in range(2)] == [True, False]


def test_those_who_have_recovered_are_forgotten(clock: list[float]) -> None:
    limiter = Limiter(rate=1, burst=4)
    for number in range(100):
        clock[0] = float(number)
        limiter.allows(f"seat {number}")
    assert len(limiter._levels) <= 3


def test_those_who_have_not_recovered_are_remembered(clock: list[float]) -> None:
    limiter = Limiter(rate=1, burst=4)
    for _ in range(4):
        assert limiter.allows("ann")
    clock[0] = 0.9
    for number in range(100):
        limiter.allows(f"seat {number}")
    assert not limiter.allows("ann")


def test_there_is_an_end_to_what_is_remembered(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 10)
    limiter = Limiter(rate=1, burst=4)
    for number in range(100):
        limiter.allows(f"seat {number}")
    assert len(limiter._levels) <= 10


def test_no_limit_at_all(clock: list[float]) -> None:
    limiter = Limiter(rate=math.inf, burst=math.inf)
    assert all(limiter.allows("ann") for _ in range(100))
