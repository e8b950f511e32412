"""What the limits remember, for how long, and about whom."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from parlour.server.basics import limiter
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.basics.limiter import Limiter
from parlour.server.people.limits import RateLimits, counted_as, network_of


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which the limits go; its one number can be set."""
    now = [1000.0]
    monkeypatch.setattr("parlour.server.basics.limiter.time.monotonic", lambda: now[0])
    return now


def test_as_much_at_once_as_the_burst_then_so_many_a_second(clock: list[float]) -> None:
    limited = Limiter(rate=2, burst=3)
    assert [limited.take("ann") for _ in range(5)] == [0, 0, 0, 0.5, 0.5]
    clock[0] += 0.5
    assert [limited.take("ann") for _ in range(2)] == [0, 0.5]
    assert limited.take("bob") == 0, "another key has its own"
    clock[0] += 100
    assert [bool(limited.take("ann")) for _ in range(4)] == [False, False, False, True], "no more than the burst"


def test_what_was_used_beyond_the_limit_is_waited_for(clock: list[float]) -> None:
    limited = Limiter(rate=0.5, burst=2)
    limited.charge("ann", 5)
    assert limited.take("ann", 0) == pytest.approx(6)
    clock[0] += 6
    assert limited.take("ann", 0) == 0


def test_what_can_never_be_is_waited_for_without_end() -> None:
    assert Limiter(rate=0, burst=0).take("ann") == math.inf
    assert Limiter(rate=1, burst=4).take("ann", 5) == math.inf


def test_those_who_have_not_recovered_are_remembered(clock: list[float]) -> None:
    limited = Limiter(rate=1, burst=4)
    for _ in range(4):
        assert not limited.take("ann")
    for number in range(3000):
        limited.take(f"seat {number}")
    assert limited.take("ann")


def test_there_is_an_end_to_what_is_remembered(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter, "SETS", 1)
    limited = Limiter(rate=1, burst=4)
    limited.charge("ann", 4)
    limited.charge("bob", 3)
    for number in range(limiter.WAYS):
        limited.take(f"seat {number}")
    assert limited.take("ann"), "who owes most is remembered longest"


def test_whoever_names_the_same_file_counts_together(clock: list[float], tmp_path: Path) -> None:
    one, two = (Limiter(rate=1, burst=4, file=tmp_path / "requests") for _ in range(2))
    assert [limited.take("ann") for limited in (one, two, two, one)] == [0, 0, 0, 0]
    assert one.take("ann")
    assert two.take("ann")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_whom_an_address_counts_as(address: str, counted: str) -> None:
    assert counted_as(address) == counted


@pytest.mark.parametrize(
    ("counted", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("unknown", "unknown"),
    ],
)
def test_the_network_of_an_address(counted: str, network: str) -> None:
    assert network_of(counted) == network


def test_many_addresses_of_one_network_cannot_have_all_sockets() -> None:
    limits = RateLimits(Config(sockets=100, sockets_per_address=4, sockets_per_network=10))
    for number in range(10):
        limits.take_socket(f"192.0.2.{number // 4}")
    with pytest.raises(Refusal, match="from your address"):
        limits.take_socket("192.0.2.0")
    with pytest.raises(Refusal, match="from your network"):
        limits.take_socket("192.0.2.9")
    limits.take_socket("198.51.100.1")
    limits.free_socket("192.0.2.0")
    limits.take_socket("192.0.2.9")


def test_a_low_rate_allows_little_but_not_nothing(clock: list[float]) -> None:
    limits = RateLimits(Config(requests_per_second=0.1))
    limits.check(limits.requests, "ann", "too much")
    with pytest.raises(Refusal) as refusal:
        limits.check(limits.requests, "ann", "too much")
    assert refusal.value.retry_after == "10"
    clock[0] += 10
    limits.check(limits.requests, "ann", "too much")
