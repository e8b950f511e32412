"""The parts of a game that load when they are needed: each a constant at the end of a module of the game's folder.

``PICTURE = Picture(...)`` ends the module that ``Game(picture=...)`` names; NOTATION, TERMINAL and BOTS likewise.
"""

from __future__ import annotations

import importlib
from typing import TypeVar

from parlour.engine.errors import BadGame
from parlour.engine.folders import told

Part = TypeVar("Part")


def load(game: str, module: str, kind: type[Part]) -> Part:
    """The part of that kind in a game's module. What is wrong with it is said in one line."""
    constant = kind.__name__.upper()
    try:
        loaded = importlib.import_module(module)
    except Exception as error:
        raise BadGame(f"game {game!r}: {module} cannot be loaded: {told(error)}") from error
    if not hasattr(loaded, constant):
        raise BadGame(f"game {game!r}: {module} has no {constant}")
    part = getattr(loaded, constant)
    if not isinstance(part, kind):
        raise BadGame(f"game {game!r}: {constant} in {module} is a {type(part).__name__}, not a {kind.__name__}")
    return part
