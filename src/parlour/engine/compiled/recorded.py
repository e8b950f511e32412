"""Rows of a batch as matches and replay files, wherever the batch is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parlour.engine import replay
from parlour.engine.compiled.arrays import row_number
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match


class Recorded:
    """What a batch is that can say what was played in its rows."""

    game: Game
    options: dict[str, int]
    seats: int
    seed: int
    record: bool
    _without_dice: Any  # rows whose actions were copied, but not the chance they met

    def __len__(self) -> int:
        raise NotImplementedError

    def _story(self, row: int) -> tuple[int, list[int]]:
        """The number of the game that the row plays, and its actions so far."""
        raise NotImplementedError

    def match(self, row: int) -> Match:
        """One row as a match with all its actions, to go on with; the dice to come are those of the row."""
        at = row_number(row, len(self))
        if not self.record:
            raise ParlourError("a batch that is made with record=True keeps what was played; this one does not")
        if self._without_dice[at]:
            raise ParlourError(f"row {at} was copied without its chance: its match cannot be played again")
        options: dict[str, Any] = {**self.options}
        number, actions = self._story(at)
        match = Match(self.game, self.seats, self.seed, stream=number, **options)
        for action in actions:
            match.repeat(action)
        return match

    def save(self, row: int, path: str | Path, *, overwrite: bool = False) -> None:
        """One row as a replay file."""
        replay.save(self.match(row), path, overwrite=overwrite)
