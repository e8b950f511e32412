"""A game under way, on the engine: who is up, what the board is, and the record that becomes a replay file."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import numpy as np

from game17.compiled import ASKED, FULL, NUMBERS_END, OVER, OWNER, OWNERS_END, ROUND, T800, ZOMBIE, TurnLog, play
from game17.game17 import Board
from game17.writing import diffs_json
from parlour.engine.chance import Chance
from parlour.games.game17 import GAME
from parlour.games.game17.notation.orders import BadOrders, Orders, check_orders
from parlour.games.game17.state import MAX_SQUARES, PIECES

OrderRows = Orders | Board  # rows of a way and a count


class LiveGame:
    """A game from its seed. ``up`` is the player to be asked next, or None once the game is over."""

    def __init__(
        self, size: int, rounds: int, seed: int, asked: Collection[int] = (), t800s: Collection[int] = ()
    ) -> None:
        self.size = size
        self.rounds = rounds
        self._play = play()
        self._rows = GAME.layout.rows(1)
        GAME.layout.write(GAME.blank(0, edge=size, rounds=rounds), self._rows, 0)
        self._dice = np.array(Chance.at(seed, 0).lanes, np.int64)
        self._own = np.array(Chance.at(seed, 1).lanes, np.int64)
        self._log = TurnLog.of(1024, 1 << 14)
        opening = self._rows.copy()
        self._play.advance(opening, np.full(MAX_SQUARES, ASKED, np.int64), self._dice.copy(), self._own, self._log)
        self.opening = self._shaped(opening["owner"][0])
        self.turn_order: list[int] = opening["turn_order"][0][: size * size].tolist()
        self._kinds = np.full(MAX_SQUARES, ZOMBIE, np.int64)
        self._kinds[list(t800s)] = T800
        self._kinds[list(asked)] = ASKED
        self.up: int | None = None
        self._advance()

    def _advance(self) -> None:
        while (up := self._play.advance(self._rows, self._kinds, self._dice, self._own, self._log)) == FULL:
            self._log = self._log.grown()
        self.up = None if up == OVER else int(up)

    def _shaped(self, squares: Any) -> Board:
        count = self.size * self.size
        return np.array(squares[:count], np.int64).reshape(self.size, self.size)

    @property
    def round(self) -> int:
        """Rounds that are over."""
        return int(self._rows["round"][0])

    @property
    def owners(self) -> Board:
        """A copy of the board's owners."""
        return self._shaped(self._rows["owner"][0])

    @property
    def numbers(self) -> Board:
        """A copy of the board's numbers of pieces."""
        return self._shaped(self._rows["pieces"][0])

    @property
    def question(self) -> bytes:
        """What a bot's process is asked: rounds left after this one, owners and numbers, as int16."""
        count = self.size * self.size
        row = self._rows[0]
        left = np.array([self.rounds - 1 - int(row["round"])], np.int16)
        return np.concatenate((left, row["owner"][:count], row["pieces"][:count]), dtype=np.int16).tobytes()

    def take(self, ways: OrderRows) -> str | None:
        """The turn of the player that is up. If an order is illegal nothing moves, and the reason comes back."""
        orders = np.asarray(ways, np.int64).reshape(-1, 2)
        wrong = self._play.take(self._rows, orders[:, 0].copy(), orders[:, 1].copy(), self._dice, self._log)
        reason = None if wrong < 0 else self._why_not(orders)
        self._advance()
        return reason

    def _why_not(self, orders: Board) -> str:
        """Why the last turn's orders were refused."""
        up = int(self._log.turns[self._log.used[0] - 1][OWNER])
        owner, pieces = self._log.before[:, : self.size**2].tolist()
        try:
            check_orders([(way, count) for way, count in orders.tolist()], up, owner, pieces, self.size)
        except BadOrders as reason:
            return str(reason)
        return "its orders make no sense"

    @property
    def scores(self) -> dict[int, int]:
        """Squares by owner, for those that own any."""
        squares = self._rows["squares_of"][0]
        return {int(owner): int(squares[owner]) for owner in squares.nonzero()[0]}

    @property
    def winners(self) -> list[int]:
        scores = self.scores
        return [owner for owner, score in scores.items() if score == max(scores.values())]

    def _changes(self, changes: Any, used: int) -> Board:
        """Changes as rows (i, j, new)."""
        rows, columns = np.divmod(changes[:used, 0], self.size)
        return np.column_stack((rows, columns, changes[:used, 1]))

    def record(self) -> dict[str, Any]:
        """The game as it is replayed: arrays of the opening, and the changes of every turn as arrays (i, j, new)."""
        log = self._log
        turns, owner_changes, number_changes = log.used.tolist()
        owners = self._changes(log.owners, owner_changes)
        numbers = self._changes(log.numbers, number_changes)
        diffs, first_owner, first_number = [], 0, 0
        for turn in log.turns[:turns].tolist():
            diffs.append(
                {
                    "round": turn[ROUND],
                    "owner": turn[OWNER],
                    "owners": owners[first_owner : turn[OWNERS_END]],
                    "numbers": numbers[first_number : turn[NUMBERS_END]],
                }
            )
            first_owner, first_number = turn[OWNERS_END], turn[NUMBERS_END]
        return {"owners": self.opening, "numbers": np.full_like(self.opening, PIECES), "diffs": diffs}

    def to_json(self) -> str:
        """The same as text."""
        owners, numbers = json.dumps(self.opening.tolist()), json.dumps(np.full_like(self.opening, PIECES).tolist())
        return f'{{"owners": {owners}, "numbers": {numbers}, "diffs": {diffs_json(self._log, self.size)}}}'
