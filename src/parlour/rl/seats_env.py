"""PettingZoo: an agent for each seat, asked when it is to move."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from parlour.engine.game import Game
from parlour.rl.episodes import RAISE, RENDER_MODES, Episodes, observation_space
from parlour.rl.versions import versioned_name, versions


class SeatsEnv(AECEnv):
    """A match as PettingZoo sees it. Agents are ``seat_0``, ``seat_1`` and so on.

    An observation has the game's features and the mask of what the agent may choose now. ``illegal`` says what becomes
    of another action: "raise" an error, "lose" the match, or play a "random" legal one in its place.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        illegal: str = RAISE,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.episodes = Episodes(game, seats, illegal, render_mode, options)
        self.render_mode = render_mode
        self.metadata = {
            "name": versioned_name(self.episodes.game),
            "render_modes": list(RENDER_MODES),
            **versions(self.episodes.game),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.episodes.seats)]
        seen = spaces.Dict(
            {
                "observation": observation_space(self.episodes.game),
                "action_mask": spaces.Box(0, 1, (self.episodes.actions.size,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(self.episodes.actions.size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.episodes.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return self.possible_agents[self.episodes.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        return {"observation": self.episodes.observation(seat), "action_mask": self.episodes.mask(seat)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.episodes.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.episodes.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, self.episodes.over)
        self.truncations = dict.fromkeys(self.agents, self.episodes.cut)
        self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> Any:
        return self.episodes.render()

    def close(self) -> None:
        """There is nothing to close."""
