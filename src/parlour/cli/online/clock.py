"""Clocks as people type them: 10+5 is ten minutes and five seconds a turn, 3d is three days a turn."""

from __future__ import annotations

import re

from parlour.engine.errors import ParlourError
from parlour.protocol import ClockSpec

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
NUMBER = r"\d{1,9}(?:\.\d{1,3})?"
FORMS = "a clock is such as 10+5 (ten minutes, and five seconds a turn), 30s, 2m, 12h or 3d (a turn), or none"


def read_clock(text: str) -> ClockSpec:
    """The clock that was typed. Raises ParlourError if it is none, or not one that a table can have."""
    typed = text.strip().lower()
    if typed == "none":
        return ClockSpec()
    if bank := re.fullmatch(rf"({NUMBER})\+({NUMBER})", typed):
        clock = ClockSpec("bank", 60 * float(bank[1]), float(bank[2]))
    elif turn := re.fullmatch(rf"({NUMBER})([smhd])", typed):
        clock = ClockSpec("turn", UNITS[turn[2]] * float(turn[1]))
    else:
        raise ParlourError(f"{FORMS}; not {text!r:.40}")
    if trouble := clock.trouble():
        raise ParlourError(trouble)
    return clock


def clock_text(clock: ClockSpec) -> str:
    """A clock in words."""
    if clock.kind == "none":
        return "no clock"
    if clock.kind == "turn":
        return f"{_time(clock.seconds)} a turn"
    return f"{_time(clock.seconds)}, and {_time(clock.increment)} a turn"


def _time(seconds: float) -> str:
    """``7 minutes 30 seconds``."""
    told, left = [], seconds
    for size, word in {86400: "day", 3600: "hour", 60: "minute", 1: "second"}.items():
        count = left if size == 1 else left // size
        left -= count * size
        if count:
            told.append(f"{count:g} {word}{'' if count == 1 else 's'}")
    return " ".join(told) or "0 seconds"
