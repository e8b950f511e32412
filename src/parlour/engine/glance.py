"""A game at a glance: what somebody wants to know who has to choose one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from parlour.engine.errors import BadGame

if TYPE_CHECKING:
    from parlour.engine.game import Game

Difficulty = Literal["easy", "medium", "hard"]
Luck = Literal["luck", "both", "skill"]

DIFFICULTIES, LUCKS = get_args(Difficulty), get_args(Luck)


class Glance(Struct, frozen=True):
    """How long a match takes, in minutes from and to; how hard the game is to learn; what decides it."""

    minutes: tuple[int, int]
    difficulty: Difficulty
    luck: Luck

    def __post_init__(self) -> None:
        low, high = self.minutes
        if not 0 < low <= high:
            raise BadGame(f"the minutes of a glance are the fewest and the most, not {self.minutes}")
        for name, known in (("difficulty", DIFFICULTIES), ("luck", LUCKS)):
            if (given := getattr(self, name)) not in known:
                raise BadGame(f"the {name} of a glance is {', '.join(known[:-1])} or {known[-1]}, not {given!r}")


def newcomers_first(games: Iterable[Game]) -> list[Game]:
    """The games as they suit newcomers: the easiest first, of these the shortest; last what says nothing of it."""
    return sorted(games, key=_place)


def _place(game: Game) -> tuple[int, int, str]:
    if game.glance is None:
        return len(DIFFICULTIES), 0, game.name
    return DIFFICULTIES.index(game.glance.difficulty), sum(game.glance.minutes), game.name
