"""What a supervisor is told to start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Launch:
    """A program, or a Python function that is called as ``entry`` names it: ``package.module:function``.

    A program has its questions and answers as standard input and output. The function is called with ``arguments``
    and finds them at QUESTIONS and ANSWERS; what it prints goes to standard error.
    """

    limits: Mapping[str, float]
    command: tuple[str, ...] = ()
    entry: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    readable: tuple[str, ...] = ()  # besides Python and the system
    game: str = ""  # whose compiled rules it may read
    folder: str = ""  # where it may write
    without: tuple[str, ...] = ()  # layers of the sandbox to leave out, for tests

    @property
    def is_program(self) -> bool:
        return bool(self.command)

    def to_line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Launch:
        content: dict[str, Any] = json.loads(line)
        for name in ("command", "readable", "without"):
            content[name] = tuple(content[name])
        return cls(**content)


QUESTIONS, ANSWERS = 3, 4
HASH_SEED = "0"  # so that sets of texts have the same order whenever a match is played again
