"""The server's time: that of day when the process began, and steady from then on, whatever the system's clock does.

All times in the log are told by it. Processes that serve the same tables agree on it through the store, so that how
long a seat has thought is the same for all of them, and after every restart.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple


class Outage(NamedTuple):
    """From when to when no server ran."""

    began: float
    ended: float


def time_offset() -> float:
    """By how much the time of day is ahead of the machine's steady time, which is the same for all its processes."""
    return time.time() - time.monotonic()


class SteadyClock:
    """What time it is, and how much of it counts where time stands still while no server runs."""

    def __init__(self, offset: float | None = None) -> None:
        self._offset = time_offset() if offset is None else offset
        self.outages: Sequence[Outage] = ()  # in order

    def set(self, now: float) -> None:
        """It is that time now."""
        self._offset = now - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._offset

    def since(self, then: float, *, awake: bool) -> float:
        """Seconds that have passed since then; with ``awake``, only those while a server ran."""
        now = self.now()
        return max(0.0, now - then - (self._slept(then, now) if awake else 0.0))

    def ago(self, seconds: float) -> float:
        """The time so many seconds ago, not counting those while no server ran."""
        then = self.now() - seconds
        for began, ended in reversed(self.outages):
            if ended <= then:
                break
            then -= ended - began
        return then

    def _slept(self, then: float, now: float) -> float:
        slept = 0.0
        for began, ended in reversed(self.outages):
            if ended <= then:
                break
            slept += min(ended, now) - max(began, then)
        return slept
