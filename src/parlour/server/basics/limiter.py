"""Rate limits: so many a second for each key, counted in memory that several processes can share."""

from __future__ import annotations

import math
import mmap
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

WAYS, SETS = 8, 2048  # a key can stand in eight places of one of so many sets
WORDS = 2 * WAYS * SETS  # a place has the hash of its key, and a time
KNOWN = 4096  # keys whose hashes are kept


@contextmanager
def processor_time(*notes: Callable[[float], None]) -> Iterator[None]:
    """Each of these is told how many seconds of processor time were spent inside, by this thread."""
    began = time.thread_time()
    try:
        yield
    finally:
        spent = time.thread_time() - began
        for note in notes:
            note(spent)


class Limiter:
    """So many a second for each key, with as much at once as ``burst``.

    One number is kept for a key: when it will have earned back what it has used. The table has a fixed size; where a
    set is full, the key that owes least is dropped. There is no lock: if two processes count for one key at the same
    instant, one count may be lost.
    """

    def __init__(self, rate: float, burst: float, file: Path | None = None) -> None:
        """``file`` is one that all who count together name, in a folder whose name nobody else can guess."""
        self.rate = rate
        self.burst = burst
        memory = _shared(file) if file else memoryview(bytearray(8 * WORDS))
        self._names, self._times = memory.cast("Q"), memory.cast("d")
        # Nobody outside is to know who shares a set with whom.
        self._secret = str(file).encode()[-64:] if file else secrets.token_bytes(16)
        self._hash = lru_cache(KNOWN)(self._work_out_hash)

    def take(self, key: str, amount: float = 1.0) -> float:
        """Use so much, if that much is left. Returns 0, or in how many seconds it will be."""
        if not self.rate or amount > self.burst:
            return math.inf
        place, earned, now = self._find(key)
        earned += amount / self.rate
        wait = earned - now - self.burst / self.rate
        if wait > 1e-9:
            return wait
        self._times[place] = earned
        return 0.0

    def charge(self, key: str, amount: float) -> None:
        """Use so much, even if there is less."""
        place, earned, _ = self._find(key)
        self._times[place] = earned + amount / self.rate

    def _work_out_hash(self, key: str) -> int:
        return int.from_bytes(blake2b(key.encode("utf-8", "replace"), digest_size=8, key=self._secret).digest(), "big")

    def _find(self, key: str) -> tuple[int, float, float]:
        """Where the time of a key stands, that time, and the time now."""
        now = time.monotonic()
        name = self._hash(key)
        first = name % SETS * 2 * WAYS
        places = range(first, first + 2 * WAYS, 2)
        for place in places:
            if self._names[place] == name:
                return place + 1, max(now, self._times[place + 1]), now
        place = min(places, key=lambda place: self._times[place + 1])
        self._names[place] = name
        return place + 1, now, now


def _shared(file: Path) -> memoryview:
    """The file as shared memory; the first process makes it."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.ftruncate(descriptor, 8 * WORDS)
        return memoryview(mmap.mmap(descriptor, 8 * WORDS))
    finally:
        os.close(descriptor)
