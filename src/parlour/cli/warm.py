"""``parlour warm``."""

from __future__ import annotations

import json
import time

from parlour.bots import roster, warmth
from parlour.cli.console import print_plain
from parlour.engine import registry
from parlour.engine.compiled import cache
from parlour.engine.game import Game


def warm(names: list[str], *, as_json: bool) -> None:
    """Have every bot choose once, and a hint given: whatever has to be compiled for that is kept."""
    games = [registry.get(name) for name in names] if names else registry.all_games()
    for why in [] if names else registry.bad_games().values():
        print_plain(why)
    took = {game.name: _warm(game) for game in games}
    if as_json:
        print(json.dumps({"folder": str(cache.root()), "seconds": took}))
        return
    for name, seconds in took.items():
        print_plain(f"{name:12} {seconds:6.1f} s")
    print_plain(f"What was compiled is kept in {cache.root()}.")


def _warm(game: Game) -> float:
    began = time.perf_counter()
    for name in _bots(game):
        warmth.make_ready(game, name)
    return round(time.perf_counter() - began, 1)


def _bots(game: Game) -> list[str]:
    """One of every kind, and what hints need."""
    return [*dict.fromkeys(warmth.kind(name) for name in roster.names(game)), warmth.HINT]
