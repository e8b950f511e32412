"""What was said to a model and what it answered, as JSON lines: a file for each seat of each match."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from parlour.bots.model.answers import Answer
from parlour.bots.model.asking import Reply, Said
from parlour.bots.model.settings import ModelSettings
from parlour.engine.errors import NotWritten
from parlour.engine.game import Game

FOLDER = "model-logs"  # where nothing else is said: in the folder where the command was given
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class ModelLog:
    """One file, to which lines are only ever added. It is made with the first line."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._has_begun = False

    @classmethod
    def usual(cls, game: Game, seat: int) -> ModelLog:
        """A file of its own for this match."""
        now = time.strftime("%Y%m%d-%H%M%S")
        return cls(Path(FOLDER, f"{game.name}-{now}-{os.getpid()}-{time.monotonic_ns()}-seat{seat}.jsonl"))

    def begin(self, name: str, settings: ModelSettings, system: str) -> None:
        """Once: who is asked, with what budget, and what it is told before every question. The key is not in it."""
        if not self._has_begun:
            self._has_begun = True
            self.write(event="match", model=name, settings=msgspec.to_builtins(settings), system=system)

    def answer(self, ply: int, number: int, messages: Sequence[Said], reply: Reply, answer: Answer) -> None:
        """One exchange: what was new in the question, and what was made of the answer."""
        self.write(
            event="answer",
            ply=ply,
            number=number,
            asked=messages[-1].text,
            answered=reply.text,
            action=answer.action,
            said=answer.said,
            strict=answer.is_strict,
            problem=answer.problem,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            guessed=reply.guessed,
        )

    def write(self, **content: Any) -> None:
        """One line."""
        line = json.dumps({"at": round(time.time(), 3), **content}).encode() + b"\n"
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_LINK, 0o600)
            try:
                while line:
                    line = line[os.write(handle, line) :]
            finally:
                os.close(handle)
        except OSError as error:
            raise NotWritten(f"{self.file} cannot be written: {error.strerror}") from error
