"""Nobody makes the server send anything to a machine that only it can reach."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any, TypeVar

import pytest

from parlour.server.push import endpoints, names
from parlour.server.push.endpoints import BadEndpoint
from parlour.server.push.names import Names
from parlour.server.push.public import SPECIAL, SPECIAL_6, is_public
from pushing import PushService
from serving import PATIENCE

T = TypeVar("T")


def apart(work: Coroutine[Any, Any, T]) -> T:
    """Run it on a loop of its own, whatever runs in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


ELSEWHERE = [
    "http://push.example/1",
    "https://push.example:8443/1",
    "https://me:secret@push.example/1",
    "https:///1",
    "https://push.example/a b",
    "https://push.example/\r\nX: 1",
    "ftp://push.example/1",
    "https://[::1/1",
]


@pytest.mark.parametrize("endpoint", ELSEWHERE)
def test_messages_go_to_plain_https_addresses_alone(endpoint: str) -> None:
    with pytest.raises(BadEndpoint):
        endpoints.check(endpoint, ["http://127.0.0.1:1"])


# One address of each line of the registries of special addresses, and some that lie at their edges.
SPECIAL_ADDRESSES = """
    0.0.0.0 0.255.255.255 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
    168.63.129.16 172.16.0.1 172.31.255.255
    192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.171 192.0.2.1 192.31.196.1
    192.52.193.1 192.88.99.1 192.168.1.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.9
    224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:192.88.99.1 ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::c058:6301 64:ff9b:1::1 64:ff9b:1::808:808
    100::1 100:0:0:1::1 2001::1 2001:0:808:808::1 2001:1::1 2001:1::2 2001:1::3 2001:2::1 2001:3::1 2001:4:112::1
    2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1 2620:4f:8000::1
    3fff::1 3fff:fff:ffff::1 4000::1 5f00::1 fc00::1 fd00::1 fe80::1 fec0::1 feff::1 ff02::1 ff0e::1
"""
PUBLIC_ADDRESSES = """
    1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0
    198.17.255.255 198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 64:ff9b::808:808
    2001:200::1 2001:4860:4860::8888 2001:db7::1 2001:db9::1 2003::1 2606:4700::1111 2a00:1450:4001::1 3ffe::1 2000::1
"""


@pytest.mark.parametrize("address", SPECIAL_ADDRESSES.split())
def test_no_message_goes_to_an_address_that_is_not_public(address: str) -> None:
    assert not is_public(address)
    shown = f"[{address}]" if ":" in address else address
    with pytest.raises((BadEndpoint, OSError)):  # some of them, the system itself does not take
        apart(endpoints.check_resolved(f"https://{shown}/1", [], Names()))


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES.split())
def test_addresses_beside_those_are_public(address: str) -> None:
    assert is_public(address)


def test_each_special_network_is_tried() -> None:
    tried = [ip_address(address) for address in SPECIAL_ADDRESSES.split()]
    missed = [network for network in SPECIAL if not any(one in network for one in tried)]
    assert missed == [network for network in SPECIAL_6 if not any(one in network for one in tried)] == []


def leading_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """All names lead there; the list can be changed."""
    leads_to = list(addresses)
    found = lambda *_, **__: [(2, 1, 6, "", (address, 0)) for address in leads_to]  # noqa: E731
    monkeypatch.setattr(socket, "getaddrinfo", found)
    return leads_to


def test_one_address_that_is_not_public_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to = leading_to(monkeypatch, "8.8.4.4", "192.168.0.7")
    with pytest.raises(BadEndpoint, match="not public"):
        apart(endpoints.post("https://push.example/1", {}, b"", [], Names()))
    leads_to[:] = ["8.8.8.8"]
    apart(endpoints.check_resolved("https://push.example/1", [], Names()))


def test_a_name_that_leads_elsewhere_later_is_no_way_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is connected to is what was checked, each time."""
    connected: list[str] = []

    async def connect(host: str, port: int, **_: object) -> None:
        connected.append(host)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    leads_to = leading_to(monkeypatch, "8.8.8.8")
    known = Names()

    async def post() -> None:
        await endpoints.post("https://push.example/1", {}, b"", [], known)

    async def rebind() -> None:
        with pytest.raises(ConnectionRefusedError):
            await post()
        leads_to[:] = ["127.0.0.1"]
        with pytest.raises(ConnectionRefusedError):
            await post()
        monkeypatch.setattr(names, "FRESH", 0.0)
        with pytest.raises(BadEndpoint):
            await post()

    apart(rebind())
    assert connected == ["8.8.8.8", "8.8.8.8"]


def test_no_redirect_is_followed() -> None:
    here, elsewhere = PushService(), PushService()
    here.answers = [(307, {"location": f"{elsewhere.url}/inside"})]
    answer = apart(endpoints.post(f"{here.url}/1", {}, b"", [here.url, elsewhere.url], Names()))
    assert (answer.status, len(here.got), elsewhere.got) == (307, 1, [])
    for service in (here, elsewhere):
        service.close()


# Names.


class Silent:
    """Names of hosts; those that begin with ``silent`` lead nowhere until it is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.is_over = threading.Event()
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)

    def _look_up(self, host: str, *_: object, **__: object) -> list[object]:
        self.asked.append(host)
        if host.startswith("silent"):
            self.is_over.wait(PATIENCE)
        return [(2, 1, 6, "", ("8.8.8.8", 0))]


def test_a_name_is_asked_for_once_by_all_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Silent(monkeypatch)

    async def ask() -> None:
        known = Names()
        asking = [asyncio.create_task(known.addresses("silent.example")) for _ in range(10)]
        await asyncio.sleep(0.05)
        silent.is_over.set()
        assert await asyncio.gather(*asking) == [["8.8.8.8"]] * 10
        assert await known.addresses("silent.example") == ["8.8.8.8"]

    apart(ask())
    assert silent.asked == ["silent.example"]


def test_names_that_nobody_answers_keep_no_other_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor anything else that is done in threads."""
    monkeypatch.setattr(names, "WITHIN", 0.2)
    silent = Silent(monkeypatch)

    async def ask() -> None:
        known = Names()
        asking = [known.addresses(f"silent{number}.example") for number in range(100)]
        waiting = asyncio.gather(*asking, return_exceptions=True)
        await asyncio.sleep(0)
        assert await known.addresses("push.example") == ["8.8.8.8"]
        assert await asyncio.to_thread(lambda: "at once") == "at once"
        assert {type(error) for error in await waiting} == {TimeoutError}
        with pytest.raises(TimeoutError, match="too many"):
            await asyncio.gather(*(known.addresses(f"silently{number}.example") for number in range(names.AT_ONCE)))

    try:
        apart(ask())
    finally:
        silent.is_over.set()


def test_where_a_name_led_counts_for_a_while_if_nobody_says_it_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "WITHIN", 0.05)
    silent = Silent(monkeypatch)
    silent.is_over.set()

    async def ask() -> None:
        known = Names()
        assert await known.addresses("silent.example") == ["8.8.8.8"]
        silent.is_over.clear()
        monkeypatch.setattr(names, "FRESH", 0.0)
        assert await known.addresses("silent.example") == ["8.8.8.8"]
        monkeypatch.setattr(names, "STALE", 0.0)
        with pytest.raises(TimeoutError):
            await known.addresses("silent.example")

    try:
        apart(ask())
    finally:
        silent.is_over.set()
