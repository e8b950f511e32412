"""Who plays a game: its own bots, and the judge that comes with it."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from parlour.engine import parts
from parlour.engine.bots import Bots
from parlour.engine.extras import can_compile

if TYPE_CHECKING:
    from parlour.engine.game import Game
    from parlour.engine.judge.file import Judge
    from parlour.engine.state import State


Result = TypeVar("Result")


class Estimates(Protocol):
    """Says how likely each seat is to win, from 0 to 1, in a match that goes on."""

    def chances(self, state: State) -> list[float]: ...


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

        found = self._of_each(load)
        return found[0].beside(found[1:]) if found else None

    @cached_property
    def estimates(self) -> Estimates | None:
        """What says how likely each seat is to win: the judge, or in a browser the same without NumPy."""
        if can_compile():
            return self.judge
        from parlour.engine.judge import contents, plain

        found = self._of_each(contents.read)
        others = [plain.PlainJudge(one) for one in found[1:]]
        return plain.PlainJudge(found[0], others) if found else None

    def _of_each(self, read: Callable[[Game, Path], Result]) -> list[Result]:
        """What is made of each of the judges' files."""
        found = []
        for name in self.bots.judges:
            with resources.as_file(resources.files(importlib.import_module(self._game.package)) / name) as file:
                found.append(read(self._game, file))
        return found
