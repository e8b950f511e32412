"""What a batch keeps beside its states: the course of each row's match, and what came of the last step.

And what becomes of a row in a step and at the end of its match: decided here for the CPU and for a GPU alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.compiled.arrays import as_lines
from parlour.engine.rule import rule

LARGEST_MASK = 2**16  # actions; where a game has more, legal actions come as lists alone
NO_ACTION = -1  # in place of an action
LEAVE, PLAY, BEGIN = range(3)  # what to do with a row: nothing, play its action, begin a new match


class Course(NamedTuple):
    """Which match a row plays, and how. One item or line per row, but for ``stride``.

    Row i plays game i of a simulation with the same seed; its next match is game i + stride, and so on. So what a row
    plays depends on no other row.
    """

    lanes: Any  # its chance; a line of four
    number: Any  # of the game that it plays
    upcoming: Any  # of the game that it plays next
    stride: Any  # from one of its games to the next; one item
    history: Any  # the actions of its match, by ply, where they are kept; else lines of no length

    @classmethod
    def of(cls, rows: int, *, record: bool) -> Course:
        return cls(
            as_lines(np.zeros((rows, 4), np.int64)),
            np.zeros(rows, np.int64),
            np.arange(rows),
            np.array([rows]),
            np.zeros((rows, 64 if record else 0), np.int32),
        )

    def taken(self, rows: Any) -> Course:
        """The course of these rows alone."""
        return Course(
            self.lanes[rows], self.number[rows], self.upcoming[rows], self.stride.copy(), self.history[rows].copy()
        )


class Results(NamedTuple):
    """What came of the last step, one item or line per row; of scores and wins only where a match ended or was cut."""

    ended: Any  # whether the match has ended
    cut: Any  # whether it was stopped, with as many plies as the game allows
    rewards: Any  # of each seat
    scores: Any
    wins: Any

    @classmethod
    def of(cls, rows: int, seats: int) -> Results:
        return cls(
            np.zeros(rows, np.bool_),
            np.zeros(rows, np.bool_),
            np.zeros((rows, seats), np.float32),
            np.zeros((rows, seats), np.int64),
            np.zeros((rows, seats), np.bool_),
        )

    def clear(self) -> None:
        """Nothing has come of a step yet."""
        for kept in (self.ended, self.cut, self.rewards):
            kept.fill(0)

    def flat(self) -> Results:
        """The same memory, one item after the other, as ``note_end`` takes it."""
        return Results(*(kept.reshape(-1) for kept in self))

    def taken(self, rows: Any) -> Results:
        """The results of these rows alone."""
        return Results(*(kept[rows] for kept in self))


@rule
def what_to_do(action, over, resetting):
    """What to do with a row: in a reset, begin a match where ``action`` is 1; in a step, play it.

    In a row whose match is over, any action does nothing.
    """
    if resetting:
        return BEGIN if action == 1 else LEAVE
    return PLAY if over == 0 and action >= 0 else LEAVE


@rule
def note_end(score, won, widened, state, row, results, payoffs):
    """Note what came of a match that has just ended, or was cut. ``results`` and ``payoffs`` are flat.

    Whatever plays rows calls it only then: to hand arrays on costs more than many a ply does.
    """
    ended = state.over != 0
    results.ended[row] = ended
    results.cut[row] = not ended
    winners = 0
    for seat in range(state.seats):
        place = row * state.seats + seat
        results.scores[place] = widened(score(state, seat))
        results.wins[place] = ended and bool(won(state, seat))
        winners += 1 if results.wins[place] else 0
    if not ended:
        return
    for seat in range(state.seats):
        place = row * state.seats + seat
        results.rewards[place] = payoffs[2 * winners + (1 if results.wins[place] else 0)]


def payoffs(seats: int) -> Any:
    """What a match is worth to a loser and to a winner, by how many have won: a table of (winners, has won).

    It adds up to nothing: a winner gets what it won over an even share. Of four seats, a sole winner gets 1 and each
    other −1/3; two winners get 1/3 each. Where all win or nobody does, everybody gets 0. Alone, you win 1 or lose 1.
    """
    table = np.zeros((seats + 1, 2))
    if seats == 1:
        table[:, 0], table[:, 1] = -1, 1
    for winners in range(1, seats):
        table[winners] = (-1 / (seats - 1), (seats / winners - 1) / (seats - 1))
    return table
