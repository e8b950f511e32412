"""Whose fault an error is, in one line: the function and its clause, the file and the line, the cause."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from parlour.engine.errors import ParlourError, first_line
from parlour.engine.game import Game
from parlour.engine.journal import Event
from parlour.engine.printable import one_line

ENGINE = Path(__file__).parent.parent
PYTHON = Path(sysconfig.get_path("stdlib"))
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


@dataclass(frozen=True)
class Finding:
    """What a check has found, for a program that mends it. What is not known is empty, or 0."""

    words: str  # the line that people read
    file: str = ""
    line: int = 0
    function: str = ""
    clauses: tuple[int, ...] = ()  # that the function cites
    field: str = ""  # of the state, or an option
    event: str = ""


NAMED_FIELD = re.compile(r"(\w+)(?:\[-?\d+\])?'?(?= cannot hold| holds | takes | is )")
NAMED_EVENT = re.compile(r"(?:event|motion of|has no words:) (\w+)")


def finding(game: Game, error: Exception, words: str, usual: object = None) -> Finding:
    """What is known of an error besides its words. ``usual`` is what the check is about: a function, or a module."""
    chain = list(_causes(error))
    places = [place for each in chain for place in _called(each.__traceback__) if _is_of(game, place.file)]
    told = _told_places(re.sub(r"\x1b\[[0-9;]*m", "", str(chain[-1])))
    places = places or [place for place in told if _is_of(game, place.file)][:1]
    named = (found[1] for found in NAMED_FIELD.finditer(words))
    field = next((name for name in named if name in game.layout.fields), "")
    event = next(filter(None, (_event_in(each.__traceback__) for each in chain)), None) or _event_named(game, words)
    place = places[-1] if places else (event and _place_of_class(event)) or _usual_place(game, usual)
    name = event.__name__ if event else ""
    cited = CLAUSES.match(place.docstring)
    clauses = tuple(int(number) for number in re.findall(r"\d+", cited[1])) if cited else ()
    return Finding(words, str(place.file), place.line, place.function, clauses, field, name)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what has led to it, the first cause last."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__


def _event_in(trace: TracebackType | None) -> type[Event] | None:
    """The event whose own method was at work when it went wrong."""
    while trace is not None:
        if isinstance(owner := trace.tb_frame.f_locals.get("self"), Event):
            return type(owner)
        trace = trace.tb_next
    return None


def _event_named(game: Game, words: str) -> type[Event] | None:
    """The game's event of that name."""
    named = NAMED_EVENT.search(words)
    kinds = [kind for kind in _kinds_of(Event) if kind.__module__.startswith(game.package)] if named else []
    return next((kind for kind in reversed(kinds) if named and kind.__name__ == named[1]), None)


def _kinds_of(kind: type[Event]) -> Iterator[type[Event]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds_of(each)


def _place_of_class(kind: type[Event]) -> Location | None:
    try:
        file, line = inspect.getsourcefile(kind), inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        return None
    return Location(Path(file), line, kind.__name__, kind.__doc__ or "") if file else None


def _usual_place(game: Game, usual: object) -> Location:
    """Where one would begin to look: at a function of the game, at one of its modules, or at another of its files."""
    home = Path(str(importlib.import_module(game.package).__file__))
    code = getattr(usual, "__code__", None)
    if code is not None and Path(code.co_filename).is_file():
        return Location(Path(code.co_filename), code.co_firstlineno, code.co_name, usual.__doc__ or "")
    if not isinstance(usual, str) or not usual:
        return Location(home, 1, "", "")
    if "." in usual and (home.parent / usual).is_file():
        return Location(home.parent / usual, 1, "", "")
    module = usual.partition(":")[0]
    file = getattr(importlib.import_module(module), "__file__", None) if module in sys.modules else None
    return Location(Path(file), 1, "", "") if file else Location(home, 1, "", "")


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
    if not places and (event := _event_in(error.__traceback__)) and (place := _place_of_class(event)):
        return f"event {place}: {said}"
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
    is_library = "site-packages" in file.parts or PYTHON in file.parents
    return ENGINE not in file.parents and not is_library and file.is_file()
