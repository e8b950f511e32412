"""Playing one game: asks whoever is up, and lets the turn of a player that answers wrongly pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from game17.games import MISSES, Faults, Outcome, Setting
from game17.table import Orders, Table


class TurnLost(Exception):
    """A player's turn passes without a move; the message says why. ``missed`` if it was too late."""

    def __init__(self, reason: str, *, missed: bool = False) -> None:
        super().__init__(reason)
        self.missed = missed


class Seat(Protocol):
    """A player in one game. Both may raise TurnLost."""

    def begin(self, table: Table, owner: int, seed: int) -> None: ...

    def ask(self, table: Table) -> Orders:
        """The orders for the turn at hand."""

    @property
    def taken(self) -> float:
        """The seconds that the last call took, answered or not."""


class Playing:
    """One game with its players."""

    def __init__(self, setting: Setting, label: str, seats: Mapping[int, Seat], t800s: Collection[int] = ()) -> None:
        seed = setting.seed_of(label)
        self.table = Table(setting.size, setting.rounds, seed, list(seats), t800s)
        self.seats = seats
        self.t800s = t800s
        self.faults: dict[int, Faults] = {}
        self._spent: dict[int, list[float]] = {owner: [] for owner in seats}
        self._out: dict[int, TurnLost] = {}
        for owner, seat in seats.items():
            try:
                seat.begin(self.table, owner, setting.seed_of(f"{label}:{owner}"))
            except TurnLost as lost:
                self._out[owner] = lost

    def run(self) -> None:
        """Play to the end."""
        while (owner := self.table.up) is not None:
            this_round = self.table.round
            ways: Orders = []
            try:
                ways = self._ask(owner)
            except TurnLost as lost:
                self._note(owner, this_round, str(lost), missed=lost.missed)
            reason = self.table.take(ways)
            if reason:
                self._note(owner, this_round, reason)

    def _ask(self, owner: int) -> Orders:
        if owner in self._out:
            raise self._out[owner]
        if owner in self.faults and self.faults[owner].misses >= MISSES:
            raise TurnLost("it has missed too many deadlines")
        seat = self.seats[owner]
        try:
            return seat.ask(self.table)
        finally:
            self._spent[owner].append(seat.taken)

    def _note(self, owner: int, this_round: int, reason: str, *, missed: bool = False) -> None:
        told = f"round {this_round}: {reason}"
        self.faults.setdefault(owner, Faults()).add(told, missed=missed)

    @property
    def times(self) -> dict[int, float]:
        """Mean seconds per call; T800s cost nothing worth measuring."""
        asked = {owner: sum(spent) / len(spent) if spent else -1.0 for owner, spent in self._spent.items()}
        return {**asked, **dict.fromkeys(self.t800s, 0.0)}

    def outcome(self) -> Outcome:
        return Outcome(self.table.scores, self.times, self.table.to_json(), self.faults)
