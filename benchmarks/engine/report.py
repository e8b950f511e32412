"""What a benchmark found, line by line, with the project's targets beside it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """One thing measured. ``value`` is None where it could not be, and ``note`` says why."""

    section: str
    name: str
    value: float | None
    unit: str  # "plies/s", "games/s", "steps/s", "×", "bytes" or "s"
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is no target or no value."""
        if self.value is None or (self.at_least is None and self.at_most is None):
            return None
        low = self.at_least if self.at_least is not None else self.value
        high = self.at_most if self.at_most is not None else self.value
        return low <= self.value <= high

    @property
    def target(self) -> str:
        """The target in words: ``≥ 1,000 games/s``; nothing where there is none."""
        if self.at_least is not None:
            return f"≥ {number(self.at_least)} {self.unit}"
        return f"≤ {number(self.at_most)} {self.unit}" if self.at_most is not None else ""

    @property
    def measured(self) -> str:
        """The value in words; where there is none, the reason."""
        return f"{number(self.value)} {self.unit}" if self.value is not None else self.note

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "met": self.met}


@dataclass(frozen=True)
class Report:
    """Everything measured in one run."""

    lines: list[Line]

    @property
    def sections(self) -> list[str]:
        """The sections, in the order they were measured in."""
        return list(dict.fromkeys(line.section for line in self.lines))

    def section(self, name: str) -> list[Line]:
        return [line for line in self.lines if line.section == name]

    @property
    def missed(self) -> list[Line]:
        """The lines whose target is not met."""
        return [line for line in self.lines if line.met is False]

    def to_json(self) -> dict[str, Any]:
        return {"lines": [line.to_json() for line in self.lines]}


def number(value: float) -> str:
    """A number as people read it: ``41,200,000``, ``12.5``, ``0.83``. What was counted and not timed is exact."""
    if isinstance(value, int):
        return f"{value:,}"
    if value >= 10_000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
