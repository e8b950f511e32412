"""The kernels: what every thread of the device does. The same code runs in Numba's simulator, thread by thread."""

from __future__ import annotations

import numpy as np
from numba import cuda

from parlour.engine.compiled.drivers import NONE, PLIES, SHARED, SOLE, TURNS, UNFINISHED, WIN

COUNTS = 6
FEW_SEATS = 8  # with more, a thread adds to the sums of all at once instead of to sums of its own


def make_rollout(parts, seats, limit):
    """Whole random games, tallied. A thread takes a new game as soon as its own is over.

    All threads of a warp go on for ``burst`` plies before those that are done begin anew: beginning costs more than a
    ply, and together it costs no more than alone.
    """
    new_state, new_chance, begin_game, play_ply = parts.new_state, parts.new_chance, parts.begin_game, parts.play_ply
    score, won, order, widened = parts.score, parts.won, parts.order, parts.widened
    few = seats <= FEW_SEATS
    sums = COUNTS + 3 * seats if few else COUNTS
    wins_at, order_at, scores_at = COUNTS, COUNTS + seats, COUNTS + 2 * seats

    @parts.device
    def is_going_on(state):
        return state.over == 0 and state.ply < limit

    @parts.device
    def tally(state, own, wins, by_order, scores):
        own[PLIES] += widened(state.ply)
        own[TURNS] += widened(state.turns)
        if state.over == 0:
            own[UNFINISHED] += 1
            return
        winners = 0
        for seat in range(seats):
            if few:
                own[scores_at + seat] += widened(score(state, seat))
            else:
                cuda.atomic.add(scores, seat, widened(score(state, seat)))
            winners += 1 if won(state, seat) else 0
        if winners == 0:
            own[NONE] += 1
            return
        own[SOLE if winners == 1 else SHARED] += 1
        for seat in range(seats):
            if won(state, seat):
                if few:
                    own[wins_at + seat] += WIN // winners
                    own[order_at + widened(order(state, seat))] += WIN // winners
                else:
                    cuda.atomic.add(wins, seat, WIN // winners)
                    cuda.atomic.add(by_order, widened(order(state, seat)), WIN // winners)

    @cuda.jit
    def rollout(words, first, games, taken, burst, chunk, counts, wins, by_order, scores):
        state, chance, policy = new_state(), new_chance(), new_chance()
        own = cuda.local.array(sums, np.int64)
        for place in range(sums):
            own[place] = 0
        number = cuda.atomic.add(taken, 0, chunk)
        last = number + chunk
        if number < games:
            begin_game(state, chance, policy, words, first + number)
        while number < games:
            for _ in range(burst):
                if is_going_on(state):
                    play_ply(state, chance, policy)
            if not is_going_on(state):
                tally(state, own, wins, by_order, scores)
                number += 1
                if number == last:
                    number = cuda.atomic.add(taken, 0, chunk)
                    last = number + chunk
                if number < games:
                    begin_game(state, chance, policy, words, first + number)
        for place in range(COUNTS):
            cuda.atomic.add(counts, place, own[place])
        if few:
            for seat in range(seats):
                cuda.atomic.add(wins, seat, own[wins_at + seat])
                cuda.atomic.add(by_order, seat, own[order_at + seat])
                cuda.atomic.add(scores, seat, own[scores_at + seat])

    return rollout
