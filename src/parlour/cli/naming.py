"""Where a game's name is typed: what it is called in the help, and what a shell offers there."""

from __future__ import annotations

from typing import Annotated

import typer


def games(beginning: str) -> list[str]:
    """The names that a shell offers."""
    from parlour.engine import registry

    return [name for name in registry.names() if name.startswith(beginning)]


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name, as `parlour games` lists it.", autocompletion=games)
]
