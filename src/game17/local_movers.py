"""Movers in this process: what the Python functions of the package play with. They cannot be stopped, only checked."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np

from game17.basic_mover import GetMover, as_get_mover
from game17.clock import Stopwatch
from game17.games import GameJob, GameSetting, Outcome
from game17.live_game import LiveGame, OrderRows
from game17.playing import Playing
from parlour.bots.faults import ILLEGAL, BotFault
from parlour.games.game17.notation.orders import BadOrders, read_orders, shown


class LocalMover:
    """A mover that is called here, with copies of the board."""

    def __init__(self, get_mover: GetMover) -> None:
        self._get_mover = as_get_mover(get_mover)
        self._mover: Any = None
        self._watch = Stopwatch(os.getpid())
        self.taken = 0.0

    def begin(self, game: LiveGame, owner: int, seed: int) -> None:
        self._mover = self._get_mover(
            owner=owner,
            owners=game.opening.copy(),
            numbers=np.full_like(game.opening, 4),
            turn_order=list(game.turn_order),
            num_rounds=game.rounds,
        )

    def ask(self, game: LiveGame) -> OrderRows:
        owners, numbers = game.owners, game.numbers
        self._watch.start()
        try:
            # What it returns is read within the time taken: it may be a generator, which works only then.
            return read_orders(self._mover(owners, numbers), game.size)
        except BadOrders as error:
            raise BotFault(ILLEGAL, str(error)) from None
        except (Exception, SystemExit) as error:
            raise BotFault(ILLEGAL, f"{type(error).__name__}: {shown(error)}") from None
        finally:
            self.taken = self._watch.stop()

    def close(self) -> None:
        self._watch.close()


def play_local(players: Mapping[int, GetMover], setting: GameSetting, label: str) -> Playing:
    """One whole game of movers in this process."""
    setting.check_players(players)
    seats = {owner: LocalMover(get_mover) for owner, get_mover in players.items()}
    try:
        playing = Playing(setting, label, seats)
        playing.run()
    finally:
        for seat in seats.values():
            seat.close()
    return playing


class LocalCrew:
    """Movers by player number."""

    def __init__(self, movers: Mapping[int, GetMover], setting: GameSetting) -> None:
        self.movers = dict(movers)
        self.setting = setting

    @property
    def players(self) -> Sequence[int]:
        return list(self.movers)

    def play(self, jobs: Sequence[GameJob]) -> Generator[Outcome, None, None]:
        for job in jobs:
            seats = {owner: self.movers[player] for owner, player in job.seats}
            yield play_local(seats, self.setting, job.label).outcome()
