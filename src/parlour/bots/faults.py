"""What a bot can do wrong. What it costs, the referee says."""

from __future__ import annotations

from parlour.engine.errors import ParlourError
from parlour.engine.printable import one_line

OK, ILLEGAL, TIMEOUT, CRASHED, MEMORY, OUTPUT = "ok", "illegal", "timeout", "crashed", "memory", "output"
FAULTS = (ILLEGAL, TIMEOUT, CRASHED, MEMORY, OUTPUT)
STATUSES = (OK, *FAULTS)

LONGEST_DETAIL = 300


class BadBot(ParlourError):
    """A bot that cannot be used at all: no such file, for another game, nothing in it that chooses."""


class BotFault(ParlourError):
    """A bot misbehaved when asked to choose. ``status`` is one of FAULTS; ``detail`` says what happened."""

    def __init__(self, status: str, detail: str) -> None:
        self.status = status
        self.detail = one_line(detail, LONGEST_DETAIL)
        super().__init__(f"{status}: {self.detail}")

    def __reduce__(self) -> tuple[type[BotFault], tuple[str, str]]:
        return type(self), (self.status, self.detail)


class CpuTimeSpent(BotFault):
    """A timeout for good: the bot has used up the CPU time that it has for a whole match."""
