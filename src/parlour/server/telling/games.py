"""The games as they are shown to whoever has to choose one."""

from __future__ import annotations

from parlour import protocol
from parlour.engine import diagram, registry
from parlour.engine.errors import UnknownName
from parlour.engine.game import Game
from parlour.engine.glance import newcomers_first
from parlour.engine.language import cache_spoken
from parlour.server.basics.errors import Refusal
from parlour.server.telling import views


def all_games() -> list[protocol.GameView]:
    return [views.game_view(game) for game in newcomers_first(registry.all_games())]


def known_game(name: str) -> Game:
    """The game of that name. Raises Refusal."""
    try:
        return registry.get(name)
    except UnknownName as error:
        raise Refusal("not_found", str(error)) from error


def captions(name: str) -> list[str]:
    """What the diagrams of its rulebook show, in order."""
    game = known_game(name)
    return [game.said(one.caption) for one in game.looks.diagrams]


def diagram_of(name: str, number: int) -> str:
    """A diagram of its rulebook, as SVG."""
    known = known_game(name).looks.diagrams
    if number >= len(known):
        raise Refusal("not_found", f"{name} has {len(known)} diagrams, and no number {number}")
    return _diagram(name, number)


@cache_spoken
def _diagram(name: str, number: int) -> str:
    game = registry.get(name)
    return diagram.draw(game, game.looks.diagrams[number])
