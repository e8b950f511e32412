"""The limits of bot files and programs, as they are set on the command line."""

from __future__ import annotations

from typing import Any

from parlour.bots.box import BotLimits
from parlour.engine.errors import BadOption

MOST = 1_000_000


def parse_limits(seconds: float | None, bank: float | None, memory: int | None) -> BotLimits:
    """The default limits, except those given; memory is given in MiB."""
    given: dict[str, Any] = {}
    for name, value, least in (("seconds", seconds, 0.001), ("bank", bank, 0), ("memory", memory, 1)):
        if value is None:
            continue
        if not least <= value <= MOST:
            raise BadOption(f"--{name} takes a number from {least} to {MOST}, not {value}")
        given[name] = int(value) << 20 if name == "memory" else float(value)
    return BotLimits(**given)
