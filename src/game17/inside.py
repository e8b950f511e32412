"""Movers in this process: what the Python functions of the package play with. They cannot be stopped, only checked."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np

from game17.asking import Playing, TurnLost
from game17.basic_mover import GetMover, as_get_mover
from game17.clock import Stopwatch
from game17.games import Job, Outcome, Setting
from game17.moves import BadMoves, read_moves, shown
from game17.table import Orders, Table


class InsideSeat:
    """A mover that is called here, with copies of the board."""

    def __init__(self, get_mover: GetMover) -> None:
        self._get_mover = as_get_mover(get_mover)
        self._mover: Any = None
        self._watch = Stopwatch(os.getpid())
        self.taken = 0.0

    def begin(self, table: Table, owner: int, seed: int) -> None:
        self._mover = self._get_mover(
            owner=owner,
            owners=table.opening.copy(),
            numbers=np.full_like(table.opening, 4),
            turn_order=list(table.turn_order),
            num_rounds=table.rounds,
        )

    def ask(self, table: Table) -> Orders:
        owners, numbers = table.owners, table.numbers
        self._watch.start()
        try:
            # What it returns is read within the time taken: it may be a generator, which works only then.
            return read_moves(self._mover(owners, numbers), table.size)
        except BadMoves as error:
            raise TurnLost(str(error)) from None
        except (Exception, SystemExit) as error:
            raise TurnLost(f"{type(error).__name__}: {shown(error)}") from None
        finally:
            self.taken = self._watch.stop()

    def close(self) -> None:
        self._watch.close()


def play_inside(players: Mapping[int, GetMover], setting: Setting, label: str) -> Playing:
    """One whole game of movers in this process."""
    setting.check_players(players)
    seats = {owner: InsideSeat(get_mover) for owner, get_mover in players.items()}
    try:
        playing = Playing(setting, label, seats)
        playing.run()
    finally:
        for seat in seats.values():
            seat.close()
    return playing


class InsideCrew:
    """Movers by player number."""

    def __init__(self, movers: Mapping[int, GetMover], setting: Setting) -> None:
        self.movers = dict(movers)
        self.setting = setting

    @property
    def players(self) -> Sequence[int]:
        return list(self.movers)

    def play(self, jobs: Sequence[Job]) -> Generator[Outcome, None, None]:
        for job in jobs:
            seats = {owner: self.movers[player] for owner, player in job.seats}
            yield play_inside(seats, self.setting, job.label).outcome()
