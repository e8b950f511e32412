"""One match as all environments need it: observations, masks, rewards, and what becomes of an illegal action."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from parlour.engine import registry
from parlour.engine.batch import Batch
from parlour.engine.bots import Decision
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.choosing import Choosing
from parlour.engine.compiled.course import payoffs
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.secrets import hidden
from parlour.engine.state import State
from parlour.engine.whole_numbers import whole_number
from parlour.rl.learner_actions import LearnerActions
from parlour.rl.pixels import pixels

RAISE, LOSE, RANDOM = "raise", "lose", "random"  # what becomes of an illegal action
RENDER_MODES = ("ansi", "svg", "rgb_array", "human")
FREE_SEEDS = 2**63


class Episodes:
    """Where one match after another is played: the only row of a batch, so the rules run compiled."""

    def __init__(
        self, game: Game | str, seats: int | None, illegal: str, render_mode: str | None, options: dict[str, Any]
    ) -> None:
        self.game = registry.get(game) if isinstance(game, str) else game
        self.options: dict[str, Any] = dict(self.game.resolve_options(options))
        self.seats = self.game.resolve_seats(seats, self.options)
        if not self.seats:
            raise ParlourError(f"a learner needs a seat: {self.game.name} has none here")
        if illegal not in (RAISE, LOSE, RANDOM):
            raise ParlourError(f"illegal is {RAISE!r}, {LOSE!r} or {RANDOM!r}, not {illegal!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ParlourError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.illegal, self.render_mode = illegal, render_mode
        self.actions = LearnerActions(self.game)
        self._payoffs = payoffs(self.seats)
        self._batch = Batch(self.game, 1, self.seats, **self.options)
        self._seeds = np.random.default_rng()
        self.begin(None)

    def begin(self, seed: int | None) -> None:
        """A new match. A seed settles this match and all that follow it."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.seed = int(self._seeds.integers(FREE_SEEDS))
        self._batch.reset(seed=self.seed)
        self.played: list[int] = []
        self._legal: list[int] | None = None
        self._match: Match | None = None
        self.chance = Chance.of_game(self.seed, 0, POLICY_STREAM)  # for whoever plays at random
        self.loser: int | None = None  # who has lost by an illegal action
        self._look()

    def _look(self) -> None:
        """Note how the match stands."""
        state = self._batch.states[0]
        self.to_move, self._ended = int(state["to_move"]), bool(state["over"])
        self._legal = None

    @property
    def over(self) -> bool:
        return self._ended or self.loser is not None

    @property
    def cut(self) -> bool:
        """The match has as many plies as the game allows, and no end."""
        return not self.over and len(self.played) >= self.game.ply_limit

    @property
    def legal(self) -> list[int]:
        """The actions that the seat to move may choose; none once the match is over."""
        if self.over:
            return []
        if self._legal is None:
            self._legal = self._batch.legal(0)
        return self._legal

    def decision(self) -> Decision:
        """What a bot in the seat to move is asked."""
        if self.game.has_secrets:
            return self.match.seen_by(self.to_move).decision(self.chance)
        return Decision(self.game, self._batch.state(0), self.legal, self.chance, actions=self.played[:])

    @property
    def choosing(self) -> Choosing | None:
        """Several seats that choose at the same time; None where one does."""
        if self.over or self.game.may_act is None:
            return None
        return Choosing.at(self.game, self._batch.state(0))

    def known(self, seat: int) -> State:
        """The position as that seat knows it; once the match is over, all of it."""
        state = self._batch.state(0)
        return state if self.over else hidden(self.game, state, seat)

    @property
    def match(self) -> Match:
        """The same match with its story and its picture. It plays along only when it is asked for, as that is slow."""
        if self._match is None:
            options: dict[str, Any] = self.options
            self._match = Match(self.game, self.seats, self.seed, stream=0, **options)
        for action in self.played[len(self._match.plies) :]:
            self._match.repeat(action)
        return self._match

    def play(self, chosen: Any) -> None:
        """Play what a learner in the seat to move has chosen."""
        if self.over or self.cut:
            raise ParlourError("the match is over: reset() begins the next one")
        number = whole_number(chosen)
        if number is None:
            raise IllegalAction(chosen, "an action is a whole number", self.known(self.to_move))
        action = self.actions.action(self.legal, number)
        if action is None and self.illegal == LOSE:
            self.loser = self.to_move
            return
        if action is None and self.illegal == RAISE:
            raise IllegalAction(number, f"seat {self.to_move} may not choose it", self.known(self.to_move))
        self.play_legal(self.legal[self.chance.below(len(self.legal))] if action is None else action)

    def play_legal(self, action: int) -> None:
        """Play an action of the game."""
        self._batch.step([action])
        self.played.append(action)
        self._look()

    def rewards(self) -> list[float]:
        """What the match is worth to each seat once it is over; 0 before."""
        if self.loser is not None:
            others = 1 / (self.seats - 1) if self.seats > 1 else 0.0
            return [-1.0 if seat == self.loser else others for seat in range(self.seats)]
        if not self.over:
            return [0.0] * self.seats
        won = self._batch.winners()[0].tolist()
        return [float(self._payoffs[sum(won), int(won[seat])]) for seat in range(self.seats)]

    def observation(self, seat: int) -> Any:
        if self.game.has_secrets:
            return np.array(self.game.observed(self.known(seat), seat), self.game.observation_type)
        return self._batch.observe(seat)[0]

    def mask(self, seat: int) -> Any:
        """What the seat may choose now: nothing where another is to move."""
        return self.actions.mask(self.legal if seat == self.to_move else [])

    def seen_at_once(self, choosing: Choosing, seat: int) -> tuple[Any, Any]:
        """The observation and the mask of a seat that is asked at the same time as others."""
        known = choosing.position(seat)
        observed = np.array(self.game.observed(known, seat), self.game.observation_type)
        return observed, self.actions.mask(self.game.legal_actions(known))

    def render(self) -> Any:
        """The board as text, the picture as SVG or as pixels; for a human, the board is printed."""
        if self.render_mode is None:
            return None
        seen = self.match.seen_by(None)
        if self.render_mode == "svg":
            return seen.picture
        if self.render_mode == "rgb_array":
            return pixels(seen.picture)
        board = str(seen.board().plain)
        if self.render_mode == "ansi":
            return board
        print(board)
        return None


def observation_space(game: Game) -> spaces.Box:
    """All features, each within its range."""
    kind = np.dtype(game.observation_type)
    sizes = [feature.size for feature in game.features]
    low = np.repeat([feature.low for feature in game.features], sizes).astype(kind)
    high = np.repeat([feature.high for feature in game.features], sizes).astype(kind)
    return spaces.Box(low, high, dtype=kind.type)
