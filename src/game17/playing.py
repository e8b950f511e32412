"""Playing one game: asks whoever is up, and lets the turn of a player that answers wrongly pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from game17.games import GameSetting, Outcome
from game17.live_game import LiveGame, OrderRows
from parlour.bots.faults import FAULTS, ILLEGAL, BadBot, BotFault
from parlour.bots.referee import Penalties, Referee, fault_of

MISSES = 3  # deadlines that a bot may miss in a game, and ends of its process, before it is asked no more
PENALTIES = Penalties(dict.fromkeys(set(FAULTS) - {ILLEGAL}, 1), MISSES)


class PlayerSeat(Protocol):
    """A player in one game. Both may raise BotFault: ``illegal`` costs the turn, anything else is a miss besides."""

    def begin(self, game: LiveGame, owner: int, seed: int) -> None: ...

    def ask(self, game: LiveGame) -> OrderRows:
        """The orders for the turn at hand."""

    @property
    def taken(self) -> float:
        """The seconds that the last call took, answered or not."""


class Playing:
    """One game with its players."""

    def __init__(
        self, setting: GameSetting, label: str, seats: Mapping[int, PlayerSeat], t800s: Collection[int] = ()
    ) -> None:
        self.game = LiveGame(setting.size, setting.rounds, setting.seed_of(label), list(seats), t800s)
        self.seats = seats
        self.t800s = t800s
        self.referee = Referee(setting.size**2, PENALTIES)
        self._spent: dict[int, list[float]] = {owner: [] for owner in seats}
        self._unfit: dict[int, BotFault] = {}
        for owner, seat in seats.items():
            try:
                seat.begin(self.game, owner, setting.seed_for_bot(label, owner))
            except BadBot:  # nobody's bot could be started
                raise
            except Exception as error:
                self._unfit[owner] = fault_of(error)

    def run(self) -> None:
        """Play to the end."""
        while (owner := self.game.up) is not None:
            this_round = self.game.round
            reason = self.game.take(self._orders(owner, this_round))
            if reason:
                self.referee.blame(owner, this_round, BotFault(ILLEGAL, reason))

    def _orders(self, owner: int, this_round: int) -> OrderRows:
        """What the player orders; nothing, if it is at fault."""
        try:
            return self.referee.hear(owner, this_round, lambda: self._ask(owner))
        except BotFault:
            return []

    def _ask(self, owner: int) -> OrderRows:
        if owner in self.referee.out:
            raise BotFault(ILLEGAL, "it has missed too many deadlines")
        if owner in self._unfit:
            raise self._unfit[owner]
        seat = self.seats[owner]
        try:
            return seat.ask(self.game)
        finally:
            self._spent[owner].append(seat.taken)

    @property
    def times(self) -> dict[int, float]:
        """Mean seconds per call; T800s cost nothing worth measuring."""
        asked = {owner: sum(spent) / len(spent) if spent else -1.0 for owner, spent in self._spent.items()}
        return {**asked, **dict.fromkeys(self.t800s, 0.0)}

    def outcome(self) -> Outcome:
        lost: dict[int, list[str]] = {}
        for incident in self.referee.incidents:
            lost.setdefault(incident.seat, []).append(f"round {incident.ply}: {incident.fault.detail}")
        return Outcome(self.game.scores, self.times, self.game.to_json(), lost, frozenset(self.referee.out))
