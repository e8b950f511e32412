"""Whose fault an error is, in one line: the function and its clause, the file and the line, the cause."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from parlour.engine.errors import ParlourError, first_line
from parlour.engine.game import Game
from parlour.engine.printable import one_line

ENGINE = Path(__file__).parent.parent
CLAUSES = re.compile(r"\s*(Clauses? \d[\d, andto–-]*\b)")
LONGEST = 240
# How lines of a message of Numba's begin that say what was tried, and not why it failed.
# fmt: off
NOISE = (
    "During:", "raised from", "- Of which", "There are", "With argument", "Overload", "No match", "Rejected", "Known",
    ">>>", "*",
)
# fmt: on


class Failed(ParlourError):
    """Something that must hold does not."""


@dataclass(frozen=True)
class Location:
    """A line of a game."""

    file: Path
    line: int
    function: str
    docstring: str

    def __str__(self) -> str:
        clauses = CLAUSES.match(self.docstring)
        cited = f" ({clauses[1].lower()})" if clauses else ""
        return f"{self.function}{cited}, {self.file.parent.name}/{self.file.name} line {self.line}"


def place_of(function: Callable[..., Any]) -> str:
    """Where a function of a game is, and which clauses it cites."""
    code = function.__code__
    return str(Location(Path(code.co_filename), code.co_firstlineno, function.__name__, function.__doc__ or ""))


def blame(game: Game, error: Exception) -> str:
    """What is wrong, and where in the game."""
    if isinstance(error, ParlourError):
        return str(error)
    places = [place for place in _called(error.__traceback__) if _is_of(game, place.file)]
    said = one_line(first_line(error), LONGEST)
    return f"{places[-1]}: {said}" if places else said


def blame_compiler(game: Game, error: Exception) -> str:
    """Like ``blame``, for a rule that does not compile. Numba tells the innermost place first, with the cause above."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    cause, told, _ = text.partition('File "')
    place = next((place for place in _told_places(text) if _is_of(game, place.file)), None)
    said = _innermost(cause) if told else first_line(error)
    return f"{place}: {said}" if place else said


def _innermost(cause: str) -> str:
    """The last line that says why, rather than what was tried."""
    lines = [line.strip() for line in cause.splitlines()]
    said = next((line for line in reversed(lines) if line and not line.startswith(NOISE)), "it gives no reason")
    bound = re.search(r'due to "(.*)"', said)
    return one_line(bound[1] if bound else said, LONGEST)


def _called(trace: TracebackType | None) -> Iterator[Location]:
    while trace is not None:
        code = trace.tb_frame.f_code
        docstring = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else ""
        yield Location(Path(code.co_filename), trace.tb_lineno, code.co_name, docstring)
        trace = trace.tb_next


def _told_places(text: str) -> Iterator[Location]:
    """The places that a message of Numba's names."""
    for name, line in re.findall(r'File "([^"]+)", line (\d+)', text):
        file = Path(name).resolve()
        if file.is_file():
            yield _place(file, int(line))


def _place(file: Path, line: int) -> Location:
    """The innermost function around that line."""
    functions = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    around = [node for node in functions if node.lineno <= line <= (node.end_lineno or node.lineno)]
    if not around:
        return Location(file, line, "the module", "")
    inner = max(around, key=lambda node: node.lineno)
    return Location(file, line, inner.name, ast.get_docstring(inner) or "")


def _is_of(game: Game, file: Path) -> bool:
    """Whether a file is the game's: in its folder, or whatever else is neither the engine's nor a library's."""
    home = importlib.import_module(game.package)
    folders = [Path(folder) for folder in getattr(home, "__path__", [])]
    if any(folder in file.parents for folder in folders) or str(file) == home.__file__:
        return True
    return ENGINE not in file.parents and "site-packages" not in file.parts and file.is_file()
