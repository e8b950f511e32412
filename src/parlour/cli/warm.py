"""``parlour warm``."""

from __future__ import annotations

import json
import time

from parlour.bots import Decision, roster
from parlour.cli.console import print_plain
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.compiled import cache
from parlour.engine.game import Game
from parlour.engine.match import Match


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
    match = Match(game)
    if not match.over and match.seats:
        decision = Decision(game, match.state, match.legal(), Chance.at(0, 0), actions=[])
        for name in _bots(game):
            roster.make_bot(game, name).choose(decision)
        roster.hint(game, decision, 0.1)
    return round(time.perf_counter() - began, 1)


def _bots(game: Game) -> list[str]:
    """One of every kind. All levels of the tree search are the same code: the strong ones would only think longer."""
    return [*(name for name in roster.names(game) if not name.startswith("mcts")), "mcts:1p"]
