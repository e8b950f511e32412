"""Where a game's name is typed: what it is called in the help, and what a shell offers there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def games(beginning: str) -> list[str]:
    """The names that a shell offers."""
    from parlour.engine import registry

    return [name for name in registry.names() if name.startswith(beginning)]


def named(text: str) -> str:
    """The name of the game that is meant: by its name, or by the folder or the file where it is."""
    from parlour.engine import folders, registry

    return registry.add_folder(text) if text not in registry.names() and folders.is_place(text) else text


def named_or_file(text: str | None) -> str | None:
    """The same where the file of a saved match may be meant, too."""
    return named(text) if text is not None and (text.endswith(".py") or Path(text).is_dir()) else text


def add(place: str | None) -> None:
    """Have the game of that folder or file found by its name."""
    if place is not None:
        named(place)


def named_all(places: list[str] | None) -> list[str] | None:
    """The names of several."""
    return places and [named(place) for place in places]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's name, as `parlour games` lists it; or its folder or file.",
        autocompletion=games,
        callback=named,
    ),
]
