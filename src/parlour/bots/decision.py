"""The protocol: what a bot is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.state import State


@dataclass(frozen=True)
class Clock:
    """The time a bot has: seconds for this action, and a bank to draw on when they do not suffice. None: no limit."""

    seconds: float | None = None
    bank: float = 0.0


@dataclass(frozen=True)
class Decision:
    """One choice to make. The state is a copy: a bot may try things on it."""

    game: Game
    state: State
    legal: Sequence[int]  # ascending, at least one
    chance: Chance  # the bot's own generator; it knows nothing of the match's dice
    clock: Clock = field(default_factory=Clock)
    actions: Sequence[int] = ()  # all that was played before

    @property
    def seat(self) -> int:
        """The seat that the bot plays."""
        return int(self.state.to_move)

    def text(self, action: int) -> str:
        """An action in the game's notation."""
        return self.game.write(self.state, action)


class Bot(Protocol):
    """Anything that can choose. A bot is made for one seat of one match."""

    def choose(self, decision: Decision) -> int: ...
