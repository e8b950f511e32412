"""Which games there are: all that installed packages offer under the entry point group ``parlour.games``.

The command line can add one from a folder that is not installed: see ``parlour.engine.folders``.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from parlour.engine import folders, language, words
from parlour.engine.errors import BadGame, UnknownName, nearest
from parlour.engine.game import Game

GROUP = folders.GROUP


@cache
def _offers() -> dict[str, EntryPoint]:
    local = [place.offer(name) for name, place in folders.added().items()]
    return {offer.name: offer for offer in sorted([*entry_points(group=GROUP), *local], key=lambda offer: offer.name)}


def add_folder(path: str | Path) -> str:
    """Add the game in a folder or a file; returns its name. Its Python is run: never do so for a request."""
    name = folders.add(path, {offer.name: offer.value for offer in entry_points(group=GROUP)})
    forget()
    get(name)
    return name


def forget() -> None:
    """Look anew which games there are, and at those in folders as they are now."""
    for kept in (_offers, _tried, words.rulebook):
        kept.cache_clear()
    language.forget()


def names() -> list[str]:
    return list(_offers())


def get(name: str) -> Game:
    """The game of that name."""
    offers = _offers()
    if name not in offers:
        raise UnknownName(f"there is no game {name!r} (there are: {', '.join(offers)}){nearest(name, offers)}")
    found = _tried(offers[name])
    if isinstance(found, str):
        raise BadGame(found)
    return found


@cache
def _tried(offer: EntryPoint) -> Game | str:
    """The game, or why it cannot be loaded: to try that again would take long and change nothing."""
    try:
        return _load(offer.name, offer)
    except BadGame as error:
        return str(error)


def _load(name: str, offer: EntryPoint) -> Game:
    try:
        game = offer.load()
    except Exception as error:
        raise BadGame(f"game {name!r} cannot be loaded from {offer.value}: {folders.told(error)}") from error
    if not isinstance(game, Game):
        raise BadGame(f"game {name!r}: {offer.value} is a {type(game).__name__}, not a Game")
    if game.name != name:
        raise BadGame(f"game {name!r}: {offer.value} calls itself {game.name!r}")
    return game


def all_games() -> list[Game]:
    """All games that load. One that does not harms no other: ``bad_games`` says which, and why."""
    bad = bad_games()
    return [get(name) for name in names() if name not in bad]


def bad_games() -> dict[str, str]:
    """The games that installed packages offer but that cannot be loaded, and why not."""
    bad = {}
    for name in names():
        try:
            get(name)
        except BadGame as error:
            bad[name] = str(error)
    return bad
