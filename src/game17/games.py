"""What a game is, before and after: a job, an outcome, and whoever can make one of the other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from parlour.bots.box.own_numbers import own_numbers
from parlour.engine.errors import BadOption
from parlour.games.game17 import GAME


@dataclass(frozen=True)
class GameSetting:
    """How games are played: the edge of the board, the rounds, and the seed of everything."""

    size: int = 14
    rounds: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, option in (("board size", self.size, "edge"), ("number of rounds", self.rounds, "rounds")):
            taken = next(known for known in GAME.options if known.name == option)
            if isinstance(value, bool) or not isinstance(value, int) or not taken.low <= value <= taken.high:
                raise BadOption(f"the {name} is {taken.low} to {taken.high}, not {value!r}")

    def seed_of(self, label: str) -> int:
        """The seed of one game, by its name."""
        digest = hashlib.sha256(f"game17:{self.seed}:{label}".encode()).digest()
        return int.from_bytes(digest[:8], "little")

    def seed_for_bot(self, label: str, owner: int) -> int:
        """The seed of one player's generators in a game, which tells nothing of the game's own."""
        return int.from_bytes(own_numbers(f"game17:{self.seed}:{label}:{owner}")[:8], "little")

    def check_players(self, players: Iterable[int]) -> None:
        """Everyone needs a square to begin with."""
        last = max(players, default=0)
        if last >= self.size**2:
            board = f"a board of {self.size} by {self.size}"
            raise BadOption(f"{board} has squares for players up to {self.size**2 - 1}, not for player {last}")


@dataclass(frozen=True)
class GameJob:
    """One game to play. ``label`` names it, and with the seed decides its dice; ``seats`` are the ids and players."""

    label: str
    seats: tuple[tuple[int, int], ...]  # the id on the board, and the player of the crew who has it

    @classmethod
    def of(cls, label: str, players: Iterable[int]) -> GameJob:
        """A game in which every player has its own id."""
        return cls(label, tuple((player, player) for player in players))


@dataclass(frozen=True)
class Outcome:
    """How a game ended, by id on the board."""

    scores: dict[int, int]
    times: dict[int, float]  # mean seconds per call; -1 for a player that was never called
    record: str  # the replay file
    lost: dict[int, list[str]] = field(default_factory=dict)  # turns: the round and the reason of each
    given_up: frozenset[int] = frozenset()  # those that have missed too many deadlines

    @property
    def game(self) -> dict[str, Any]:
        """The record, as it is replayed."""
        game: dict[str, Any] = json.loads(self.record)
        return game

    @property
    def winners(self) -> list[int]:
        most = max(self.scores.values())
        return [owner for owner, score in self.scores.items() if score == most]

    def is_too_slow(self, player: int, threshold: float) -> bool:
        """Whether the player is banned for this game."""
        return player in self.given_up or 0 < threshold < self.times[player]


class Crew(Protocol):
    """Players, by number, and the means to let them play."""

    @property
    def players(self) -> Sequence[int]: ...

    def play(self, jobs: Sequence[GameJob]) -> Generator[Outcome, None, None]:
        """The outcomes of the jobs, in their order. Whoever has seen enough closes the iterator."""
