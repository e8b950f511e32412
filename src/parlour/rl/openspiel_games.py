"""OpenSpiel: every game as a Python game there, so that its algorithms run on ours.

Chance is explicit, as OpenSpiel calls it: each throw or draw is a chance node with every outcome and its probability.
Whoever walks through a game draws from them, so dice are theirs to seed, and a state is what its history says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from parlour.engine import registry
from parlour.engine.compiled.course import payoffs
from parlour.engine.errors import IllegalAction
from parlour.engine.features import split
from parlour.engine.game import Game
from parlour.engine.outcomes import OPENING, Asked, asks_chance, play_told
from parlour.engine.secrets import hidden
from parlour.engine.seen import WATCHER
from parlour.engine.state import State
from parlour.rl.learner_actions import LearnerActions
from parlour.rl.versions import versioned_name

LONGEST = 2**31 - 1
WIDEST = 256  # outcomes of a chance node: one of more numbers than that is drawn in several nodes


def register() -> list[str]:
    """Register all games that are not registered yet, also under names with the version; the names of all."""
    known = set(pyspiel.registered_names())
    for game in registry.all_games():
        for name in (name_of(game), versioned_name(game)):
            if name not in known:
                kind = make_game_class(game, name)
                pyspiel.register_game(kind.kind, kind)
    return [name_of(game) for game in registry.all_games()]


def name_of(game: Game) -> str:
    return f"parlour_{game.name}"


def make_game_class(played: Game, name: str) -> Any:
    """The class that OpenSpiel makes games of. It takes ``players`` and the game's options as parameters."""
    fewest, most = max(played.seats[0], 1), played.seats[1]
    usual = played.resolve_seats(None, played.resolve_options({}))
    modes, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    parameters = {"players": usual, **{option.name: int(option.default) for option in played.options}}
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=f"{played.title} (Parlour)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if asks_chance(played) else modes.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if played.has_secrets else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if most > 1 and fewest > 1 else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )

    class ParlourGame(pyspiel.Game):
        """One of our games, for OpenSpiel."""

        kind = game_type

        def __init__(self, given: dict[str, Any] | None = None) -> None:
            settings = {**parameters, **(given or {})}
            self.played, self.actions = played, LearnerActions(played)
            self.options: dict[str, Any] = {option.name: settings[option.name] for option in played.options}
            self.seats = played.resolve_seats(settings["players"], played.resolve_options(self.options))
            info = pyspiel.GameInfo(
                num_distinct_actions=self.actions.size,
                max_chance_outcomes=WIDEST if game_type.chance_mode == modes.EXPLICIT_STOCHASTIC else 0,
                num_players=self.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0 if game_type.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
                max_game_length=min(played.ply_limit, LONGEST),
            )
            super().__init__(game_type, info, given or {})

        def new_initial_state(self, state: Any = None) -> ParlourState:
            return ParlourState(self)

        def __reduce__(self) -> tuple[Any, ...]:
            return _loaded, (str(self),)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(self.played)

    return ParlourGame


def _loaded(name: str) -> Any:
    """The game that OpenSpiel calls so, in whatever process."""
    register()
    return pyspiel.load_game(name)


def _state_of(name: str, kept: str) -> Any:
    return _loaded(name).deserialize_state(kept)


class ParlourState(pyspiel.State):
    """A position, for OpenSpiel; or what chance has to draw before there is one."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.played: Game = game.played
        self.actions: LearnerActions = game.actions
        self.state: State = self.played.blank(game.seats, **game.options)
        self._begin(OPENING)

    def __reduce__(self) -> tuple[Any, ...]:
        return _state_of, (str(self.get_game()), self.serialize())

    def _begin(self, action: int) -> None:
        """Play the action as far as that goes without chance."""
        self.waits_for: int | None = action  # what chance has a part in
        self.draws: tuple[int, ...] = ()  # what chance has answered so far
        self._go_on()

    def _go_on(self) -> None:
        assert self.waits_for is not None
        try:
            self.state = play_told(self.played, self.state, self.waits_for, self.draws)
            self.waits_for = None
        except Asked as asked:
            self.low, self.width = 0, asked.many  # the numbers that can still be drawn

    @property
    def _step(self) -> int:
        """How many of these numbers belong to one outcome of the chance node."""
        step = 1
        while self.width > step * WIDEST:
            step *= WIDEST
        return step

    def current_player(self) -> int:
        if self.waits_for is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.state.over else int(self.state.to_move)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        starts = range(0, self.width, self._step)
        return [(outcome, min(self._step, self.width - start) / self.width) for outcome, start in enumerate(starts)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.actions.named(self.played.legal_actions(self.state))

    def _apply_action(self, chosen: int) -> None:
        if self.waits_for is not None:
            self._draw(chosen)
            return
        action = self.actions.action(self.played.legal_actions(self.state), chosen)
        if action is None:
            mover = int(self.state.to_move)
            raise IllegalAction(chosen, f"seat {mover} may not choose it", self.seen_by(mover))
        self._begin(action)

    def _draw(self, outcome: int) -> None:
        step, start = self._step, outcome * self._step
        if not 0 <= start < self.width:
            raise IllegalAction(outcome, "it is not an outcome of this chance node", self.seen_by(WATCHER))
        self.low, self.width = self.low + start, min(step, self.width - start)
        if self.width == 1:
            self.draws = (*self.draws, self.low)
            self._go_on()

    def _action_to_string(self, player: int, chosen: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            start = self.low + chosen * self._step
            last = min(start + self._step, self.low + self.width) - 1
            return f"draws {start}" if last == start else f"draws one of {start} to {last}"
        action = self.actions.action(self.played.legal_actions(self.state), chosen)
        return self.played.words.write(self.seen_by(player), action) if action is not None else str(chosen)

    def seen_by(self, player: int) -> State:
        """The position as that seat knows it, as a copy; once the match is over, all of it."""
        return self.state.copy() if self.state.over else hidden(self.played, self.state, player)

    def told_to(self, player: int) -> str:
        """What a player is told of a position; in a game with secrets, without what chance has drawn."""
        if not self.played.has_secrets:
            return str(self)
        if self.waits_for == OPENING:
            return "the opening"
        return str(self.played.looks.board(self.seen_by(player), ascii=True).plain)

    def is_terminal(self) -> bool:
        return bool(self.state.over)

    def returns(self) -> list[float]:
        seats = int(self.state.seats)
        if not self.state.over:
            return [0.0] * seats
        winners, table = self.played.winners(self.state), payoffs(seats)
        return [float(table[len(winners), int(seat in winners)]) for seat in range(seats)]

    def __str__(self) -> str:
        if self.waits_for is None:
            return str(self.played.looks.board(self.state, ascii=True).plain)
        drawn = f"chance draws: {[*self.draws]}, then one of {self.low} to {self.low + self.width - 1}"
        if self.waits_for == OPENING:
            return f"the opening; {drawn}"
        return f"{self.played.looks.board(self.state, ascii=True).plain}\naction {self.waits_for}; {drawn}"


class Observer:
    """What OpenSpiel's learners see: the game's features, as one tensor and by their names."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.tensor = np.zeros(game.observation_size, np.float32)
        self.dict = split(game.features, self.tensor)

    def set_from(self, state: ParlourState, player: int) -> None:
        self.tensor[:] = 0 if state.waits_for == OPENING else self._game.observed(state.seen_by(player), player)

    def string_from(self, state: ParlourState, player: int) -> str:
        return state.told_to(player)
