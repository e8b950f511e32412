"""What a bot may use."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields

from parlour.engine.errors import ParlourError

MIB = 1 << 20


@dataclass(frozen=True)
class BotLimits:
    """Time in seconds, sizes in bytes. ``seconds`` and ``bank`` hold where a decision's clock sets no time."""

    seconds: float = 5.0  # wall-clock time for an action
    bank: float = 15.0  # extra time for a whole match, drawn on when an action takes longer
    start: float = 20.0  # wall-clock time to start and be imported
    cpu: float = 3600.0  # CPU time for a whole match
    memory: int = 1024 * MIB  # on top of what Python, NumPy and Numba take
    tasks: int = 32  # threads and processes together
    disk: int = 64 * MIB  # in all files of its own folder together
    files: int = 1000  # how many those may be
    stderr: int = 4 * MIB  # standard error in a whole match; the end of it is kept

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not (is_whole or (field.type == "float" and isinstance(value, float))) or not 0 <= value < math.inf:
                kind = "number" if field.type == "float" else "whole number"
                raise ParlourError(f"limit {field.name} is a {kind} from 0 up, not {value!r}")

    def to_json(self) -> dict[str, float]:
        return asdict(self)
