"""Time at a table: none, so much a turn, or a bank with an increment.

Clocks are told how much time passed and never look for themselves. What was spent stands in the log.
"""

from __future__ import annotations

from parlour.protocol import ClockSpec


class Clocks:
    """The time that each seat has left."""

    def __init__(self, spec: ClockSpec, seats: int) -> None:
        self.spec = spec
        self.left = [spec.seconds] * seats

    def twin(self) -> Clocks:
        twin = Clocks(self.spec, 0)
        twin.left = self.left[:]
        return twin

    @property
    def is_slow(self) -> bool:
        return self.spec.pace == "slow"

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
