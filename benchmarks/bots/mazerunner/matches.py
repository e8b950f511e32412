"""Compiled matches of mazerunner between two styles of play, and the positions that they go through."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine import below, registry
from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, seed_stream, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import jit, new_scratch
from parlour.engine.game import Game
from parlour.engine.turns import advance, begin
from parlour.games.mazerunner.bots.features import FEATURES, see
from parlour.games.mazerunner.bots.pathfinding import ROOM
from parlour.games.mazerunner.bots.policy import decide
from parlour.games.mazerunner.bots.style import THUMB, Style
from parlour.games.mazerunner.rules.actions import CHOOSE, DICE
from parlour.games.mazerunner.rules.runner import is_alive

MOST_POSITIONS = 1000  # of one match


def make_play(game: Game) -> Callable[..., int]:
    setup, legal, apply, won, limit = game.setup, game.legal, game.apply, game.won, game.ply_limit

    @jit
    def play(
        rows: Any,
        scratch: Any,
        words: Any,
        number: int,
        one: Any,
        other: Any,
        who: Any,
        kept: int,
        slips: int,
        room: Any,
        seen: Any,
        living: Any,
        shares: Any,
    ) -> int:
        """Play one match, and return how many of its positions were noted. ``kept`` and ``slips`` are of a thousand."""
        chance, own, actions = scratch[0].chance, scratch[0].policy, scratch[0].actions
        state = rows[0]
        seed_stream(chance, words, number, GAME_STREAM)
        seed_stream(own, words, number, POLICY_STREAM)
        begin(setup, state, chance, None)
        noted, last = 0, -1
        while not state.over and state.ply < limit:
            if state.phase == CHOOSE and state.turns != last:
                last = state.turns
                if last >= state.seats and below(own, 1000) < kept and noted < len(seen):
                    for seat in range(state.seats):
                        see(state, seat, seen[noted, seat])
                        living[noted, seat] = is_alive(state, seat)
                    noted += 1
            count = legal(state, actions)
            action = decide(state, other if who[state.to_move] else one, actions, count, room)
            if slips > 0 and count > 1 and state.phase != DICE and below(own, 1000) < slips:
                action = int(actions[below(own, count)])
            advance(apply, state, np.int64(action), chance, None)
        winners = 0
        for seat in range(state.seats):
            shares[seat] = 1.0 if state.over and won(state, seat) else 0.0
            winners += shares[seat]
        for seat in range(state.seats):
            shares[seat] = shares[seat] / winners if winners else 1.0 / state.seats
        return noted

    return play


class Matches:
    """Plays one match after the other, with so many seats."""

    def __init__(self, seats: int) -> None:
        self.seats, self._game = seats, registry.get("mazerunner")
        self._blank, self._rows = self._game.layout.rows(1), self._game.layout.rows(1)
        self._game.layout.write(self._game.blank(seats, **self._game.resolve_options({})), self._blank, 0)
        self._scratch, self._room = new_scratch(self._game), np.zeros(ROOM, np.int64)
        self._seen = np.zeros((MOST_POSITIONS, seats, FEATURES), np.int64)
        self._living = np.zeros((MOST_POSITIONS, seats), np.bool_)
        self._run = compiled_play(self._game)

    def play(
        self, one: Style, other: Style, who: NDArray[np.int64], seed: int, number: int, kept: int = 0, slips: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.bool_]]:
        """Each seat's share of the win; the positions noted, by seat; and who was alive in them.

        ``who`` has 1 for each seat that plays in the other style.
        """
        shares = np.zeros(self.seats)
        self._rows[0] = self._blank[0]
        words = np.array(seed_words(seed), np.int64)
        told = (one, other, who, kept, slips, self._room, self._seen, self._living, shares)
        noted = self._run(self._rows, self._scratch, words, number, *told)
        return shares, self._seen[:noted].astype(np.int8), self._living[:noted].copy()


@cache
def compiled_play(game: Game) -> Callable[..., int]:
    """The compiled match; compiled now, or taken from the cache."""
    with compiling(game, "matches.make_play", "matches of styles", [decide, see]):
        play, rows = make_play(game), game.layout.rows(1)
        game.layout.write(game.blank(2, **game.resolve_options({})), rows, 0)
        room, seen = np.zeros(ROOM, np.int64), np.zeros((0, 2, FEATURES), np.int64)
        told = (THUMB, THUMB, np.zeros(2, np.int64), 0, 0, room, seen, np.zeros((0, 2), np.bool_), np.zeros(2))
        play(rows, new_scratch(game), np.ones(4, np.int64), 0, *told)
    return play
