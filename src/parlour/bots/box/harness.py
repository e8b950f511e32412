"""What runs around a bot file inside its box: reads questions, lets the bot choose, writes answers.

Whatever it says is taken for what the bot says, and trusted no more: the bot shares its process.
"""

from __future__ import annotations

import contextlib
import errno
import json
import linecache
import operator
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from parlour.bots.box.compile_cache import share_compiled
from parlour.bots.box.luck import seed_generators
from parlour.bots.box.process.launch import ANSWERS, QUESTIONS
from parlour.bots.faults import CRASHED, ILLEGAL, MEMORY, OUTPUT
from parlour.engine import registry
from parlour.engine.bots import Decision, TimeLimit
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.printable import one_line
from parlour.engine.state import State

FULL = (errno.ENOSPC, errno.EFBIG)  # it has written more than it may

Choose = Callable[[Decision], object]


class Unusable(Exception):
    """The file holds no bot for this game."""


def serve(arguments: dict[str, Any]) -> None:
    """Answer questions until there are no more."""
    share_compiled()
    questions = os.fdopen(QUESTIONS, encoding="utf-8")
    answers = os.fdopen(ANSWERS, "w", encoding="utf-8")
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    with contextlib.suppress(BrokenPipeError):
        Harness(arguments, answers).run(questions)


class Harness:
    def __init__(self, arguments: dict[str, Any], answers: TextIO) -> None:
        self.path: str = arguments["path"]
        self.source: str = arguments["source"]
        self.folder: str = arguments["folder"]
        self.answers = answers
        self.actions: list[int] = []
        self.module: ModuleType
        self.game: Game
        self.choose: Choose | None = None

    def run(self, questions: TextIO) -> None:
        handlers = {"hello": self._hello, "match": self._match, "ask": self._ask}
        for line in questions:
            message = json.loads(line)
            number = message.get("ask", 0)
            try:
                answer = handlers[message["type"]](message)
            except Unusable as error:
                answer = {"unusable": str(error)}
            except MemoryError:
                answer = {"fault": MEMORY, "detail": "it ran out of memory"}
            except OSError as error:
                self._print(error)
                answer = {"fault": OUTPUT if error.errno in FULL else CRASHED, "detail": self._say(error)}
            except BaseException as error:
                self._print(error)
                answer = {"fault": CRASHED, "detail": self._say(error)}
            if answer:
                self.answers.write(json.dumps({"ask": number, **answer}) + "\n")
                self.answers.flush()

    def _hello(self, message: dict[str, Any]) -> dict[str, Any]:
        self.game = registry.get(message["game"])
        self.module = self._load()
        for_game = getattr(self.module, "GAME", None)
        if for_game is not None and for_game != self.game.name:
            raise Unusable(f"it is a bot for {one_line(str(for_game), 40)}, not for {self.game.name}")
        self._find()
        return {"type": "welcome", "protocol": message["protocol"]}

    def _load(self) -> ModuleType:
        """Run the file. Its text came along: the file itself may lie where a bot cannot read."""
        seed_generators(0)  # the match is not known yet, and two runs of it must not differ
        path, source = self.path, self.source
        if self.folder:
            sys.path.insert(0, self.folder)
        linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
        try:
            code = compile(source, path, "exec")
        except SyntaxError as error:
            raise Unusable(f"line {error.lineno} is not valid Python: {error.msg}") from None
        except ValueError as error:
            raise Unusable(f"it is not valid Python: {error}") from None
        module = ModuleType(Path(path).stem)
        module.__file__ = path
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
        return module

    def _find(self) -> None:
        bot, choose = getattr(self.module, "Bot", None), getattr(self.module, "choose", None)
        if not callable(choose) and not callable(getattr(bot, "choose", None)):
            raise Unusable("it has neither a function choose(decision) nor a class Bot with choose(self, decision)")

    def _match(self, message: dict[str, Any]) -> dict[str, Any]:
        """A new match: a bot that is a class is made anew, when it is first asked."""
        self.choose = None
        self.actions = []
        seed_generators(message["seed"])
        return {}

    def _make(self) -> Choose:
        made: Any = getattr(self.module, "Bot", None)
        choose: Choose = made().choose if callable(getattr(made, "choose", None)) else self.module.choose
        return choose

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        if self.choose is None:
            self.choose = self._make()
        answer: Any = self.choose(self._decision(message))
        sys.stderr.flush()
        if isinstance(answer, str):
            return {"text": answer[:200]}
        try:
            if isinstance(answer, bool):
                raise TypeError
            return {"action": min(max(operator.index(answer), -(2**63)), 2**63)}
        except TypeError:
            return {"fault": ILLEGAL, "detail": f"it returned {self._show(answer)}, not an action"}

    def _decision(self, message: dict[str, Any]) -> Decision:
        state: State = self.game.layout.blank()
        for name, value in message["state"].items():
            setattr(state, name, value)
        self.actions = self.actions[: message["kept"]] + message["played"]
        chance, clock = Chance(message["chance"]), TimeLimit(**message["clock"])
        return Decision(self.game, state, message["legal"], chance, clock, list(self.actions))

    def _print(self, error: BaseException) -> None:
        """The traceback, from where the bot's own file comes into it."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != self.path:
            trace = trace.tb_next
        traceback.print_exception(error.with_traceback(trace or error.__traceback__))

    def _say(self, error: BaseException) -> str:
        """``ZeroDivisionError: division by zero (my_bot.py, line 7)``; the line is the last in the bot's own file."""
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.path]
        where = f" ({Path(self.path).name}, line {lines[-1]})" if lines else ""
        try:
            words = str(error)
        except Exception:
            words = ""
        return one_line(f"{type(error).__name__}: {words}" if words else type(error).__name__, 200) + where

    def _show(self, answer: object) -> str:
        try:
            return one_line(repr(answer), 60)
        except Exception:
            return f"a {type(answer).__name__}"
