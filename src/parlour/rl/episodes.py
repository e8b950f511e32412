"""One match as all environments need it: observations, masks, rewards, and what becomes of an illegal action."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from parlour.engine import registry
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.compiled.course import payoffs
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.rl.learner_actions import LearnerActions

RAISE, LOSE, RANDOM = "raise", "lose", "random"  # what becomes of an illegal action
RENDER_MODES = ("ansi", "svg")
FREE_SEEDS = 2**63


class Episodes:
    """Where one match after another is played."""

    def __init__(
        self, game: Game | str, seats: int | None, illegal: str, render_mode: str | None, options: dict[str, Any]
    ) -> None:
        self.game = registry.get(game) if isinstance(game, str) else game
        self.options: dict[str, Any] = self.game.resolve_options(options)
        self.seats = self.game.resolve_seats(seats, self.options)
        if not self.seats:
            raise ParlourError(f"a learner needs a seat: {self.game.name} has none here")
        if illegal not in (RAISE, LOSE, RANDOM):
            raise ParlourError(f"illegal is {RAISE!r}, {LOSE!r} or {RANDOM!r}, not {illegal!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ParlourError(f"render_mode is {' or '.join(map(repr, RENDER_MODES))}, not {render_mode!r}")
        self.illegal, self.render_mode = illegal, render_mode
        self.actions = LearnerActions(self.game)
        self._payoffs = payoffs(self.seats)
        self._seeds = np.random.default_rng()
        self.begin(None)

    def begin(self, seed: int | None) -> None:
        """A new match. A seed settles this match and all that follow it."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        number = int(self._seeds.integers(FREE_SEEDS))
        self.match = Match(self.game, self.seats, number, **self.options)
        self.chance = Chance.of_game(number, 0, POLICY_STREAM)  # for whoever plays at random
        self.loser: int | None = None  # who has lost by an illegal action

    @property
    def over(self) -> bool:
        return self.match.over or self.loser is not None

    @property
    def cut(self) -> bool:
        """The match has as many plies as the game allows, and no end."""
        return not self.over and int(self.match.state.ply) >= self.game.ply_limit

    def play(self, chosen: Any) -> None:
        """Play what a learner in the seat to move has chosen."""
        legal = self.match.legal()
        if isinstance(chosen, bool) or not isinstance(chosen, int | np.integer):
            raise IllegalAction(chosen, "an action is a whole number", self.match.state.copy())
        action = self.actions.action(legal, int(chosen))
        if action is None and self.illegal == LOSE:
            self.loser = self.match.to_move
            return
        if action is None and self.illegal == RAISE:
            raise IllegalAction(int(chosen), f"seat {self.match.to_move} may not choose it", self.match.state.copy())
        self.match.play(legal[self.chance.below(len(legal))] if action is None else action)

    def rewards(self) -> list[float]:
        """What the match is worth to each seat once it is over; 0 before."""
        if self.loser is not None:
            others = 1 / (self.seats - 1) if self.seats > 1 else 0.0
            return [-1.0 if seat == self.loser else others for seat in range(self.seats)]
        if not self.match.over:
            return [0.0] * self.seats
        winners = self.match.winners
        return [float(self._payoffs[len(winners), int(seat in winners)]) for seat in range(self.seats)]

    def observation(self, seat: int) -> Any:
        return np.array(self.match.seen_by(seat).observation, self.game.observation_type)

    def mask(self, seat: int) -> Any:
        """What the seat may choose now: nothing where another is to move."""
        return self.actions.mask([] if self.over else self.match.seen_by(seat).legal)

    def render(self) -> str | None:
        """The picture as SVG, or the board as text."""
        if self.render_mode is None:
            return None
        seen = self.match.seen_by(None)
        return seen.picture if self.render_mode == "svg" else str(self.match)


def observation_space(game: Game) -> spaces.Box:
    """All features, each within its range."""
    kind = np.dtype(game.observation_type)
    sizes = [feature.size for feature in game.features]
    low = np.repeat([feature.low for feature in game.features], sizes).astype(kind)
    high = np.repeat([feature.high for feature in game.features], sizes).astype(kind)
    return spaces.Box(low, high, dtype=kind.type)
