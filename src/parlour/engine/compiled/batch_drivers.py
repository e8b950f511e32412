"""The drivers of a batch: like those in ``drivers``, but each works through the rows from ``first`` to ``last``.

Each rule is compiled into as few of them as can be, as compiling takes long: hence the modes of ``legal_rows``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from typing import Any

import numpy as np
from numba.core.errors import TypingError

from parlour.engine.chance import GAME_STREAM, seed_stream
from parlour.engine.compiled.arrays import as_lines
from parlour.engine.compiled.course import BEGIN, LARGEST_MASK, PLAY, Course, Results, note_end, what_to_do
from parlour.engine.compiled.drivers import Drivers, jit, new_features
from parlour.engine.compiled.marks import MOST_MARKS, marked, new_marks
from parlour.engine.game import Game
from parlour.engine.rule import rule
from parlour.engine.turns import advance, begin

MASK, LIST, CHECK = range(3)  # what to do with the legal actions of a row
FEW = 32


@cache
def batch_drivers(game: Game) -> BatchDrivers:
    """The game's drivers for batches."""
    return BatchDrivers(game)


class BatchDrivers(Drivers):
    """Compiled functions over many rows. None of them allocates, and each may run in several threads at once."""

    @cached_property
    def legal_rows(self) -> Callable[..., int]:
        """(rows, first, last, mode, mask, counts, found, chosen, scratch) -> the row where it stopped, or ``last``.

        MASK fills the lines of ``mask``. LIST puts all actions into ``found``, one row after the other, and how many
        each row has into ``counts``; it stops at a row for which there is no room. CHECK stops at a row whose action
        in ``chosen`` is illegal.
        """
        mask, numbers, found = no_mask(self.game), np.zeros(0, np.int64), np.zeros(0, np.int32)

        def call(driver, space):
            driver(space.rows, 0, 0, MASK, mask, numbers, found, numbers, space.scratch)

        if self.game.action_space <= MOST_MARKS:
            with suppress(TypingError):  # a rule that looks at what it has listed needs a list
                return self._ready(make_marked_rows, call)
        return self._ready(make_legal_rows, call)

    @cached_property
    def play_rows(self) -> Callable[..., None]:
        """(rows, first, last, chosen, resetting, course, results, opening, words, payoffs, auto_reset).

        In a step, plays the action that ``chosen`` has for each row. In a reset, begins a match where that is 1. The
        results are flat, and clear of the step before.
        """
        course, results = Course.of(0, record=False), Results.of(0, self._seats).flat()
        words, payoffs = np.zeros(4, np.int64), np.zeros(2, np.float32)
        nothing = np.zeros(0, np.int64)
        return self._ready(
            make_play_rows,
            lambda play, space: play(
                space.rows, 0, 0, nothing, False, course, results, space.rows, words, payoffs, False
            ),
        )

    @cached_property
    def results_rows(self) -> Callable[..., None]:
        """(rows, first, last, scores, wins): fills both, one line per row and one item per seat."""
        scores, wins = np.zeros((0, 1), np.int64), np.zeros((0, 1), np.bool_)
        return self._ready(make_results_rows, lambda results, space: results(space.rows, 0, 0, scores, wins))

    @cached_property
    def observe_rows(self) -> Callable[..., None]:
        """(rows, first, last, seats, features): what a learner in each row's seat sees, in the lines of ``features``.

        Without seats it is the one to move.
        """
        nothing, features = np.zeros(0, np.int64), as_lines(new_features(self.game, 0))
        return self._ready(make_observe_rows, lambda see, space: see(space.rows, 0, 0, nothing, features))


def no_mask(game: Game) -> Any:
    """A mask without lines."""
    return as_lines(np.zeros((0, min(game.action_space, LARGEST_MASK)), np.bool_))


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
                line = mask[at].items
                for action in range(len(line)):
                    line[action] = 0
                for place in range(count):
                    line[actions[place]] = 1
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


def make_marked_rows(game: Game) -> Callable[..., Any]:
    """What ``make_legal_rows`` makes, for games with few actions: several times as fast."""
    legal, space = game.legal, game.action_space

    @jit
    def marked_rows(rows, first, last, mode, mask, counts, found, chosen, scratch):
        used = 0
        for at in range(first, last):
            state = rows[at]
            bits = 0
            if not state.over:
                made = new_marks()
                bits = marked(made, legal(state, made))
            if mode == MASK:
                line = mask[at].items
                for action in range(space):
                    line[action] = bits >> action & 1
            elif mode == LIST:
                counts[at] = 0
                for action in range(space):
                    counts[at] += bits >> action & 1
                if used + counts[at] > len(found):
                    return at
                for action in range(space):
                    if bits >> action & 1:
                        found[used] = action
                        used += 1
            elif bits and not (0 <= chosen[at] < space and bits >> chosen[at] & 1):
                return at
        return last

    return marked_rows


def make_play_rows(game: Game) -> Callable[..., Any]:
    setup, apply, score, won, limit = game.setup, game.apply, game.score, game.won, game.ply_limit

    @jit
    def play_rows(rows, first, last, chosen, resetting, course, results, opening, words, payoffs, auto_reset):
        for at in range(first, last):
            state = rows[at]
            action = chosen[at]
            chance = course.lanes[at].items
            task = what_to_do(action, state.over, resetting)
            begins = task == BEGIN
            if begins:
                results.ended[at] = False
                results.cut[at] = False
                for seat in range(state.seats):
                    results.rewards[at * state.seats + seat] = 0
            elif task == PLAY:
                if state.ply < course.history.shape[1]:
                    course.history[at, state.ply] = action
                advance(apply, state, np.int64(action), chance, None)
                if state.over or state.ply >= limit:
                    note_end(score, won, np.int64, state, at, results, payoffs)
                    begins = auto_reset
            if begins:
                rows[at] = opening[0]
                course.number[at] = course.upcoming[at]
                course.upcoming[at] += course.stride[0]
                seed_stream(chance, words, course.number[at], GAME_STREAM)
                begin(setup, state, chance, None)

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
            seen = features[at].items
            for place in range(len(seen)):
                seen[place] = 0
            see(rows[at], seats[at] if len(seats) else rows[at].to_move, seen)

    return observe_rows
