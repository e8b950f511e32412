"""Many matches side by side: one array of states, stepped together."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.chance import GAME_STREAM, seed_stream, seed_words
from parlour.engine.compiled.drivers import drivers, new_scratch
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Game
from parlour.engine.match import check_seed


class Batch:
    """``count`` openings of a game. ``states`` is a structured array: ``batch.states["to_move"]`` and so on.

    Row i plays with chance of its own, the same as game i of ``parlour simulate`` with the same seed.
    """

    def __init__(self, game: Game, count: int, seats: int | None = None, seed: int = 0, **options: object) -> None:
        self.game = game
        self._drivers = drivers(game)
        blank = game.blank(seats, **options)
        self.states = game.layout.rows(count)
        if count:
            game.layout.write(blank, self.states, 0)
            self.states[:] = self.states[0]
        words = seed_words(check_seed(seed))
        self._chance = np.zeros((count, 4), np.int64)
        self._scratch = new_scratch(game)
        lanes = [0, 0, 0, 0]
        for row in range(count):
            seed_stream(lanes, words, row, GAME_STREAM)
            self._scratch["chance"] = lanes
            self._drivers.setup(self.states, row, self._scratch)
            self._chance[row] = self._scratch["chance"]

    def __len__(self) -> int:
        return len(self.states)

    def legal(self, row: int) -> list[int]:
        """The legal actions of one row."""
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {row}: the batch has {len(self)}, counted from 0")
        count = self._drivers.legal(self.states, row, self._scratch)
        return [int(action) for action in self._scratch["actions"][0, :count]]

    def step(self, actions: Any) -> None:
        """Play one action in every row that is not over.

        At the first illegal one it stops with an error; the rows before it have been played, that one and those
        after it have not.
        """
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != self.states.shape:
            raise ValueError(f"a step of {len(self)} states takes {len(self)} actions, not {chosen.shape}")
        illegal = self._drivers.step(self.states, chosen, self._chance, self._scratch)
        if illegal >= 0:
            raise IllegalAction(
                int(chosen[illegal]),
                f"it is none of the legal actions of row {illegal}",
                self.game.layout.read(self.states, illegal),
            )
