"""What compiled code depends on: the engine, the game's folder, and whatever its rules call or name elsewhere."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from parlour.engine.game import Game

ENGINE = Path(__file__).parent.parent


def rules_of(game: Game) -> list[Callable[..., Any]]:
    """The rules that the engine calls."""
    rules = (game.setup, game.legal, game.apply, game.score, game.won, game.order, game.observe, game.conserved)
    return [rule for rule in (*rules, game.hide, game.imagine) if rule is not None]


def sources(game: Game) -> list[Path]:
    """The files of the engine and of the game's folder, and all others that a rule of the game comes from."""
    found = sorted(ENGINE.rglob("*.py"))
    home = importlib.import_module(game.package)
    for folder in getattr(home, "__path__", []):
        found += sorted(Path(folder).rglob("*.py"))
    if not hasattr(home, "__path__") and home.__file__:
        found.append(Path(home.__file__))
    elsewhere = {Path(rule.__code__.co_filename) for rule in reached(rules_of(game))} - set(found)
    return found + sorted(path for path in elsewhere if path.is_file())


def fingerprint(rules: Iterable[Callable[..., Any]]) -> str:
    """A hash of these rules, of all that they call, and of the constants that they name."""
    found = reached(rules)
    digest = hashlib.sha256()
    for file in sorted({Path(rule.__code__.co_filename) for rule in found}):
        digest.update(file.read_bytes() if file.is_file() else b"")
    for rule in found:
        constants = {name: value for name, value in _named(rule) if _is_constant(value)}
        digest.update(f"{rule.__module__}.{rule.__qualname__} {sorted(constants.items())}".encode())
        for code in _codes(rule.__code__):  # it may come from a notebook, and so from no file
            digest.update(code.co_code + repr([value for value in code.co_consts if _is_constant(value)]).encode())
    return digest.hexdigest()


def reached(rules: Iterable[Callable[..., Any]]) -> list[FunctionType]:
    """These functions and all that they call, directly or not, in an order that is always the same."""
    found: dict[FunctionType, None] = {}
    waiting = [rule for rule in rules if isinstance(rule, FunctionType)]
    while waiting:
        rule = waiting.pop()
        if rule not in found:
            found[rule] = None
            waiting += [value for _, value in _named(rule) if isinstance(value, FunctionType)]
    return list(found)


def _named(rule: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function names outside itself, and what that stands for; of modules, what it names in them."""
    names = [name for code in _codes(rule.__code__) for name in code.co_names]
    for name in names:
        value = rule.__globals__.get(name)
        yield name, value
        if isinstance(value, ModuleType):
            yield from ((f"{name}.{part}", getattr(value, part, None)) for part in names)
    for name, cell in zip(rule.__code__.co_freevars, rule.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and that of all functions and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_constant(value: object) -> bool:
    return isinstance(value, int | float | str) or (isinstance(value, tuple) and all(map(_is_constant, value)))
