"""What to train, for how long, and how: the plan of a training, and what changes from its beginning to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.engine.chance import Chance
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.judge.contents import MOST_UNITS
from parlour.engine.judge.file import Judge
from parlour.engine.judge.inputs import fingerprint, inputs
from parlour.engine.match import check_seed
from parlour.engine.secrets import refuse_secrets
from parlour.engine.state import State
from parlour.lab.train.self_play import MOST_PLIES, Habits

LONGEST = 60 * 24 * 7  # minutes
MOST_GAMES = 10**12
DECAY = 0.7  # the λ of TD(λ)
SLIPS = 10  # of a thousand actions
THROWS = 4  # of dice to judge an action, where the judge can see what they show
RATE, LATER_RATE, LAST_RATE = 1.5e-3, 5e-4, 3e-5  # of learning: at first, at first after another training, at the end
LOOKED_AT = 300  # plies of random play that show what a match is like
METHOD = "TD(0.7) on positions after an action, self-play, one ply of lookahead, Adam"


@dataclass(frozen=True)
class Plan:
    """A training ends after so many minutes or so many games; one of them is None."""

    game: Game
    seats: tuple[int, ...]
    options: Mapping[str, int]
    seed: int
    units: int
    minutes: float | None = None
    games: int | None = None
    start: Judge | None = None  # what it begins with

    def to_json(self) -> dict[str, Any]:
        """With what else must not change between two parts of a training."""
        game = self.game
        told = {"game": game.name, "rules": game.version, "features": fingerprint(game), "options": dict(self.options)}
        told |= {"seats": list(self.seats), "seed": self.seed, "units": self.units}
        told["start"] = [self.start.record["seed"], self.start.record["games"]] if self.start else None
        return {**told, "minutes": self.minutes, "games": self.games}

    def rate(self, done: float) -> float:
        """How fast to learn when so much of it is done. What a judge knows already is not to be lost at once."""
        return (LATER_RATE if self.start else RATE) * (1 - done) + LAST_RATE

    def progress(self, games: int, seconds: float) -> float:
        """How much of it is done, from 0 to 1."""
        if self.games is not None:
            return min(games / self.games, 1.0)
        return min(seconds / (60 * (self.minutes or LONGEST)), 1.0)


def make_plan(
    game: Game,
    *,
    seats: tuple[int, ...] = (),
    options: Mapping[str, object] | None = None,
    seed: int = 0,
    units: int = 64,
    minutes: float | None = None,
    games: int | None = None,
    start: Judge | None = None,
) -> Plan:
    """A plan that can be carried out, or an error that says why there is none."""
    refuse_secrets(game, "no judge can be trained for it yet: judges look at all of a position")
    game = game.players.judged_game
    if game.max_actions == 1:
        raise ParlourError(f"in {game.name} there is nothing to decide, and so nothing to learn")
    if not 1 <= units <= MOST_UNITS:
        raise ParlourError(f"a judge has 1 to {MOST_UNITS} units, not {units}")
    if (minutes is None) == (games is None):
        raise ParlourError("a training takes minutes or games: give one of them")
    if minutes is not None and not 0 < minutes <= LONGEST:
        raise ParlourError(f"a training takes at most {LONGEST:,} minutes, and more than none, not {minutes:g}")
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise ParlourError(f"the number of games is from 1 to {MOST_GAMES:,}, not {games:,}")
    if start is not None and start.units != units:
        raise ParlourError(f"the judge to begin with has {start.units} units, not {units}: give --units {start.units}")
    inputs(game)
    resolved = game.resolve_options(options or {})
    seated = tuple(sorted({game.resolve_seats(number, resolved) for number in seats or (None,)}))
    if 0 in seated:
        raise ParlourError("a match without seats teaches nothing: give --seats")
    return Plan(game, seated, resolved, check_seed(seed), units, minutes, games, start)


@dataclass(frozen=True)
class Nature:
    """What matches of a game are like."""

    plies: float  # of a match at random
    throws: int  # of dice, to judge an action
    has_dice: bool  # whether chance has a part in any action

    def habits(self, progress: float, seats: int) -> Habits:
        """How to play at that point of the training: ever more as one means to win."""
        views = 1 if seats == 2 else seats
        return Habits(
            temperature=0.04 * (1 - progress) + 0.01,
            slips=SLIPS,
            early=2 if self.has_dice else int(min(self.plies / 3, 16)),  # dice bring variety enough
            throws=self.throws,
            decay=DECAY,
            kept=int(max(1, min(256, 256 * 160 / (self.plies * views)))),
        )


def nature_of(plan: Plan) -> Nature:
    """Look at a few matches at random."""
    game = plan.game
    own, dice = Chance.of_game(plan.seed, 0, 1), Chance.of_game(plan.seed, 0)
    looked, shows, has_dice, lengths = 0, False, False, []
    while looked < LOOKED_AT:
        state = game.blank(plan.seats[-1], **plan.options)
        game.open(state, dice)
        while not state.over and state.ply < min(game.ply_limit, MOST_PLIES):
            legal = game.legal_actions(state)
            action = legal[own.below(len(legal))]
            if looked < LOOKED_AT and not shows:
                shows = _seen_after(game, state, action, own) != _seen_after(game, state, action, own)
            before = list(dice.lanes)
            game.play(state, action, dice)
            has_dice = has_dice or dice.lanes != before
            looked += 1
        lengths.append(state.ply)
    return Nature(float(np.mean(lengths)), THROWS if shows else 1, has_dice)


def _seen_after(game: Game, state: State, action: int, chance: Chance) -> list[int]:
    """What a judge sees once the action is played."""
    after = state.copy()
    game.play(after, action, chance)
    seen = game.observed(after, after.to_move)
    shown = [not feature.drawn for feature in game.features for _ in range(feature.size)]
    return [after.over, after.to_move, *(value for value, is_shown in zip(seen, shown, strict=True) if is_shown)]
