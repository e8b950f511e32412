"""Gymnasium: many matches at once, in which the learner meets others: fixed ones, frozen selves, or a mix of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from parlour.bots.roster import make_bot
from parlour.engine.bots import Bot, Decision
from parlour.engine.chance import Chance
from parlour.engine.errors import ParlourError
from parlour.rl.batch_env import BatchEnv, Info
from parlour.rl.learner_env import ANY_SEAT, MOST_DEALS, checked_seat
from parlour.rl.random_play import random_legal

LEARNER, RANDOM = "learner", "random"
IS_LEARNER = -1  # in place of an opponent's number
Policy = Callable[[Any, Any], Any]  # of observations and masks, an action for each
Opponent = str | Policy | Bot


class AgainstEnv(BatchEnv):
    """In every match the learner has one seat, and each other seat is an opponent, drawn by lot from ``opponents``.

    An opponent is a function that takes observations and masks and returns actions (a frozen policy), a bot's name, a
    bot, or ``"learner"``: then the learner plays that seat, too. One that is named twice is drawn twice as often.
    ``opponents`` can be set at any time; who sits there already plays on to the end of the match.

    Every step is one choice of the learner's: the others have played when it returns. Its reward is what the match was
    worth to the seat that acted, up to its next choice. ``info`` has the rewards of all seats, and ``learner``: which
    seats are the learner's.
    """

    def __init__(
        self,
        game: Any,
        num_envs: int,
        *,
        opponents: Opponent | Sequence[Opponent],
        seat: int | str = ANY_SEAT,
        device: str = "cpu",
        **given: Any,
    ) -> None:
        if device != "cpu":
            raise ParlourError("opponents play on the CPU: leave device out, or let whoever is to move act yourself")
        super().__init__(game, num_envs, **given)
        if self.batch.seats < 2:
            raise ParlourError("an opponent needs a seat: give seats=2 or more")
        self._seat = None if seat == ANY_SEAT else checked_seat(seat, self.batch.seats)
        self.opponents = opponents
        self._known: list[Opponent] = []  # all that were ever drawn, by their numbers
        self._who = np.full((num_envs, self.batch.seats), IS_LEARNER)
        self._bots: dict[tuple[int, int], Bot] = {}
        self._luck = np.random.default_rng()
        self._ended_rows = np.zeros(num_envs, np.bool_)  # matches that nobody plays on

    @property
    def opponents(self) -> list[Opponent]:
        """Who may sit in the other seats of the matches that begin from now on."""
        return list(self._opponents)

    @opponents.setter
    def opponents(self, given: Opponent | Sequence[Opponent]) -> None:
        listed = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        for each in listed:
            if isinstance(each, str) and each not in (LEARNER, RANDOM):
                make_bot(self.batch.game, each)  # or it says why there is no such bot
            elif not isinstance(each, str) and not callable(each) and not hasattr(each, "choose"):
                raise ParlourError(f"an opponent is a bot, its name, or a function of observations and masks: {each!r}")
        if not listed:
            raise ParlourError("opponents are one or more: whoever shall play alone leaves them out")
        self._opponents: list[Opponent] = listed

    def reset(self, *, seed: int | list[int | None] | None = None, options: Info | None = None) -> tuple[Any, Info]:
        rows = (options or {}).get("reset_mask")
        super().reset(seed=seed, options=options)
        self._luck = np.random.default_rng(int(self._seeds.integers(2**63))) if rows is None else self._luck
        self._deal(np.ones(self.num_envs, np.bool_) if rows is None else np.asarray(rows, np.bool_))
        return self._ask("observe"), self._info()

    def _info(self) -> Info:
        return {**super()._info(), "learner": self._who == IS_LEARNER}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Info]:
        begins, self._ended = self._ended, None
        acted = self._ask("to_move")
        outcome = _Outcome(self.num_envs, self.batch.seats)
        self._play(np.asarray(actions), ~self._ended_rows, outcome)
        self._let_others_play(~self._ended_rows, outcome)
        ended = outcome.over | outcome.cut
        if begins is not None:  # what was played there did nothing
            self.batch.reset(begins)
            self._deal(begins)
        final: Info = {}
        if self.autoreset_mode.name == "NEXT_STEP":
            self._ended = ended if ended.any() else None
        elif self.autoreset_mode.name == "SAME_STEP" and ended.any():
            final = self._last_of(ended, acted, outcome)
            self.batch.reset(ended)
            self._deal(ended)
        told = (outcome.rewards[self._rows, acted], outcome.over, outcome.cut)
        return self._ask("observe"), *told, {**self._info(), "rewards": outcome.rewards, **final}

    def _last_of(self, ended: Any, acted: Any, outcome: _Outcome) -> Info:
        """What was seen last of the matches that have ended, from the seat that acted."""
        info = {**self._info(), "rewards": outcome.rewards}
        marks = {f"_{name}": ended for name in info}
        seen = self.batch.observe(acted)
        return {"final_obs": seen, "_final_obs": ended, "final_info": {**info, **marks}, "_final_info": ended}

    def _play(self, actions: Any, rows: Any, outcome: _Outcome) -> None:
        """One ply in these rows, and in no others."""
        self.batch.step(actions, rows=rows)
        over, cut = self.batch.over() & rows, self.batch.cut() & rows
        outcome.add(over, cut, self.batch.rewards())
        self._ended_rows |= over | cut

    def _let_others_play(self, rows: Any, outcome: _Outcome) -> None:
        """In these rows, until the learner is to move or the match is over."""
        while True:
            who = self._who[self._rows, self._ask("to_move")]
            theirs = rows & ~self._ended_rows & (who != IS_LEARNER)
            if not theirs.any():
                return
            self._play(self._chosen(who, theirs), theirs, outcome)

    def _chosen(self, who: Any, theirs: Any) -> Any:
        """What the opponents choose that are to move in these rows."""
        actions = np.zeros(self.num_envs, np.int64)
        mask, seen = self._ask("legal_mask"), None
        for number in np.unique(who[theirs]):
            opponent = self._known[number]
            at = np.flatnonzero(theirs & (who == number))
            if isinstance(opponent, str) and opponent == RANDOM:
                actions[at] = random_legal(mask[at], self._luck)
            elif isinstance(opponent, str) or hasattr(opponent, "choose"):
                actions[at] = [self._choice_of(opponent, int(row)) for row in at]
            else:
                seen = self._ask("observe") if seen is None else seen
                actions[at] = np.asarray(opponent(seen[at], mask[at]))
        return actions

    def _choice_of(self, opponent: Any, row: int) -> int:
        """What a bot chooses in one row; one that is named is made anew for every match."""
        state = self.batch.state(row)
        seat = int(state.to_move)
        bot = opponent
        if isinstance(opponent, str):
            bot = self._bots.setdefault((row, seat), make_bot(self.batch.game, opponent))
        chance = Chance.at(int(self._luck.integers(2**63)), state.ply)
        return int(bot.choose(Decision(self.batch.game, state, self.batch.legal(row), chance)))

    def _deal(self, rows: Any) -> None:
        """In these rows matches have begun: draw who plays, and let them play until the learner is to move."""
        for _ in range(MOST_DEALS):
            self._draw(np.flatnonzero(rows))
            self._ended_rows &= ~rows
            self._let_others_play(rows, _Outcome(self.num_envs, self.batch.seats))
            rows = rows & self._ended_rows  # these have ended before the learner had a choice
            if not rows.any():
                return
            self.batch.reset(rows)
        raise ParlourError(f"of {MOST_DEALS:,} matches, none came to a choice of the learner's")

    def _draw(self, rows: Any) -> None:
        """Who sits where in these rows."""
        numbers = np.array([self._number(each) for each in self._opponents])
        seats = self.batch.seats
        self._who[rows] = numbers[self._luck.integers(len(numbers), size=(len(rows), seats))]
        own = self._luck.integers(seats, size=len(rows)) if self._seat is None else self._seat
        self._who[rows, own] = IS_LEARNER
        for row in rows if self._bots else ():
            for seat in range(seats):
                self._bots.pop((int(row), seat), None)

    def _number(self, opponent: Opponent) -> int:
        if isinstance(opponent, str) and opponent == LEARNER:
            return IS_LEARNER
        for number, known in enumerate(self._known):
            if known is opponent or (isinstance(known, str) and known == opponent):
                return number
        self._known.append(opponent)
        return len(self._known) - 1


class _Outcome:
    """What has come of the plies of one step."""

    def __init__(self, rows: int, seats: int) -> None:
        self.over, self.cut = np.zeros(rows, np.bool_), np.zeros(rows, np.bool_)
        self.rewards = np.zeros((rows, seats), np.float32)

    def add(self, over: Any, cut: Any, rewards: Any) -> None:
        self.over |= over
        self.cut |= cut
        self.rewards[over] = rewards[over]
