"""Time at a table: none, so much a turn, or a bank with an increment.

A clock is told how much time passed and never looks for itself, so a jump of the machine's clock cannot cost anybody
anything. What was spent stands in the log. While no server runs no time is spent, unless turns are so long that days
may pass between them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

SLOW = 3600.0  # from here on, time counts while no server runs


class ClockSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``turn``: seconds for each turn. ``bank``: seconds for the whole match, and an increment for each turn."""

    kind: Literal["none", "turn", "bank"] = "none"
    seconds: float = 0
    increment: float = 0

    def trouble(self) -> str | None:
        """What is wrong with it."""
        if self.kind != "none" and not 1 <= self.seconds <= 30 * 86400:
            return f"a clock has from 1 second to 30 days, not {self.seconds:g} seconds"
        if not 0 <= self.increment <= 86400:
            return f"an increment is from 0 seconds to a day, not {self.increment:g} seconds"
        return None


class Clock:
    """The time that each seat has left."""

    def __init__(self, spec: ClockSpec, seats: int) -> None:
        self.spec = spec
        self.left = [spec.seconds] * seats

    def twin(self) -> Clock:
        twin = Clock(self.spec, 0)
        twin.left = self.left[:]
        return twin

    @property
    def is_slow(self) -> bool:
        return self.spec.kind != "none" and self.spec.seconds >= SLOW

    def charge(self, seat: int, seconds: float) -> None:
        """The seat has thought for so long."""
        if self.spec.kind != "none":
            self.left[seat] = max(0.0, self.left[seat] - seconds)

    def end_turn(self, seat: int) -> None:
        """The seat's turn is over."""
        if self.spec.kind == "turn":
            self.left[seat] = self.spec.seconds
        elif self.spec.kind == "bank":
            self.left[seat] += self.spec.increment

    def allows(self, seat: int) -> float | None:
        """How many seconds the seat has now; None: as many as it likes."""
        return None if self.spec.kind == "none" else self.left[seat]
