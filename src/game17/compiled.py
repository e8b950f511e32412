"""The turns of a game, compiled from Parlour's rules: the board is one row, and every turn leaves its changes in a log.

Owners are numbered as in the public program: any of them may be asked for moves, be a T800, or be a zombie. To the
rules all of them are zombies' numbers (the row has no seats); who moves how is decided here.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.engine import rule
from parlour.engine.compiled.compiling import compiling
from parlour.engine.turns import begin
from parlour.games.game17 import GAME, rules
from parlour.games.game17.bots.t800 import plan_t800
from parlour.games.game17.rules import send
from parlour.games.game17.state import MAX_SQUARES

ZOMBIE, T800, ASKED = range(3)
OVER, FULL = -1, -2  # instead of an owner to ask: the game is over; the log has no room for another turn

ROUND, OWNER, OWNERS_END, NUMBERS_END = range(4)  # the columns of a turn in the log


class TurnLog(NamedTuple):
    """What every turn changed. A turn's changes end where ``turns`` says, and begin where the turn before ends."""

    used: Any  # [turns, owner changes, number changes]
    turns: Any  # rows of ROUND, OWNER, OWNERS_END, NUMBERS_END
    owners: Any  # rows of square and new owner
    numbers: Any  # rows of square and new number of pieces
    before: Any  # two rows: owners and pieces as they were before the turn

    @classmethod
    def of(cls, turns: int, changes: int) -> TurnLog:
        return cls(
            np.zeros(3, np.int64),
            np.zeros((turns, 4), np.int64),
            np.zeros((changes, 2), np.int64),
            np.zeros((changes, 2), np.int64),
            np.zeros((2, MAX_SQUARES), np.int64),
        )

    def grown(self) -> TurnLog:
        """The same log with room for twice as much."""
        larger = TurnLog.of(2 * len(self.turns), 2 * len(self.owners))
        for mine, other in zip(self, larger, strict=True):
            other[: len(mine)] = mine
        return larger


class Play(NamedTuple):
    """Compiled functions over a row, four lanes of dice and a log."""

    advance: Any  # (rows, kinds, chance, own, log): play until an ASKED owner is up; it, or OVER, or FULL
    take: Any  # (rows, ways, counts, chance, log): the turn of the owner that is up


@cache
def play() -> Play:
    """Compiled now, or taken from the cache."""
    with compiling(GAME, "compiled.make_play", "turns"):
        made = make_play()
        rows, lanes, log = GAME.layout.rows(1), np.ones(4, np.int64), TurnLog.of(2, 2 * MAX_SQUARES)
        GAME.layout.write(GAME.blank(0, edge=2, rounds=1), rows, 0)
        nothing = np.zeros(0, np.int64)
        made.advance(rows, np.full(MAX_SQUARES, ASKED, np.int64), lanes, lanes, log)
        made.take(rows, nothing, nothing, lanes, log)
    return made


@rule
def settle_and_log(state: Any, moving: int, chance: Any, log: Any) -> None:
    """The end of a turn whose pieces are under way; the board before it stands in the log."""
    squares = state.edge * state.edge
    owner, this_round = state.turn_order[state.place], state.round
    rules.settle(state, owner, moving, chance, None)
    for square in range(squares):
        if state.owner[square] != log.before[0, square]:
            log.owners[log.used[1], 0] = square
            log.owners[log.used[1], 1] = state.owner[square]
            log.used[1] += 1
        if state.pieces[square] != log.before[1, square]:
            log.numbers[log.used[2], 0] = square
            log.numbers[log.used[2], 1] = state.pieces[square]
            log.used[2] += 1
    turn = log.turns[log.used[0]]
    turn[ROUND], turn[OWNER] = this_round, owner
    turn[OWNERS_END], turn[NUMBERS_END] = log.used[1], log.used[2]
    log.used[0] += 1
    rules.finish_turn(state, None)


@rule
def remember(state: Any, log: Any) -> None:
    for square in range(state.edge * state.edge):
        log.before[0, square] = state.owner[square]
        log.before[1, square] = state.pieces[square]


def make_play() -> Play:
    jit = numba.njit(cache=True, nogil=True)
    setup, carry_out, wander = rules.setup, rules.carry_out, rules.wander

    @jit
    def advance(rows: Any, kinds: Any, chance: Any, own: Any, log: Any) -> Any:
        state = rows[0]
        squares = state.edge * state.edge
        if state.armed == 0:
            begin(setup, state, chance, None)
        while not state.over:
            if log.used[0] >= len(log.turns) or max(log.used[1], log.used[2]) + squares > len(log.owners):
                return FULL
            owner = state.turn_order[state.place]
            if kinds[owner] == ASKED:
                return owner
            remember(state, log)
            if kinds[owner] == T800:
                plan_t800(state, owner, own)
                moving = carry_out(state, None)
            else:
                moving = wander(state, owner, chance)
            settle_and_log(state, moving, chance, log)
        return OVER

    @jit
    def take(rows: Any, ways: Any, counts: Any, chance: Any, log: Any) -> int:
        """Returns the place of the first illegal order, after a turn in which nothing moved; or -1."""
        state = rows[0]
        owner, wrong = state.turn_order[state.place], -1
        for place in range(len(ways)):
            square, count = ways[place] // 4, counts[place]
            is_own = 0 <= square < state.edge * state.edge and state.owner[square] == owner
            if not is_own or not 0 < count <= state.pieces[square] - state.leaving[square]:
                wrong = place
                break
            send(state, square, ways[place] % 4, count)
        if wrong >= 0:
            for place in range(wrong):
                state.ordered[ways[place]] = 0
                state.leaving[ways[place] // 4] = 0
        remember(state, log)
        settle_and_log(state, carry_out(state, None), chance, log)
        return wrong

    return Play(advance, take)
