"""The drivers of a batch: like those in ``drivers``, but each works through the rows from ``first`` to ``last``.

Each rule is compiled into as few of them as can be, as compiling takes long: hence the modes of ``legal_rows``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np

from parlour.engine.chance import GAME_STREAM, seed_stream
from parlour.engine.compiled.course import Course, Results
from parlour.engine.compiled.drivers import Drivers, jit, new_features
from parlour.engine.game import Game
from parlour.engine.rule import rule
from parlour.engine.turns import advance, begin

MASK, LIST, CHECK = range(3)  # what to do with the legal actions of a row
FEW = 32
LEAVE, RESET = -2, -1  # in place of an action: leave the row alone; begin a new match in it


@cache
def batch_drivers(game: Game) -> BatchDrivers:
    """The game's drivers for batches."""
    return BatchDrivers(game)


class BatchDrivers(Drivers):
    """Compiled functions over many rows. None of them allocates, and each may run in several threads at once."""

    @cached_property
    def legal_rows(self) -> Callable[..., int]:
        """(rows, first, last, mode, mask, counts, found, chosen, scratch) -> the row where it stopped, or ``last``.

        MASK fills the rows of ``mask``. LIST puts all actions into ``found``, one row after the other, and how many
        each row has into ``counts``; it stops at a row for which there is no room. CHECK stops at a row whose action
        in ``chosen`` is illegal.
        """
        mask, numbers, found = np.zeros((0, 0), np.bool_), np.zeros(0, np.int64), np.zeros(0, np.int32)
        return self._ready(
            make_legal_rows,
            lambda legal, space: legal(space.rows, 0, 0, MASK, mask, numbers, found, numbers, space.scratch),
        )

    @cached_property
    def play_rows(self) -> Callable[..., None]:
        """(rows, first, last, chosen, course, results, opening, words, payoffs, auto_reset, scratch).

        Plays the action that ``chosen`` has for each row; there may be LEAVE or RESET in its place.
        """
        course, results = Course.of(0, record=False), Results.of(0, self._seats)
        words, payoffs = np.zeros(4, np.int64), np.zeros((1, 2), np.float32)
        nothing = np.zeros(0, np.int64)
        return self._ready(
            make_play_rows,
            lambda play, space: play(
                space.rows, 0, 0, nothing, course, results, space.rows, words, payoffs, False, space.scratch
            ),
        )

    @cached_property
    def results_rows(self) -> Callable[..., None]:
        """(rows, first, last, scores, wins): fills both, one line per row and one item per seat."""
        scores, wins = np.zeros((0, 1), np.int64), np.zeros((0, 1), np.bool_)
        return self._ready(make_results_rows, lambda results, space: results(space.rows, 0, 0, scores, wins))

    @cached_property
    def observe_rows(self) -> Callable[..., None]:
        """(rows, first, last, seats, features): what a learner in each row's seat sees."""
        nothing = np.zeros(0, np.int64)
        return self._ready(
            make_observe_rows, lambda see, space: see(space.rows, 0, 0, nothing, new_features(self.game, 0))
        )


@rule
def is_among(action, actions, count):
    """Whether the action is one of the first ``count`` of these, which ascend."""
    if count <= FEW:  # to look at all of them is faster than to guess where it is, and to guess wrong
        found = False
        for place in range(count):
            found |= actions[place] == action
        return found
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < count and actions[low] == action


def make_legal_rows(game: Game) -> Callable[..., Any]:
    legal = game.legal

    @jit
    def legal_rows(rows, first, last, mode, mask, counts, found, chosen, scratch):
        actions = scratch[0].actions
        used = 0
        for at in range(first, last):
            state = rows[at]
            count = 0 if state.over else legal(state, actions)
            if mode == MASK:
                for action in range(mask.shape[1]):
                    mask[at, action] = False
                for place in range(count):
                    mask[at, actions[place]] = True
            elif mode == LIST:
                if used + count > len(found):
                    return at
                counts[at] = count
                for place in range(count):
                    found[used + place] = actions[place]
                used += count
            elif count > 0 and not is_among(chosen[at], actions, count):
                return at
        return last

    return legal_rows


def make_play_rows(game: Game) -> Callable[..., Any]:
    setup, apply, score, won, limit = game.setup, game.apply, game.score, game.won, game.ply_limit

    @jit
    def play_rows(rows, first, last, chosen, course, results, opening, words, payoffs, auto_reset, scratch):
        chance = scratch[0].chance
        for at in range(first, last):
            state = rows[at]
            action = chosen[at]
            if action == LEAVE:
                continue
            results.ended[at] = False
            results.cut[at] = False
            for seat in range(state.seats):
                results.rewards[at, seat] = 0
            if action != RESET:
                if state.over:
                    continue
                for lane in range(4):
                    chance[lane] = course.lanes[at, lane]
                if state.ply < course.history.shape[1]:
                    course.history[at, state.ply] = action
                advance(apply, state, np.int64(action), chance, None)
                if state.over:
                    results.ended[at] = True
                    winners = 0
                    for seat in range(state.seats):
                        results.scores[at, seat] = score(state, seat)
                        results.wins[at, seat] = won(state, seat)
                        winners += results.wins[at, seat]
                    for seat in range(state.seats):
                        results.rewards[at, seat] = payoffs[winners, np.int64(results.wins[at, seat])]
                elif state.ply >= limit:
                    results.cut[at] = True
            if action == RESET or (auto_reset and (results.ended[at] or results.cut[at])):
                rows[at] = opening[0]
                course.number[at] = course.upcoming[at]
                course.upcoming[at] += course.stride[0]
                seed_stream(chance, words, course.number[at], GAME_STREAM)
                begin(setup, state, chance, None)
            for lane in range(4):
                course.lanes[at, lane] = chance[lane]

    return play_rows


def make_results_rows(game: Game) -> Callable[..., Any]:
    score, won = game.score, game.won

    @jit
    def results_rows(rows, first, last, scores, wins):
        for at in range(first, last):
            state = rows[at]
            for seat in range(state.seats):
                scores[at, seat] = score(state, seat)
                wins[at, seat] = state.over != 0 and won(state, seat)

    return results_rows


def make_observe_rows(game: Game) -> Callable[..., Any]:
    see = game.observe

    @jit
    def observe_rows(rows, first, last, seats, features):
        for at in range(first, last):
            seen = features[at]
            for place in range(len(seen)):
                seen[place] = 0
            see(rows[at], seats[at], seen)

    return observe_rows
