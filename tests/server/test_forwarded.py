"""Whose requests a proxy passes on, and who may say so."""

from __future__ import annotations

import pytest

from parlour.server.basics.config import Config
from parlour.server.people.forwarded import Proxies, is_forwarded, scheme_of


def proxies(trusted: str) -> Proxies:
    return Proxies(Config(trust_proxy=trusted).proxies)


@pytest.mark.parametrize(
    ("trusted", "told", "client"),
    [
        ("10.0.0.0/8", ["192.0.2.7"], "192.0.2.7"),
        ("10.0.0.0/8", ["192.0.2.7:4000"], "192.0.2.7"),
        ("10.0.0.0/8", [" 2001:db8::7 "], "2001:db8::7"),
        ("10.0.0.0/8", ["[2001:db8::7]:4000"], "2001:db8::7"),
        ("10.0.0.0/8", ["192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        ("10.0.0.0/8", ["198.51.100.1, 192.0.2.7, 10.0.0.2, 10.0.0.3"], "192.0.2.7"),
        ("10.0.0.0/8", ["198.51.100.1", "192.0.2.7"], "192.0.2.7"),
        ("10.0.0.0/8", ["10.0.0.9, 10.0.0.2"], "10.0.0.9"),
        ("10.0.0.0/8", ["192.0.2.7, who knows"], "unknown"),
        ("10.0.0.0/8", ["192.0.2.7, "], "unknown"),
        ("10.0.0.0/8", ["192.0.2.7, unix:"], "unknown"),
        ("10.0.0.0/8", ["192.0.2.7, ::ffff:10.0.0.2"], "192.0.2.7"),
        ("*", ["192.0.2.7, 198.51.100.1"], "192.0.2.7"),
        ("10.0.0.0/8", [" "], None),
        ("10.0.0.0/8", [], None),
    ],
)
def test_the_last_that_is_no_proxy_is_the_client(trusted: str, told: list[str], client: str | None) -> None:
    """What stands before may be made up."""
    headers = [(b"host", b"games.example"), *((b"x-forwarded-for", line.encode()) for line in told)]
    assert proxies(trusted).client(headers) == client


@pytest.mark.parametrize(
    ("trusted", "host", "is_one"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "::ffff:127.0.0.1", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("127.0.0.1, 10.0.0.0/8", "10.1.2.3", True),
        ("::1", "::1", True),
        ("*", "192.0.2.7", True),
        ("*", "2001:db8::7", True),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "unknown", False),
        ("", "127.0.0.1", False),
    ],
)
def test_who_is_a_proxy(trusted: str, host: str, *, is_one: bool) -> None:
    found = proxies(trusted)
    assert [host in found for _ in range(2)] == [is_one, is_one]


@pytest.mark.parametrize(
    ("told", "scheme"), [(b"https", "https"), (b" http ", "http"), (b"gopher", None), (b"https, http", None)]
)
def test_which_scheme_the_client_uses(told: bytes, scheme: str | None) -> None:
    assert scheme_of([(b"x-forwarded-proto", told)]) == scheme
    assert scheme_of([]) is None


@pytest.mark.parametrize("name", [b"x-forwarded-for", b"x-forwarded-proto", b"forwarded", b"via", b"x-real-ip"])
def test_what_came_through_a_proxy_is_known_by_what_that_added(name: bytes) -> None:
    assert is_forwarded([(b"host", b"games.example"), (name, b"")])
    assert not is_forwarded([(b"host", b"games.example")])
