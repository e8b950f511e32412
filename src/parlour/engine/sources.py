"""What rules are made of: the files, the functions that they call, and the constants that they name.

Compiled code depends on it, and so does what happened in a match that is played again.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import io
import tokenize
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from parlour.engine.game import Game

ENGINE = Path(__file__).parent
SHORT = 16  # characters of a hash
LAYOUT_TOKENS = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER)


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


@cache
def rules_hash(game: Game) -> str:
    """Tells the rules of a game from others: what they say, and the constants that they name.

    Comments, docstrings, and how lines are broken make no difference, nor does the engine.
    """
    own = [rule for rule in reached(rules_of(game)) if ENGINE not in Path(rule.__code__.co_filename).parents]
    functions = {name: _functions(Path(name)) for name in {rule.__code__.co_filename for rule in own}}
    said = []
    for rule in own:
        code = rule.__code__
        words = functions[code.co_filename].get((rule.__name__, code.co_firstlineno))
        constants = sorted((name, value) for name, value in _named(rule) if _is_constant(value))
        said.append(f"{rule.__qualname__} {constants} {words or [part.co_code.hex() for part in _codes(code)]}")
    fields = sorted(game.layout.fields.items())
    return hashlib.sha256("\n".join([repr(fields), *sorted(said)]).encode()).hexdigest()[:SHORT]


def _functions(file: Path) -> dict[tuple[str, int], list[str]]:
    """The functions of a file in words, by their name and the line where they begin, decorators included."""
    try:
        text = file.read_text("utf-8")
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    except (OSError, SyntaxError, ValueError):
        return {}
    lines = text.splitlines(keepends=True)
    return {
        (node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])): _words(lines, node)
        for node in nodes
    }


def _words(all_lines: list[str], node: ast.FunctionDef) -> list[str]:
    """The tokens of a function without its docstring. That a block begins is one, how far it is set in is not."""
    first = node.body[0]
    is_told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = range(first.lineno, (first.end_lineno or 0) + 1) if is_told else range(0)
    lines = all_lines[node.lineno - 1 : node.end_lineno]
    kept = ["\n" if number in docstring else line for number, line in enumerate(lines, node.lineno)]
    tokens = tokenize.generate_tokens(io.StringIO("".join(kept)).readline)
    blocks = {tokenize.INDENT: "{", tokenize.DEDENT: "}"}
    return [blocks.get(token.type, token.string) for token in tokens if token.type not in LAYOUT_TOKENS]


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
