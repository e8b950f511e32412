"""Gymnasium: one learner against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium import spaces

from parlour.bots.roster import make_bot
from parlour.engine.bots import Bot
from parlour.engine.errors import BadSeats
from parlour.engine.game import Game
from parlour.rl.episodes import LOSE, RENDER_MODES, Episodes, observation_space


class LearnerEnv(gymnasium.Env[Any, Any]):
    """The learner sits in ``seat``; ``opponents`` take the other seats in order, each a bot's name or a bot.

    What the learner may choose is in ``info["action_mask"]`` and in ``action_masks()``. An illegal action loses, unless
    ``illegal`` says otherwise.
    """

    def __init__(
        self,
        game: Game | str,
        opponents: Sequence[str | Bot] | None = None,
        *,
        seat: int = 0,
        seats: int | None = None,
        illegal: str = LOSE,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        count = len(opponents) + 1 if opponents and seats is None else seats
        self.episodes = Episodes(game, count, illegal, render_mode, options)
        self.metadata = {"render_modes": list(RENDER_MODES)}
        self.render_mode, self.seat = render_mode, seat
        if not 0 <= seat < self.episodes.seats:
            raise BadSeats(f"there is no seat {seat}: the match has {self.episodes.seats}, counted from 0")
        self._opponents = list(opponents or ["random"] * (self.episodes.seats - 1))
        if len(self._opponents) != self.episodes.seats - 1:
            raise BadSeats(
                f"{self.episodes.seats} seats take {self.episodes.seats - 1} opponents, not {len(self._opponents)}"
            )
        self.action_space = spaces.Discrete(self.episodes.actions.size)
        self.observation_space = observation_space(self.episodes.game)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.episodes.begin(seed)
        made = [make_bot(self.episodes.game, bot) if isinstance(bot, str) else bot for bot in self._opponents]
        self._bots = dict(zip(self._others(), made, strict=True))
        self._let_others_play()
        return self._told()

    def _others(self) -> list[int]:
        return [seat for seat in range(self.episodes.seats) if seat != self.seat]

    def _let_others_play(self) -> None:
        """Until the learner is to move."""
        match = self.episodes.match
        while not self.episodes.over and not self.episodes.cut and match.to_move != self.seat:
            match.play(
                int(self._bots[match.to_move].choose(match.seen_by(match.to_move).decision(self.episodes.chance)))
            )

    def _told(self) -> tuple[Any, dict[str, Any]]:
        return self.episodes.observation(self.seat), {"action_mask": self.action_masks()}

    def action_masks(self) -> Any:
        """1 for each action that the learner may choose now."""
        return self.episodes.mask(self.seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.episodes.play(action)
        self._let_others_play()
        seen, info = self._told()
        return seen, self.episodes.rewards()[self.seat], self.episodes.over, self.episodes.cut, info

    def render(self) -> str | None:
        return self.episodes.render()
