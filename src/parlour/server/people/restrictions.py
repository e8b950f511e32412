"""What the operator has set for all processes: who is banned, and whether matches begin."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Literal

from msgspec import Struct

from parlour.server.basics.errors import Refusal
from parlour.server.basics.logs import hashed

Kind = Literal["address", "name"]
A_MINUTE = 60.0


def is_hash(value: str) -> bool:
    """Whether this stands for an address in the log of a server that hashes them."""
    return re.fullmatch(r"hash:[0-9a-f]{16}", value) is not None


class Ban(Struct, frozen=True):
    """An address, a network or a name that may not play until then."""

    kind: Kind
    value: str
    until: float
    why: str = ""


class Restrictions:
    """Bans and maintenance as this process knows them. ``Operator`` changes them."""

    def __init__(self, hash_key: str = "") -> None:
        """``hash_key`` is what addresses are hashed with, where they are: then their hashes can be banned, too."""
        self._hash_key = hash_key
        self.maintenance: str | None = None  # the message, while it lasts
        self._networks: list[tuple[IPv4Network | IPv6Network, Ban]] = []
        self._hashes: dict[str, Ban] = {}
        self._names: dict[str, Ban] = {}

    def set(self, bans: list[Ban], maintenance: str | None) -> None:
        self.maintenance = maintenance
        addresses = [ban for ban in bans if ban.kind == "address"]
        self._hashes = {ban.value: ban for ban in addresses if is_hash(ban.value)}
        self._networks = [(ip_network(ban.value, strict=False), ban) for ban in addresses if not is_hash(ban.value)]
        self._names = {ban.value: ban for ban in bans if ban.kind == "name"}

    def check_address(self, address: str, now: float) -> None:
        """Raises Refusal where the address is banned. Cheap where nobody is: every request is checked."""
        if self._hashes and (ban := self._hashes.get(self.shown(address))):
            _check(ban, now)
        if not self._networks:
            return
        try:
            found = ip_network(address, strict=False) if "/" in address else ip_network(ip_address(address))
        except ValueError:  # of a test, or a socket in the file system
            return
        for network, ban in self._networks:
            if network.version == found.version and (found.subnet_of(network) or network.subnet_of(found)):  # type: ignore[arg-type]
                _check(ban, now)

    def shown(self, address: str) -> str:
        """The address as whoever runs the server may see it."""
        return hashed(address, self._hash_key) if self._hash_key else address

    def check_name(self, name: str, now: float) -> None:
        """Raises Refusal where somebody of that name is banned."""
        ban = self._names.get(name.casefold())
        if ban is not None:
            _check(ban, now)

    def check_open(self) -> None:
        """Raises Refusal while no match begins."""
        if self.maintenance is not None:
            raise Refusal("maintenance", self.maintenance, A_MINUTE)


def _check(ban: Ban, now: float) -> None:
    if now < ban.until:
        why = f": {ban.why}" if ban.why else ""
        raise Refusal("banned", f"you are banned from this server{why}")
