"""OpenSpiel: every game as a Python game there, so that its algorithms run on ours.

Chance is sampled, as OpenSpiel calls it: an action that dice or draws have a part in leads to a chance node with one
outcome, and what the dice show is drawn when that is played, anew in every copy of a state.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pyspiel

from parlour.engine import registry
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check import choose
from parlour.engine.compiled.course import payoffs
from parlour.engine.errors import IllegalAction
from parlour.engine.features import split
from parlour.engine.game import Game
from parlour.engine.state import State
from parlour.rl.learner_actions import LearnerActions

LONGEST = 2**31 - 1
OPENING = -1  # in place of an action


def register() -> list[str]:
    """Register all games that are not registered yet; the names of all."""
    known = set(pyspiel.registered_names())
    for game in registry.all_games():
        if name_of(game) not in known:
            kind = make_game_class(game)
            pyspiel.register_game(kind.kind, kind)
    return [name_of(game) for game in registry.all_games()]


def name_of(game: Game) -> str:
    return f"parlour_{game.name}"


def has_chance(game: Game) -> bool:
    """Whether dice or draws have a part in it, as a random match tells."""
    chance, policy = Chance.at(0, 0), Chance.of_game(0, 0, POLICY_STREAM)
    state = game.blank()
    game.open(state, chance)
    while not chance.draws and not state.over and state.ply < 200:
        game.play(state, choose(game, state, policy), chance)
    return chance.draws > 0


def make_game_class(played: Game) -> Any:
    """The class that OpenSpiel makes games of. It takes ``players`` and the game's options as parameters."""
    fewest, most = max(played.seats[0], 1), played.seats[1]
    usual = played.resolve_seats(None, played.resolve_options({}))
    modes = pyspiel.GameType.ChanceMode
    parameters = {"players": usual, **{option.name: int(option.default) for option in played.options}}
    game_type = pyspiel.GameType(
        short_name=name_of(played),
        long_name=f"{played.title} (Parlour)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.SAMPLED_STOCHASTIC if has_chance(played) else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
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
                max_chance_outcomes=1 if game_type.chance_mode == modes.SAMPLED_STOCHASTIC else 0,
                num_players=self.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0 if game_type.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
                max_game_length=min(played.ply_limit, LONGEST),
            )
            super().__init__(game_type, info, given or {})

        def new_initial_state(self, state: Any = None) -> ParlourState:
            return ParlourState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(self.played)

    return ParlourGame


class ParlourState(pyspiel.State):
    """A position, for OpenSpiel."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.played: Game = game.played
        self.actions: LearnerActions = game.actions
        self.state: State = self.played.blank(game.seats, **game.options)
        self.waits_for: int | None = OPENING  # what chance has a part in, and will be played next
        self._play(OPENING)

    def _play(self, action: int) -> None:
        """Play the action, or wait for chance where it has a part in it."""
        after, chance = self.state.copy(), Chance.at(0, 0)
        self._apply_to(after, action, chance)
        self.waits_for = action if chance.draws else None
        self.state = self.state if chance.draws else after

    def _apply_to(self, state: State, action: int, chance: Chance) -> None:
        if action == OPENING:
            self.played.open(state, chance)
        else:
            self.played.play(state, action, chance)

    def current_player(self) -> int:
        if self.waits_for is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.state.over else int(self.state.to_move)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.actions.named(self.played.legal_actions(self.state))

    def _apply_action(self, chosen: int) -> None:
        if self.waits_for is not None:
            self._apply_to(self.state, self.waits_for, Chance.at(secrets.randbits(63), 0))
            self.waits_for = None
        else:
            action = self.actions.action(self.played.legal_actions(self.state), chosen)
            if action is None:
                raise IllegalAction(chosen, f"seat {self.state.to_move} may not choose it", self.state.copy())
            self._play(action)

    def _action_to_string(self, player: int, chosen: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "chance"
        action = self.actions.action(self.played.legal_actions(self.state), chosen)
        return self.played.words.write(self.state, action) if action is not None else str(chosen)

    def is_terminal(self) -> bool:
        return bool(self.state.over)

    def returns(self) -> list[float]:
        seats = int(self.state.seats)
        if not self.state.over:
            return [0.0] * seats
        winners, table = self.played.winners(self.state), payoffs(seats)
        return [float(table[len(winners), int(seat in winners)]) for seat in range(seats)]

    def __str__(self) -> str:
        if self.waits_for == OPENING:
            return "chance makes the opening"
        waiting = "" if self.waits_for is None else f"\nchance plays {self.waits_for}"
        return f"{self.played.looks.board(self.state, ascii=True).plain}{waiting}"


class Observer:
    """What OpenSpiel's learners see: the game's features, as one tensor and by their names."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.tensor = np.zeros(game.observation_size, np.float32)
        self.dict = split(game.features, self.tensor)

    def set_from(self, state: ParlourState, player: int) -> None:
        self.tensor[:] = 0 if state.waits_for == OPENING else self._game.observed(state.state, player)

    def string_from(self, state: ParlourState, player: int) -> str:
        return str(state)
