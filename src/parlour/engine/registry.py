"""Which games there are: all that installed packages offer under the entry point group ``parlour.games``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from parlour.engine.errors import BadGame, UnknownName, nearest
from parlour.engine.game import Game

GROUP = "parlour.games"


@cache
def _offers() -> dict[str, EntryPoint]:
    return {offer.name: offer for offer in sorted(entry_points(group=GROUP), key=lambda offer: offer.name)}


def names() -> list[str]:
    return list(_offers())


@cache
def get(name: str) -> Game:
    """The game of that name."""
    offers = _offers()
    if name not in offers:
        raise UnknownName(f"there is no game {name!r} (there are: {', '.join(offers)}){nearest(name, offers)}")
    try:
        game = offers[name].load()
    except Exception as error:
        raise BadGame(f"game {name!r} cannot be loaded from {offers[name].value}: {error}") from error
    if not isinstance(game, Game):
        raise BadGame(f"game {name!r}: {offers[name].value} is a {type(game).__name__}, not a Game")
    if game.name != name:
        raise BadGame(f"game {name!r}: {offers[name].value} calls itself {game.name!r}")
    return game


def all_games() -> list[Game]:
    return [get(name) for name in names()]
