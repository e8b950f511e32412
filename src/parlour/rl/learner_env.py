"""Gymnasium: one learner against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium import spaces

from parlour.bots.roster import make_bot
from parlour.engine.bots import Bot
from parlour.engine.errors import BadSeats, ParlourError
from parlour.engine.game import Game
from parlour.engine.whole_numbers import whole_number
from parlour.rl.episodes import LOSE, RENDER_MODES, Episodes, observation_space
from parlour.rl.versions import versions

ANY_SEAT = "random"
MOST_DEALS = 10_000
FRAMES = 2  # a second, in films of matches


class LearnerEnv(gymnasium.Env[Any, Any]):
    """The learner sits in ``seat``; ``opponents`` take the other seats in order, each a bot's name or a bot.

    With ``seat="random"`` it sits elsewhere in each match; ``info["seat"]`` says where.

    What the learner may choose is in ``info["action_mask"]`` and in ``action_masks()``. An illegal action loses, unless
    ``illegal`` says otherwise.
    """

    def __init__(
        self,
        game: Game | str,
        opponents: Sequence[str | Bot] | None = None,
        *,
        seat: int | str = 0,
        seats: int | None = None,
        illegal: str = LOSE,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        count = len(opponents) + 1 if opponents and seats is None else seats
        self.episodes = Episodes(game, count, illegal, render_mode, options)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES, **versions(self.episodes.game)}
        self.render_mode, self._given_seat = render_mode, seat
        self.seat = 0 if seat == ANY_SEAT else checked_seat(seat, self.episodes.seats)
        self._opponents = list(opponents or ["random"] * (self.episodes.seats - 1))
        if len(self._opponents) != self.episodes.seats - 1:
            raise BadSeats(
                f"{self.episodes.seats} seats take {self.episodes.seats - 1} opponents, not {len(self._opponents)}"
            )
        self.action_space = spaces.Discrete(self.episodes.actions.size)
        self.observation_space = observation_space(self.episodes.game)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        for _ in range(MOST_DEALS):
            self._begin(seed)
            if not self.episodes.over and not self.episodes.cut:
                return self._told()
            seed = None  # the match has ended before the learner had a choice: deal anew
        raise ParlourError(f"of {MOST_DEALS:,} matches, none came to a choice of the learner's")

    def _begin(self, seed: int | None) -> None:
        self.episodes.begin(seed)
        if self._given_seat == ANY_SEAT:
            self.seat = self.episodes.chance.below(self.episodes.seats)
        made = [make_bot(self.episodes.game, bot) if isinstance(bot, str) else bot for bot in self._opponents]
        others = [seat for seat in range(self.episodes.seats) if seat != self.seat]
        self._bots = dict(zip(others, made, strict=True))
        self._let_others_play()

    def _let_others_play(self) -> None:
        """Until the learner is to move."""
        episodes = self.episodes
        while not episodes.over and not episodes.cut and episodes.to_move != self.seat:
            episodes.play_legal(self._bots[episodes.to_move].choose(episodes.decision()))

    def _told(self) -> tuple[Any, dict[str, Any]]:
        return self.episodes.observation(self.seat), {"action_mask": self.action_masks(), "seat": self.seat}

    def action_masks(self) -> Any:
        """1 for each action that the learner may choose now."""
        return self.episodes.mask(self.seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.episodes.play(action)
        self._let_others_play()
        seen, info = self._told()
        return seen, self.episodes.rewards()[self.seat], self.episodes.over, self.episodes.cut, info

    def render(self) -> Any:
        return self.episodes.render()


def checked_seat(seat: object, seats: int) -> int:
    """The seat, if there is one of that number."""
    number = whole_number(seat)
    if number is None:
        raise BadSeats(f"a seat is a whole number or {ANY_SEAT!r}, not {seat!r}")
    if not 0 <= number < seats:
        raise BadSeats(f"there is no seat {number}: the match has {seats}, counted from 0")
    return number
