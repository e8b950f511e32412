"""Whose requests a proxy passes on: it says so in the head of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

Headers = Iterable[tuple[bytes, bytes]]
UNKNOWN = "unknown"  # where a proxy names no address
KNOWN = 4096  # hosts of which it is remembered whether they are proxies
# Lines that proxies add to the head of a request.
ADDED = {b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"forwarded", b"via"}
SCHEMES = {b"http", b"https"}


class Proxies:
    """The proxies whose word counts: those of ``trust_proxy``."""

    def __init__(self, networks: Sequence[IPv4Network | IPv6Network]) -> None:
        self._networks = networks
        self._known: dict[str, bool] = {}

    def __contains__(self, host: str) -> bool:
        if not self._networks:
            return False
        if host not in self._known:
            if len(self._known) >= KNOWN:
                self._known.clear()
            self._known[host] = self._has(host)
        return self._known[host]

    def _has(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return any(address in network for network in self._networks)

    def client(self, headers: Headers) -> str | None:
        """The address that a request came from, as a proxy tells it; None if it does not.

        Each proxy adds, at the end, the address that it was asked from. What stands before the last one that is no
        proxy of ours may be made up.
        """
        named = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
        if not named.strip():
            return None
        hosts = [_host(part.strip()) for part in named.split(",")]
        return next((host for host in reversed(hosts) if host not in self), hosts[0])


@lru_cache(KNOWN)
def _host(text: str) -> str:
    """The address in ``192.0.2.7``, ``192.0.2.7:4000``, ``2001:db8::7`` or ``[2001:db8::7]:4000``."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ip_address(text))
    except ValueError:
        return UNKNOWN


def scheme_of(headers: Headers) -> str | None:
    """What the client uses on its way to the proxy, ``http`` or ``https``; None if it is not told."""
    named = next((value.strip() for name, value in headers if name == b"x-forwarded-proto"), b"")
    return named.decode() if named in SCHEMES else None


def is_forwarded(headers: Headers) -> bool:
    """Whether a request has come by way of any proxy, trusted or not."""
    return any(name in ADDED for name, _ in headers)
