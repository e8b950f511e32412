"""Watches over the connections of a process: how many there are, how long they take, how much waits for them."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from functools import cached_property
from typing import Protocol

from parlour.server.basics import logs, metrics
from parlour.server.basics.config import FOLDER, Config
from parlour.server.basics.limiter import Limiter
from parlour.server.cluster.handover import Handover
from parlour.server.cluster.placement import placement
from parlour.server.people.forwarded import UNKNOWN, Proxies
from parlour.server.people.limits import counted_as

LOG = logging.getLogger("parlour.server")
LOOK = 1.0  # seconds between two looks at all connections
UNREAD_PER_ADDRESS = 16 * 2**20  # bytes that wait to be read by one address; beyond, its slowest connection ends
UNREAD = 256 * 2**20  # by all together
PROXY = ""  # whom a proxy's connection counts as while it brings no request: nobody
REFUSALS_AT_ONCE, REFUSALS_PER_SECOND = 200, 20  # that an address hears at once; others wait, and say no more
HOLD = 1.0  # seconds, at least, until somebody who is refused again and again is answered
HELD_PER_SECOND = 100  # such answers to one address: where more are due, they are later
LONGEST_HOLD = 30.0
SOCKETS_FULL = 10  # sockets of one address may together say as much as so many may that say all that one may
TURNED_AWAY = "requests were turned away, the last from this address: such addresses are refused again and again"


class Guarded(Protocol):
    """A connection that the guard watches. Its address is the one that it counts for now."""

    address: str
    is_socket: bool
    transport: asyncio.Transport

    def check_time(self, now: float) -> None:
        """End the connection if it takes too long."""

    def make_way(self) -> None:
        """End the connection, so that others have room."""


class Guard:
    """All connections of a process. Worker processes are handed a copy, before there are any."""

    def __init__(self, config: Config, files: int) -> None:
        """``files`` is how many connections the process can have: each takes an open file."""
        self.config = config
        self.files = files
        self.proxies = Proxies(config.proxies)
        self._open: set[Guarded] = set()
        self._plain: dict[str, dict[Guarded, None]] = {}  # those that are not sockets, by address, the oldest first
        self._counted = 0  # all of these
        self._slow: dict[Guarded, None] = {}  # who does not read what waits for them, the longest first
        self._turned_away = 0  # requests of those who are refused again and again, since the last look
        self._last_turned_away = ""
        self._looks = False  # whether the next look at all is due

    @cached_property
    def handover(self) -> Handover | None:
        """How connections get to the workers that their tables belong to; nothing where there is only one."""
        if self.config.workers == 1 or sys.platform == "win32":
            return None
        return Handover(placement(self.config.workers, os.environ[FOLDER]))

    def address_of(self, client: tuple[str, int] | None) -> str:
        """The address that a connection counts for, before it has brought a request."""
        if client is None:
            return UNKNOWN
        return PROXY if client[0] in self.proxies else counted_as(client[0])

    # Coming and going.

    def greet(self, connection: Guarded) -> bool:
        """Watch over a new connection. Returns whether there is room; where there is none by far, it ends at once."""
        self._open.add(connection)
        if not self._looks:
            self._looks = True
            asyncio.get_running_loop().call_later(LOOK, self._look)
        if len(self._open) > self.files:
            connection.transport.abort()
        if connection.is_socket or connection.address == PROXY:  # sockets are counted by ``RateLimits.take_socket``
            return True
        has_room = self._has_room(connection)
        if len(self._plain[connection.address]) > 2 * self.config.connections_per_address:
            connection.transport.abort()
        return has_room

    def serve(self, connection: Guarded, address: str) -> bool:
        """A proxy's connection brings a request from that address. Returns whether there is room for one more."""
        self.release(connection)
        connection.address = address
        return self._has_room(connection)

    def release(self, connection: Guarded) -> None:
        """A proxy's connection has brought the answer, and counts for nobody until the next request."""
        self._uncount(connection)
        connection.address = PROXY

    def _has_room(self, connection: Guarded) -> bool:
        own = self._plain.setdefault(connection.address, {})
        own[connection] = None
        self._counted += 1
        if self._counted > self.config.connections and not self._make_room(len(own)):
            return False
        return len(own) <= self.config.connections_per_address

    def _make_room(self, mine: int) -> bool:
        """End the oldest connection of the address that has most, if it has more than ``mine``.

        Otherwise a few addresses together could take all that there are, and keep them.
        """
        greediest = max(self._plain.values(), key=len)
        if len(greediest) <= mine:
            return False
        oldest = next(iter(greediest))
        self._uncount(oldest)
        oldest.make_way()
        return True

    def forget(self, connection: Guarded) -> None:
        if connection in self._open:
            self._open.discard(connection)
            self._slow.pop(connection, None)
            self._uncount(connection)

    def _uncount(self, connection: Guarded) -> None:
        own = self._plain.get(connection.address, {})
        if connection in own:
            del own[connection]
            self._counted -= 1
            if not own:
                del self._plain[connection.address]

    # Who is refused again and again.

    @cached_property
    def _refusals(self) -> Limiter:
        return Limiter(REFUSALS_PER_SECOND, REFUSALS_AT_ONCE)

    def note_refusal(self, address: str) -> None:
        """To say no is work, too, which an address can have done only so often."""
        if not self.is_tired_of(address):
            self._refusals.charge(address, 1.0)

    def is_tired_of(self, address: str) -> bool:
        """Whether this address has been refused so often that nothing is done for it just now."""
        return self._refusals.take(address, 0.0) > 0

    @cached_property
    def _held(self) -> Limiter:
        return Limiter(HELD_PER_SECOND, 1.0)

    def hold(self, address: str) -> float:
        """In how many seconds to answer whoever is refused again and again: thousands may ask in one moment."""
        self._held.charge(address, 1.0)
        return min(HOLD + self._held.take(address, 0.0), LONGEST_HOLD)

    # What sockets say.

    @cached_property
    def _messages(self) -> Limiter:
        most = SOCKETS_FULL * self.config.messages_per_second
        return Limiter(most, most)

    def may_say(self, address: str, messages: int) -> bool:
        """Whether so many messages more may come from an address, on whichever of its sockets."""
        return self._messages.take(address, messages) == 0.0

    # Time.

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._open):
            connection.check_time(now)
        if self._turned_away:
            self._tell_turned_away()
        self._looks = bool(self._open)
        if self._looks:
            loop.call_later(LOOK, self._look)

    def turn_away(self, address: str) -> None:
        """Nothing is done for a request from there. That is not noted each time."""
        self._turned_away += 1
        self._last_turned_away = address

    def _tell_turned_away(self) -> None:
        metrics.REQUESTS.labels("other", "429").inc(self._turned_away)
        logs.about(request="", match="", address=self._last_turned_away)
        LOG.info("%d %s", self._turned_away, TURNED_AWAY)
        logs.about(request="", match="", address="")
        self._turned_away = 0

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
