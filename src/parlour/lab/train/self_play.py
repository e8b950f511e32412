"""Matches of a judge against itself, compiled, with the positions that it learns from.

A position is taken after an action. What it was really worth is told by what came later: by the judge's own opinion of
the next position, and of the one after that, and at last by the result. Each counts less than the one before: these
are temporal differences, TD(λ). An action that was chosen at random only to see something new tells nothing about the
position before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, below, seed_stream, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.judging import judge_actions, judging_scratch, no_weights, share_of
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import WHOLE, chance_from
from parlour.engine.rule import rule
from parlour.engine.turns import advance, begin

MOST_PLIES = 4096  # a longer match teaches nothing
MOST_SAMPLES = 8192  # of a match; usual are some 160
TRIAL_STREAM = 2  # of dice that are thrown only to judge an action
GAMES, PLIES, CUT = range(3)  # what is counted
FINE = 1 << 24


class Habits(NamedTuple):
    """How the judge plays against itself."""

    temperature: float  # an action that is worth less by this much is played e times less often
    slips: int  # of a thousand actions, so many are random
    early: int  # at most so many random plies at the beginning
    throws: int  # of dice, to judge an action
    decay: float  # the λ of TD(λ)
    kept: int  # of 256 positions, so many are learnt from


class Samples(NamedTuple):
    """Positions to learn from: what a seat saw, and what it was worth. Below 0: not known."""

    seen: Any
    targets: Any

    @classmethod
    def of(cls, game: Game, size: int) -> Samples:
        return cls(np.zeros((size, game.observation_size), game.observation_type), np.zeros(size, np.float32))


class Trajectory(NamedTuple):
    """A match, ply by ply."""

    worth: Any  # [ply, seat]: of the position after it
    random: Any  # whether the action was chosen only to see something new
    sample: Any  # the ply of each sample
    seat: Any  # and who saw it

    @classmethod
    def of(cls, game: Game, seats: int) -> Trajectory:
        """For matches of at most so many seats."""
        plies = min(game.ply_limit, MOST_PLIES) + 1
        samples = min(plies * max(seats, 1), MOST_SAMPLES)
        return cls(
            np.zeros((plies, max(seats, 2)), np.float32),
            np.zeros(plies, np.bool_),
            np.zeros(samples, np.int32),
            np.zeros(samples, np.int32),
        )


@rule
def pick_warm(worths: Any, count: int, temperature: float, chance: Any) -> int:
    """A good action, and now and then one that is a little less good."""
    best, best_score = 0, -1.0e30
    for index in range(count):
        even = (below(chance, FINE) + 0.5) / FINE
        score = worths[index] - temperature * math.log(-math.log(even))
        if score > best_score:
            best, best_score = index, score
    return best


@rule
def take_sample(
    trajectory: Trajectory, samples: Samples, features: Any, used: int, number: int, ply: int, seat: int
) -> None:
    """Keep what the seat saw."""
    for place in range(len(features)):
        samples.seen[used + number, place] = features[place]
    trajectory.sample[number] = ply
    trajectory.seat[number] = seat


@rule
def set_targets(
    trajectory: Trajectory, samples: Samples, used: int, number: int, plies: int, seats: int, decay: float
) -> None:
    """What every sample of a match turned out to be worth; ``trajectory.worth`` of the last ply is the result."""
    for seat in range(seats):
        at = number - 1
        lasting = trajectory.worth[plies - 1, seat]
        for ply in range(plies - 2, -1, -1):
            following = trajectory.worth[ply + 1, seat]
            lasting = following + decay * (lasting - following)
            known = not trajectory.random[ply + 1]
            while at >= 0 and trajectory.sample[at] >= ply:
                if trajectory.sample[at] == ply and trajectory.seat[at] == seat:
                    samples.targets[used + at] = lasting if known else -1.0
                at -= 1
            if not known:
                lasting = trajectory.worth[ply, seat]


@rule
def note(
    won: Any,
    observe: Any,
    state: Any,
    weights: Any,
    room: Any,
    arrays: Any,
    ply: int,
    used: int,
    taken: int,
    keep: bool,
) -> int:
    """What the position after a ply is worth to each seat; returns how many samples of the match are kept by now."""
    worth = arrays.trajectory.worth
    for seat in range(state.seats):
        if state.over:
            worth[ply, seat] = share_of(won, state, seat)
        elif state.seats != 2 or seat == state.to_move:
            chance = chance_from(observe, state, seat, weights, room.features, room.active, room.sums) / WHOLE
            worth[ply, seat] = chance
            if state.seats == 2:
                worth[ply, 1 - seat] = 1.0 - chance
            if keep and taken < len(arrays.trajectory.sample):
                take_sample(arrays.trajectory, arrays.samples, room.features, used, taken, ply, seat)
                taken += 1
    return taken


class Arrays(NamedTuple):
    """The arrays that one thread plays with."""

    rows: Any
    scratch: Any
    dice: Any
    worths: Any  # of the legal actions
    trajectory: Trajectory
    samples: Samples
    counts: Any


def _make(game: Game) -> Callable[..., Any]:
    setup, legal, apply, won, observe = game.setup, game.legal, game.apply, game.won, game.observe
    limit = min(game.ply_limit, MOST_PLIES)

    @numba.njit(cache=True, nogil=True)
    def self_play(arrays: Any, opening: Any, words: Any, number: int, quota: int, weights: Any, habits: Any) -> int:
        rows, trajectory, counts = arrays.rows, arrays.trajectory, arrays.counts
        dice, worths = arrays.dice, arrays.worths
        room, state = arrays.scratch[0], rows[0]
        policy, actions = room.policy, room.actions
        seed_stream(dice, words, number, GAME_STREAM)
        seed_stream(policy, words, number, POLICY_STREAM)
        seed_stream(room.chance, words, number, TRIAL_STREAM)
        used = 0
        while used < quota and counts[GAMES] + counts[CUT] < quota:
            rows[0] = opening[0]
            begin(setup, state, dice, None)
            early = below(policy, habits.early + 1)
            ply, taken = 0, 0
            while not state.over and ply < limit:
                count = legal(state, actions)
                trajectory.random[ply] = count > 1 and (ply < early or below(policy, 1000) < habits.slips)
                if count == 1:
                    chosen = 0
                elif trajectory.random[ply]:
                    chosen = below(policy, count)
                else:
                    judge_actions(apply, won, observe, rows, room, count, weights, habits.throws, worths)
                    chosen = pick_warm(worths, count, habits.temperature, policy)
                advance(apply, state, np.int64(actions[chosen]), dice, None)
                keep = below(policy, 256) < habits.kept
                taken = note(won, observe, state, weights, room, arrays, ply, used, taken, keep)
                ply += 1
            counts[PLIES] += ply
            if not state.over:
                counts[CUT] += 1
                continue
            counts[GAMES] += 1
            set_targets(trajectory, arrays.samples, used, taken, ply, state.seats, habits.decay)
            used += taken
        return used

    return self_play


@cache
def compiled_self_play(game: Game, units: int) -> Callable[..., int]:
    """The self-play of a game, compiled now or taken from the cache."""
    with compiling(game, "self_play._make", "self-play", [pick_warm, note, take_sample, set_targets]):
        play = _make(game)
        Player(game, units, 0, 0).play(play, game.layout.rows(1), no_weights(units), 0, 0, Habits(1.0, 0, 0, 1, 0.5, 0))
    return play


class Player:
    """One thread that plays, in matches of at most so many seats."""

    def __init__(self, game: Game, units: int, quota: int, seats: int) -> None:
        trajectory = Trajectory.of(game, seats)
        self.quota = quota
        self.arrays = Arrays(
            rows=game.layout.rows(2),
            scratch=judging_scratch(game, units),
            dice=np.zeros(4, np.int64),
            worths=np.zeros(game.max_actions),
            trajectory=trajectory,
            samples=Samples.of(game, quota + len(trajectory.sample) if quota else 0),
            counts=np.zeros(3, np.int64),
        )

    @property
    def counts(self) -> Any:
        return self.arrays.counts

    def play(
        self, play: Callable[..., int], opening: Any, weights: Any, seed: int, number: int, habits: Habits
    ) -> Samples:
        """The samples of as many matches as fill the quota: that many positions, or a few more."""
        words = np.array(seed_words(seed), np.int64)
        self.counts[:] = 0
        used = play(self.arrays, opening, words, number, self.quota, weights, habits)
        seen, targets = (each[:used] for each in self.arrays.samples)
        return Samples(seen[targets >= 0], targets[targets >= 0])
