"""Who plays a game: its own bots, and the judge that comes with it."""

from __future__ import annotations

import dataclasses
import importlib
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING

from parlour.engine import parts
from parlour.engine.bots import Bots

if TYPE_CHECKING:
    from parlour.engine.game import Game
    from parlour.engine.judge import Judge


class Players:
    """What a game's folder has for those who play it without being people."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def bots(self) -> Bots:
        return parts.load(self._game.name, self._game.bots, Bots) if self._game.bots else Bots()

    @cached_property
    def judged_game(self) -> Game:
        """The same rules, with what a judge looks at in place of what a learner sees."""
        sight = self.bots.sight
        if sight is None:
            return self._game
        twin = dataclasses.replace(self._game, observe=sight.observe, features=sight.features)
        vars(twin.players)["judged_game"] = twin
        return twin

    @cached_property
    def judge(self) -> Judge | None:
        """The judge that comes with the game, if there is one; with the others beside it, where there are several."""
        from parlour.engine.judge.file import load  # it brings NumPy along, which most who play need not wait for

        found = []
        for name in self.bots.judges:
            with resources.as_file(resources.files(importlib.import_module(self._game.package)) / name) as file:
                found.append(load(self._game, file))
        return found[0].beside(found[1:]) if found else None
