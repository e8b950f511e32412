"""How much is too much: for a seat, an address, the whole server."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from itertools import islice

from parlour.server.config import Config
from parlour.server.errors import Refusal

FRAME_BYTES = 8 * 1024
BODY_BYTES = 64 * 1024
REPLAY_BYTES = 1024 * 1024
REPLAY_ACTIONS = 20_000
REMEMBERED = 20_000  # keys of a limiter, at most; the longest unused is forgotten first


class Limiter:
    """So many a second for each key, with as much at once as ``burst``."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        now = time.monotonic()
        level, at = self._levels.pop(key, (self.burst, now))
        level = min(self.burst, level + (now - at) * self.rate)
        allowed = level >= 1
        self._levels[key] = (level - 1 if allowed else level, now)
        self._forget(now)
        return allowed

    def _forget(self, now: float) -> None:
        """Let go of the two keys that were used longest ago, if they have recovered and are as good as new."""
        for key, (level, at) in list(islice(self._levels.items(), 2)):
            if len(self._levels) <= REMEMBERED and level + (now - at) * self.rate < self.burst:
                return
            del self._levels[key]


class RateLimits:
    """All limits of the server."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.requests = Limiter(config.requests_per_second, 4 * config.requests_per_second)
        self.commands = Limiter(config.commands_per_second, 4 * config.commands_per_second)
        self.tables = Limiter(config.tables_per_address / 3600, config.tables_per_address)
        self.hints = Limiter(0.5, 3)
        self.chat = Limiter(1, 5)
        self.replays = Limiter(5, 40)  # a page asks for a long match in parts
        self.sockets: Counter[str] = Counter()  # open ones, by address

    def check(self, limiter: Limiter, key: str, what: str) -> None:
        if not limiter.allows(key):
            raise Refusal("too_fast", f"{what}: wait a little")

    def take_socket(self, address: str) -> None:
        if self.sockets.total() >= self.config.sockets or self.sockets[address] >= self.config.sockets_per_address:
            raise Refusal("too_many", "there are too many connections just now")
        self.sockets[address] += 1

    def free_socket(self, address: str) -> None:
        self.sockets[address] -= 1
        if self.sockets[address] <= 0:
            del self.sockets[address]
