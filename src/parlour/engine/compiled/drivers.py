"""The compiled drivers of one game: what simulation, batches and searches are made of.

A driver takes an array of states (rows) and works in place; none of them allocates. Each is a closure over the
game's rules, so that Numba compiles the rules into it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, below, seed_stream
from parlour.engine.compiled.compiling import compiling
from parlour.engine.game import Game

# What a rollout counts, by index into its ``counts``.
PLIES, TURNS, SOLE, SHARED, NONE, UNFINISHED = range(6)


class Drivers(NamedTuple):
    """Compiled functions. ``rows`` is an array of states, ``at`` an index into it, ``chance`` four int64 lanes."""

    setup: Callable[..., None]  # (rows, at, chance): the opening position, from a row with its options set
    legal: Callable[..., int]  # (rows, at, actions) -> how many
    apply: Callable[..., None]  # (rows, at, action, chance)
    copy: Callable[..., None]  # (rows, to, from_rows, at)
    playout: Callable[..., bool]  # (rows, at, chance, policy, actions): random play to the end; whether it got there
    results: Callable[..., None]  # (rows, at, scores, wins): fills both, one item per seat
    step: Callable[..., int]  # (rows, chosen, chance, actions): one action each; the first illegal row, or -1
    rollout: Callable[..., None]  # many random games, tallied; see parlour.lab.simulate


@cache
def drivers(game: Game) -> Drivers:
    """The game's drivers, compiled now or taken from the cache."""
    with compiling(game, "drivers"):
        made = _compile(game)
        _compile_now(game, made)
    return made


def _compile(game: Game) -> Drivers:
    jit = numba.njit(cache=True, nogil=True)
    setup, legal, apply = game.setup, game.legal, game.apply
    score, won, order = game.score, game.won, game.order
    limit = game.ply_limit

    @jit
    def setup_at(rows, at, chance):
        state = rows[at]
        setup(state, chance, None)
        state.first = state.to_move

    @jit
    def legal_at(rows, at, actions):
        state = rows[at]
        return 0 if state.over else legal(state, actions)

    @jit
    def apply_at(rows, at, action, chance):
        state = rows[at]
        apply(state, action, chance, None)
        state.ply += 1

    @jit
    def copy_to(rows, to, from_rows, at):
        rows[to] = from_rows[at]

    @jit
    def playout(rows, at, chance, policy, actions):
        state = rows[at]
        while not state.over and state.ply < limit:
            count = legal(state, actions)
            action = actions[0] if count == 1 else actions[below(policy, count)]
            apply(state, action, chance, None)
            state.ply += 1
        return state.over != 0

    @jit
    def results(rows, at, scores, wins):
        state = rows[at]
        for seat in range(state.seats):
            scores[seat] = score(state, seat)
            wins[seat] = state.over != 0 and won(state, seat)

    @jit
    def step(rows, chosen, chance, actions):
        for at in range(len(rows)):
            state = rows[at]
            if state.over:
                continue
            count = legal(state, actions)
            place = np.searchsorted(actions[:count], chosen[at])
            if place == count or actions[place] != chosen[at]:
                return at
            apply(state, chosen[at], chance[at], None)
            state.ply += 1
        return -1

    @jit
    def rollout(rows, opening, desks, first, games, words, counts, wins, by_order, scores):
        state = rows[0]
        desk = desks[0]
        chance, policy, actions = desk.chance, desk.policy, desk.actions
        for number in range(first, first + games):
            rows[0] = opening[0]
            seed_stream(chance, words, number, GAME_STREAM)
            seed_stream(policy, words, number, POLICY_STREAM)
            setup(state, chance, None)
            state.first = state.to_move
            while not state.over and state.ply < limit:
                count = legal(state, actions)
                action = actions[0] if count == 1 else actions[below(policy, count)]
                apply(state, action, chance, None)
                state.ply += 1
            counts[PLIES] += state.ply
            counts[TURNS] += state.turns
            if not state.over:
                counts[UNFINISHED] += 1
                continue
            winners = 0
            for seat in range(state.seats):
                scores[seat] += score(state, seat)
                winners += 1 if won(state, seat) else 0
            if winners == 0:
                counts[NONE] += 1
                continue
            counts[SOLE if winners == 1 else SHARED] += 1
            for seat in range(state.seats):
                if won(state, seat):
                    wins[seat] += 1.0 / winners
                    by_order[order(state, seat)] += 1.0 / winners

    return Drivers(setup_at, legal_at, apply_at, copy_to, playout, results, step, rollout)


def _compile_now(game: Game, made: Drivers) -> None:
    """Call every driver once, so that it is compiled (or loaded) here and not in the middle of something."""
    seats = max(game.seats[0], 1)
    space = workspace(game, 1, seats)
    made.rollout(space.rows, space.rows, space.desks, 0, 0, np.zeros(4, np.int64), *space.tallies)
    made.copy(space.rows, 0, space.rows, 0)
    made.step(space.rows[:0], np.zeros(0, np.int64), np.zeros((0, 4), np.int64), space.actions)
    space.rows["over"] = 1
    made.playout(space.rows, 0, space.chance, space.policy, space.actions)
    made.results(space.rows, 0, space.tallies.scores, np.zeros(seats, np.bool_))
    game.layout.write(game.blank(), space.rows, 0)
    made.setup(space.rows, 0, space.chance)
    made.legal(space.rows, 0, space.actions)
    made.apply(space.rows, 0, int(space.actions[0]), space.chance)


class Tallies(NamedTuple):
    """What a rollout adds up."""

    counts: Any
    wins: Any
    by_order: Any
    scores: Any


class Workspace(NamedTuple):
    """The arrays that a thread of rollouts works with."""

    rows: Any
    desks: Any
    tallies: Tallies

    @property
    def chance(self) -> Any:
        return self.desks["chance"][0]

    @property
    def policy(self) -> Any:
        return self.desks["policy"][0]

    @property
    def actions(self) -> Any:
        return self.desks["actions"][0]


def desks(game: Game) -> Any:
    """What a driver needs besides states, as the one row of an array: chance, a second generator, room for actions.

    Numba counts the references to an array whenever it hands one on, but not those to a field of a row.
    """
    fields = [("chance", np.int64, 4), ("policy", np.int64, 4), ("actions", np.int32, game.max_actions)]
    made = np.zeros(1, np.dtype(fields, align=True))
    made["chance"] = made["policy"] = (1, 2, 3, 4)
    return made


def workspace(game: Game, rows: int, seats: int) -> Workspace:
    places = max(seats, 1)
    tallies = Tallies(
        np.zeros(6, np.int64),
        np.zeros(places, np.float64),
        np.zeros(places, np.float64),
        np.zeros(places, np.int64),
    )
    return Workspace(game.layout.rows(rows), desks(game), tallies)
