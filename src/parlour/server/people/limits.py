"""How much is too much: for a seat, an address, the whole server."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.basics.limiter import Limiter
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.restrictions import Restrictions
from parlour.server.people.waits import Waits

FRAME_BYTES = 8 * 1024
BODY_BYTES = 64 * 1024
REPLAY_BYTES = 1024 * 1024
TABLE_ENTRIES = 20_000  # in the log of a table, after which only what ends the match is done there
CODES_AT_ONCE, CODES_PER_SECOND = 20, 1 / 20  # that lead nowhere, from one address
LOADS_AT_ONCE, LOADS_PER_SECOND = 200, 5.0  # tables that are brought back from the store for one address
PUSHES_AT_ONCE, PUSHES_PER_SECOND = 20, 1 / 10  # browsers that are to be notified, from one address
PROBES_AT_ONCE, PROBES_PER_SECOND = 400, 20  # questions how the server is, from one address
ON_LOOP = 1 / 3  # of the processor time that drawing may take for an address
AT_ONCE_ON_LOOP = 1.0  # seconds' worth of that
AT_ONCE = 4  # seconds for which nothing need have been asked, so that as much can be asked at once


@lru_cache(4096)
def counted_as(address: str) -> str:
    """The address that limits count by. For IPv6 it is the /64, since everybody has at least that much."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return str(found)


@lru_cache(4096)
def network_of(counted: str) -> str:
    """The network of an address that limits count by: whoever has one address there often has many."""
    try:
        found = ipaddress.ip_network(counted)
    except ValueError:
        return counted
    return str(found.supernet(new_prefix=24 if found.version == 4 else 48))


class RateLimits:
    """All limits of the server."""

    def __init__(
        self,
        config: Config,
        shared: Path | None = None,
        restrictions: Restrictions | None = None,
        clock: SteadyClock | None = None,
    ) -> None:
        """``shared`` is a folder in which the workers of one server count together."""
        self.config = config
        self.restrictions = restrictions or Restrictions()
        self.clock = clock or SteadyClock()
        self._shared = shared
        self.requests = self._limiter("requests", config.requests_per_second)
        self.probes = self._limiter("probes", PROBES_PER_SECOND, PROBES_AT_ONCE)
        self.commands = self._limiter("commands", config.commands_per_second)
        self.tables = self._limiter("tables", config.tables_per_hour / 3600, config.tables_per_hour)
        self.loads = self._limiter("loads", LOADS_PER_SECOND, LOADS_AT_ONCE)
        self.codes = self._limiter("codes", CODES_PER_SECOND, CODES_AT_ONCE)
        self.hints = self._limiter("hints", 0.5, 3)
        self.chat = self._limiter("chat", 1, 5)
        self.pushes = self._limiter("pushes", PUSHES_PER_SECOND, PUSHES_AT_ONCE)
        self.drawing = self._limiter("drawing", config.drawing_per_second, 20 * config.drawing_per_second)
        self.playing = self._limiter("playing", config.playing_per_second, 20 * config.playing_per_second)
        # Work on the event loop holds up everybody: an address gets only a part of its time there, and little at once.
        mine = ON_LOOP * config.drawing_per_second
        self.loop = self._limiter("loop", mine, mine * AT_ONCE_ON_LOOP)
        # Only half of the connections may wait for news: the others are for requests.
        self.waits = Waits(config.connections_per_address // 2, config.connections // 2)
        self.sockets: Counter[str] = Counter()  # open ones, by address
        self._networks: Counter[str] = Counter()  # and by network

    def _limiter(self, name: str, rate: float, burst: float | None = None) -> Limiter:
        burst = max(1.0, AT_ONCE * rate) if burst is None else burst
        return Limiter(rate, burst, self._shared / name if self._shared else None)

    def check(self, limiter: Limiter, key: str, what: str, amount: float = 1.0) -> None:
        """Use so much of a limit. Raises Refusal if there is less. An amount of 0 only looks whether any is left."""
        if wait := limiter.take(key, amount):
            raise Refusal("too_fast", f"{what}: wait a little", wait)

    @contextmanager
    def guessing(self, address: str) -> Iterator[None]:
        """Look a code up inside this. It counts only if a refusal is raised there: if the code leads nowhere."""
        self.check(self.codes, address, "too many codes that lead nowhere")
        yield
        self.codes.charge(address, -1.0)

    def check_banned(self, address: str) -> None:
        """Whether whoever runs the server lets this address in."""
        self.restrictions.check_address(address, self.clock.now())

    def check_drawing(self, address: str) -> None:
        """Whether something may be done for this address that takes long."""
        self.check(self.drawing, address, "too much was drawn or looked up for your address", 0.0)

    def check_loop(self, address: str) -> None:
        """Whether something may be worked out on the event loop for this address."""
        self.check(self.loop, address, "too much was looked up for your address", 0.0)

    def take_socket(self, address: str) -> None:
        network = network_of(address)
        if self._networks.total() >= self.config.sockets:
            raise Refusal("too_many", "there are too many connections just now")
        if self.sockets[address] >= self.config.sockets_per_address:
            raise Refusal("too_many", "there are too many connections from your address just now")
        if self._networks[network] >= self.config.sockets_per_network:
            raise Refusal("too_many", "there are too many connections from your network just now")
        self.sockets[address] += 1
        self._networks[network] += 1

    def free_socket(self, address: str) -> None:
        for counts, key in ((self.sockets, address), (self._networks, network_of(address))):
            counts[key] -= 1
            if counts[key] <= 0:
                del counts[key]
