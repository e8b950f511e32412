"""Watches over the connections of a process: how many there are, how long they take, how much waits for them."""

from __future__ import annotations

import asyncio
import os
import sys
from functools import cached_property
from ipaddress import ip_address
from typing import Protocol

from parlour.server.config import FOLDER, Config
from parlour.server.handover import Handover
from parlour.server.limits import counted_as
from parlour.server.placement import placement

LOOK = 1.0  # seconds between two looks at all connections
UNREAD_PER_ADDRESS = 16 * 2**20  # bytes that wait to be read by one address; beyond, its slowest connection ends
UNREAD = 256 * 2**20  # by all together
PROXY = ""  # whom a proxy counts as: everybody comes by way of it, so no limit for one address is meant for it


class Guarded(Protocol):
    """A connection that the guard watches."""

    address: str
    is_socket: bool
    transport: asyncio.Transport

    def check_time(self, now: float) -> None:
        """End the connection if it takes too long."""


class Guard:
    """All connections of a process. Worker processes are handed a copy, before there are any."""

    def __init__(self, config: Config, files: int) -> None:
        """``files`` is how many connections the process can have: each takes an open file."""
        self.config = config
        self.files = files
        self._proxies = config.proxies
        self._open: set[Guarded] = set()
        self._plain: dict[str, dict[Guarded, None]] = {}  # those that are not sockets, by address, the oldest first
        self._slow: dict[Guarded, None] = {}  # who does not read what waits for them, the longest first

    @cached_property
    def handover(self) -> Handover | None:
        """How connections get to the workers that their tables belong to; nothing where there is only one."""
        if self.config.workers == 1 or sys.platform == "win32":
            return None
        return Handover(placement(self.config.workers, os.environ[FOLDER]))

    def address_of(self, client: tuple[str, int] | None) -> str:
        """The address that a connection counts for."""
        if client is None or any(ip_address(client[0]) in proxy for proxy in self._proxies):
            return PROXY
        return counted_as(client[0])

    # Coming and going.

    def greet(self, connection: Guarded) -> bool:
        """Watch over a new connection. Returns whether there is room; where there is none by far, it ends at once."""
        if not self._open:
            asyncio.get_running_loop().call_later(LOOK, self._look)
        self._open.add(connection)
        if len(self._open) > self.files:
            connection.transport.abort()
        return connection.is_socket or self._has_room(connection)

    def _has_room(self, connection: Guarded) -> bool:
        """Sockets have limits of their own; see ``RateLimits.take_socket``."""
        own = self._plain.setdefault(connection.address, {})
        own[connection] = None
        if sum(map(len, self._plain.values())) > self.config.connections and not self._make_room(len(own)):
            return False
        mine = 0 if connection.address == PROXY else len(own)
        if mine > 2 * self.config.connections_per_address:
            connection.transport.abort()
        return mine <= self.config.connections_per_address

    def _make_room(self, mine: int) -> bool:
        """End the oldest connection of the address that has most, if it has more than ``mine``.

        Otherwise a few addresses together could take all that there are, and keep them.
        """
        counts = {address: len(own) for address, own in self._plain.items() if address != PROXY}
        greediest = max(counts, key=lambda address: counts[address], default=PROXY)
        if counts.get(greediest, 0) <= mine:
            return False
        oldest = next(iter(self._plain[greediest]))
        self.forget(oldest)
        oldest.transport.abort()
        return True

    def forget(self, connection: Guarded) -> None:
        if connection not in self._open:
            return
        self._open.discard(connection)
        self._slow.pop(connection, None)
        if not connection.is_socket:
            own = self._plain[connection.address]
            own.pop(connection, None)
            if not own:
                del self._plain[connection.address]

    # Time.

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._open):
            connection.check_time(now)
        if self._open:
            loop.call_later(LOOK, self._look)

    # What waits.

    def note_slow(self, connection: Guarded) -> None:
        """The connection reads more slowly than it asks. If too much waits, the longest waiting is ended."""
        self._slow[connection] = None
        if connection.address != PROXY:
            mine = [one for one in self._slow if one.address == connection.address]
            _drop_slowest(mine, UNREAD_PER_ADDRESS)
        _drop_slowest(list(self._slow), UNREAD)

    def note_swift(self, connection: Guarded) -> None:
        self._slow.pop(connection, None)


def _drop_slowest(connections: list[Guarded], most: int) -> None:
    unread = [one.transport.get_write_buffer_size() for one in connections]
    waiting = sum(unread)
    for connection, size in zip(connections, unread, strict=True):
        if waiting <= most:
            return
        connection.transport.abort()
        waiting -= size
