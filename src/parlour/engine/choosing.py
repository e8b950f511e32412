"""Choosing at the same time: several seats are asked at once, and what each chooses is sealed until all have chosen.

To the rules it is play in turn, in which nobody sees what the others have chosen: an action of a seat that may act is
kept in the state, where ``hide`` leaves it to that seat alone, and the last one resolves all. So nothing that is
compiled, and no search, has to know of it. Here is what people notice: each may choose first, and may choose again
until all have. A match keeps the position in which nobody has chosen yet. Whatever comes in, it plays from there, in
the order in which the rules would ask, so that neither the order nor a choice that was replaced leaves a trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from parlour.engine.chance import NoChance
from parlour.engine.secrets import hidden
from parlour.engine.state import UNKNOWN, State

if TYPE_CHECKING:
    from parlour.engine.game import Game


@dataclass(frozen=True)
class Choosing:
    """Who is asked at once, from which position, and what each has chosen so far."""

    game: Game
    start: State  # nobody has chosen yet; not to be changed
    asked: tuple[int, ...]
    sealed: Mapping[int, int]  # the action of each seat that has chosen

    @classmethod
    def at(cls, game: Game, state: State) -> Choosing | None:
        """Several seats may choose in this position; None where it is one."""
        asked = tuple(game.waits_for(state))
        return cls(game, state, asked, {}) if len(asked) > 1 else None

    @property
    def is_complete(self) -> bool:
        return len(self.sealed) == len(self.asked)

    def position(self, seat: int, *, is_hidden: bool = True) -> State:
        """The position in which that seat chooses, as a copy: what it knows when the rules ask it.

        Those whom they ask before have chosen there, and nobody else, whoever has by now. What they choose is hidden,
        so it does not matter what that is.
        """
        state = self.start.copy()
        if is_hidden:
            for _ in self.asked:
                if state.to_move == seat:
                    break
                self.game.play(state, self.game.legal_actions(state)[0], NoChance())
            state = hidden(self.game, state, seat)
        state.to_move = seat
        return state

    def ply(self, seat: int) -> int:
        """That of this seat's choice, in the order in which the rules ask."""
        return int(self.position(seat).ply)

    def having(self, seat: int, action: int) -> Choosing:
        """The same with the choice of that seat, in place of what it has chosen before."""
        return replace(self, sealed={**self.sealed, seat: action})

    def known_to(self, seat: int) -> Choosing:
        """What a seat knows of it: who has chosen, and its own choice."""
        sealed = {other: action if other == seat else UNKNOWN for other, action in self.sealed.items()}
        start = self.position(seat) if seat in self.asked else hidden(self.game, self.start, seat)
        return replace(self, start=start, sealed=sealed)

    def in_order(self, state: State) -> Iterator[tuple[int, int]]:
        """The choices so far, in the order in which the rules ask. Whoever asks plays each in ``state``."""
        left = dict(self.sealed)
        while left:
            seat = state.to_move if state.to_move in left else min(left)
            state.to_move = seat
            yield seat, left.pop(seat)
