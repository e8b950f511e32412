"""The compiled drivers of one game: what simulation, batches and searches are made of.

A driver takes an array of states (rows) and works in place; none of them allocates. Each is a closure over the
game's rules, so that Numba compiles the rules into it, and is compiled when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, below, seed_stream
from parlour.engine.compiled.compiling import compiling
from parlour.engine.game import Game
from parlour.engine.rule import rule
from parlour.engine.turns import advance, begin

# What a rollout counts, by index into its ``counts``.
PLIES, TURNS, SOLE, SHARED, NONE, UNFINISHED = range(6)

# A win in parts, so that shares of it are whole numbers and their sums the same in any order: it is divisible by
# every number up to 16.
WIN = 720_720

Maker = Callable[[Game], Callable[..., Any]]

jit = numba.njit(cache=True, nogil=True)


@cache
def drivers(game: Game) -> Drivers:
    """The game's drivers."""
    return Drivers(game)


class Drivers:
    """Compiled functions. ``rows`` is an array of states, ``at`` an index into it, ``scratch`` room to work in."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def setup(self) -> Callable[..., None]:
        """(rows, at, scratch): the opening position, from a row with its options set."""
        return self._ready(make_setup, lambda driver, space: driver(space.rows, 0, space.scratch))

    @cached_property
    def legal(self) -> Callable[..., int]:
        """(rows, at, scratch) -> how many actions it put there; none once the match is over."""
        return self._ready(make_legal, lambda legal, space: legal(over(space.rows), 0, space.scratch))

    @cached_property
    def apply(self) -> Callable[..., None]:
        """(rows, at, action, scratch): plays the action, unless the match is over."""
        return self._ready(make_apply, lambda driver, space: driver(over(space.rows), 0, 0, space.scratch))

    @cached_property
    def hide(self) -> Callable[..., None]:
        """(rows, at, seat): what that seat knows, of a game with secrets."""
        return self._ready(make_hide, lambda hide, space: hide(space.rows, 0, 0))

    @cached_property
    def imagine(self) -> Callable[..., None]:
        """(rows, at, seat, scratch): fills what the seat does not know, in a row that is hidden already."""
        return self._ready(make_imagine, lambda imagine, space: imagine(space.rows, 0, 0, space.scratch))

    @cached_property
    def copy(self) -> Callable[..., None]:
        """(rows, to, from_rows, at)."""
        return self._ready(make_copy, lambda copy, space: copy(space.rows, 0, space.rows, 0))

    @cached_property
    def playout(self) -> Callable[..., bool]:
        """(rows, at, scratch): random play to the end; whether it got there within the ply limit."""
        return self._ready(make_playout, lambda playout, space: playout(over(space.rows), 0, space.scratch))

    @cached_property
    def results(self) -> Callable[..., None]:
        """(rows, at, scores, wins): fills both, one item per seat."""
        return self._ready(
            make_results,
            lambda results, space: results(space.rows, 0, space.tallies.scores, np.zeros(self._seats, np.bool_)),
        )

    @cached_property
    def rollout(self) -> Callable[..., None]:
        """(rows, opening, scratch, first, games, words, counts, wins, by_order, scores): random games, tallied."""
        words = np.zeros(4, np.int64)
        return self._ready(
            make_rollout,
            lambda rollout, space: rollout(space.rows, space.rows, space.scratch, 0, 0, words, *space.tallies),
        )

    @property
    def _seats(self) -> int:
        return max(self.game.resolve_seats(None, self.game.resolve_options({})), 1)

    def _ready(self, make: Maker, call: Callable[[Any, Workspace], object]) -> Callable[..., Any]:
        """Make a driver and call it once with nothing to do, so that it is compiled now or taken from the cache."""
        place = f"{make.__module__.rpartition('.')[2]}.{make.__name__}"
        with compiling(self.game, place, make.__name__.removeprefix("make_").replace("_", " ")):
            driver = make(self.game)
            space = workspace(self.game, 1, self._seats)
            self.game.layout.write(self.game.blank(), space.rows, 0)
            call(driver, space)
        return driver


def over(rows: Any) -> Any:
    """The rows, all marked as over: a driver called with them does nothing."""
    rows["over"] = 1
    return rows


@rule
def any_action(state, actions, count, chance):
    """The policy where there is no other: any legal action."""
    return actions[0] if count == 1 else actions[below(chance, count)]


@rule
def play_out(legal, apply, policy, limit, state, actions, chance, own):
    """Play by a policy, whose draws are its own, until the match is over or has that many plies."""
    while not state.over and state.ply < limit:
        count = legal(state, actions)
        advance(apply, state, np.int64(policy(state, actions, count, own)), chance, None)


def make_setup(game: Game) -> Callable[..., Any]:
    setup = game.setup

    @jit
    def setup_at(rows, at, scratch):
        begin(setup, rows[at], scratch[0].chance, None)

    return setup_at


def make_legal(game: Game) -> Callable[..., Any]:
    legal = game.legal

    @jit
    def legal_at(rows, at, scratch):
        state = rows[at]
        return 0 if state.over else legal(state, scratch[0].actions)

    return legal_at


def make_apply(game: Game) -> Callable[..., Any]:
    apply = game.apply

    @jit
    def apply_at(rows, at, action, scratch):
        state = rows[at]
        if not state.over:
            advance(apply, state, np.int64(action), scratch[0].chance, None)

    return apply_at


def make_hide(game: Game) -> Callable[..., Any]:
    hide = game.hide

    @jit
    def hide_at(rows, at, seat):
        hide(rows[at], seat)

    return hide_at


def make_imagine(game: Game) -> Callable[..., Any]:
    imagine = game.imagine

    @jit
    def imagine_at(rows, at, seat, scratch):
        imagine(rows[at], seat, scratch[0].chance)

    return imagine_at


def make_copy(game: Game) -> Callable[..., Any]:
    @jit
    def copy_to(rows, to, from_rows, at):
        rows[to] = from_rows[at]

    return copy_to


def make_playout(game: Game) -> Callable[..., Any]:
    legal, apply, limit = game.legal, game.apply, game.ply_limit

    @jit
    def playout(rows, at, scratch):
        room = scratch[0]
        play_out(legal, apply, any_action, limit, rows[at], room.actions, room.chance, room.policy)
        return rows[at].over != 0

    return playout


def make_results(game: Game) -> Callable[..., Any]:
    score, won = game.score, game.won

    @jit
    def results(rows, at, scores, wins):
        state = rows[at]
        for seat in range(state.seats):
            scores[seat] = score(state, seat)
            wins[seat] = state.over != 0 and won(state, seat)

    return results


def make_rollout(game: Game) -> Callable[..., Any]:
    setup, legal, apply, limit = game.setup, game.legal, game.apply, game.ply_limit
    score, won, order = game.score, game.won, game.order
    has_choices = game.max_actions > 1

    @jit
    def rollout(rows, opening, scratch, first, games, words, counts, wins, by_order, scores):
        state = rows[0]
        room = scratch[0]
        chance, policy, actions = room.chance, room.policy, room.actions
        for number in range(first, first + games):
            rows[0] = opening[0]
            seed_stream(chance, words, number, GAME_STREAM)
            if has_choices:
                seed_stream(policy, words, number, POLICY_STREAM)
            begin(setup, state, chance, None)
            play_out(legal, apply, any_action, limit, state, actions, chance, policy)
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
                    wins[seat] += WIN // winners
                    by_order[order(state, seat)] += WIN // winners

    return rollout


class Tallies(NamedTuple):
    """What a rollout adds up."""

    counts: Any
    wins: Any  # of each seat, in parts of a win
    by_order: Any  # the same by place in the order of play
    scores: Any


class Workspace(NamedTuple):
    """The arrays that a thread of rollouts works with."""

    rows: Any
    scratch: Any
    tallies: Tallies

    @property
    def chance(self) -> Any:
        return self.scratch["chance"][0]

    @property
    def policy(self) -> Any:
        return self.scratch["policy"][0]

    @property
    def actions(self) -> Any:
        return self.scratch["actions"][0]


def new_scratch(game: Game) -> Any:
    """What a driver needs besides states, as the one row of an array: chance, a second generator, room for actions.

    Numba counts the references to an array whenever it hands one on, but not those to a field of a row.
    """
    fields = [("chance", np.int64, 4), ("policy", np.int64, 4), ("actions", np.int32, game.max_actions)]
    made = np.zeros(1, np.dtype(fields, align=True))
    made["chance"] = made["policy"] = (1, 2, 3, 4)
    return made


def new_features(game: Game, rows: int) -> Any:
    """Room for what a learner sees of that many states."""
    return np.zeros((rows, game.observation_size), game.observation_type)


def workspace(game: Game, rows: int, seats: int) -> Workspace:
    places = max(seats, 1)
    tallies = Tallies(
        np.zeros(6, np.int64),
        np.zeros(places, np.int64),
        np.zeros(places, np.int64),
        np.zeros(places, np.int64),
    )
    return Workspace(game.layout.rows(rows), new_scratch(game), tallies)
