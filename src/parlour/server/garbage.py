"""When Python's collector looks for garbage. Nobody is served while it looks, so it looks seldom, and at little.

Almost everything is freed without it: tables, matches, requests. A WebSocket that is closed is not, since objects of
libraries refer to each other: it leaves some 20 KB. By then it is old, so that only a look at everything finds it.
"""

from __future__ import annotations

import gc
import time

YOUNG = 50_000  # new objects after which the collector looks at these: fewer, and it looks at most of them in vain
NEVER = 1_000_000_000  # such looks, after which it looks by itself at what they left over
CLOSED = 1000  # sockets after which everything is looked at
LONGEST = 600.0  # seconds after which it is, whatever has happened
EVERY = 5.0  # seconds between two questions whether it is time


def look_less() -> None:
    """From now on, look for garbage as it suits a server. What exists now will never be garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


class Garbage:
    """Looks at everything once enough sockets have been closed."""

    def __init__(self) -> None:
        self.closed = 0  # sockets since the last look
        self._looked = time.monotonic()

    async def look(self) -> None:
        if self.closed >= CLOSED or time.monotonic() - self._looked >= LONGEST:
            gc.collect()
            self.closed, self._looked = 0, time.monotonic()
