"""What the fields of a game's state mean, for whoever writes a bot: as the comments beside their declarations say."""

from __future__ import annotations

import inspect
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator
from types import ModuleType

from parlour.engine import state as header
from parlour.engine.game import Game
from parlour.engine.state import Field

KINDS = ("i8", "i16", "i32", "i64")


def describe_fields(game: Game) -> list[tuple[str, str, str]]:
    """Every field of the state: its name, its type with its size, and its meaning, where the game says it."""
    layout = game.layout
    said = _comments(header) | {option.name: f"the option: {option.help}" for option in game.options}
    for module in _modules(game):
        said |= _comments(module)
    return [(name, _type(field), said.get(name, "")) for name, field in layout.fields.items()]


def _type(field: Field) -> str:
    return f"i{field.bits}" if field.length is None else f"i{field.bits}[{field.length}]"


def _modules(game: Game) -> list[ModuleType]:
    """The modules of the game's folder, those about the state last: what they say holds."""
    inside = [module for name, module in sys.modules.items() if f"{name}.".startswith(f"{game.package}.")]
    return sorted(inside, key=lambda module: ("state" in module.__name__, module.__name__))


def _comments(module: ModuleType) -> dict[str, str]:
    """The comments on lines like ``"name": i8[4],``, and on the line above where such a line has none."""
    try:
        source = inspect.getsource(module)
        return dict(_entries(tokenize.generate_tokens(io.StringIO(source).readline)))
    except (OSError, TypeError, tokenize.TokenError):
        return {}


def _entries(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[tuple[str, str]]:
    above = ""
    for line in _lines(tokens):
        words = line[-1].string.removeprefix("#").strip() if line[-1].type == tokenize.COMMENT else ""
        is_field = len(line) > 2 and line[0].type == tokenize.STRING and line[2].string in KINDS
        if is_field and (words or above):
            yield line[0].string.strip("\"'"), words or above
        above = words if len(line) == 1 else ""


def _lines(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of every line that has some."""
    line: list[tokenize.TokenInfo] = []
    for token in tokens:
        if token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            if line:
                yield line
            line = []
        else:
            line.append(token)
