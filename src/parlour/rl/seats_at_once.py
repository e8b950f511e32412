"""PettingZoo, all agents at once: what those choose who are asked is played, what the others choose is not heard.

Where several seats choose at the same time, all of these are asked in one cycle; else it is the seat to move. It can be
cut after a number of cycles.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.rl.episodes import RAISE
from parlour.rl.seats_env import SeatsEnv

PerAgent = dict[str, Any]


class SeatsAtOnceEnv(ParallelEnv):
    """A match in which every agent is asked in every cycle."""

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        max_cycles: int | None = None,
        illegal: str = RAISE,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._seats = SeatsEnv(game, seats, illegal=illegal, render_mode=render_mode, **options)
        self.render_mode, self.max_cycles = render_mode, max_cycles
        self.metadata = {**self._seats.metadata, "is_parallelizable": True}
        self.possible_agents = self._seats.possible_agents
        self.observation_spaces, self.action_spaces = self._seats.observation_spaces, self._seats.action_spaces

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: PerAgent | None = None) -> tuple[PerAgent, PerAgent]:
        self._seats.reset(seed, options)
        self.agents, self.cycles = self.possible_agents[:], 0
        return self._observed(), {agent: {} for agent in self.agents}

    def _observed(self) -> PerAgent:
        self._choosing = self._seats.episodes.choosing
        return {agent: self._observe(seat) for seat, agent in enumerate(self.possible_agents)}

    def _observe(self, seat: int) -> PerAgent:
        """What a seat sees; where several choose at the same time, none of them sees that others have chosen."""
        if self._choosing is None or seat not in self._choosing.asked:
            return self._seats.observe(self.possible_agents[seat])
        observation, mask = self._seats.episodes.seen_at_once(self._choosing, seat)
        return {"observation": observation, "action_mask": mask}

    def step(self, actions: PerAgent) -> tuple[PerAgent, PerAgent, PerAgent, PerAgent, PerAgent]:
        if not self.agents:
            raise ParlourError("the match is over: reset() begins the next one")
        for _ in range(1 if self._choosing is None else len(self._choosing.asked)):
            if not (self._seats.episodes.over or self._seats.episodes.cut):
                self._seats.step(actions[self._seats.agent_selection])
        self.cycles += 1
        agents = self.agents
        ended = self._seats.episodes.over
        cut = not ended and (self._seats.episodes.cut or self.cycles == self.max_cycles)
        self.agents = [] if ended or cut else agents
        return (
            self._observed(),
            dict(self._seats.rewards),
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )

    def render(self) -> Any:
        return self._seats.render()

    def close(self) -> None:
        """There is nothing to close."""
