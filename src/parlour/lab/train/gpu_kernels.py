"""What the threads of a GPU do while a judge is trained. The same code runs in Numba's simulator.

What is random comes from hashes of where it is needed: the same seed gives the same training.
"""

from __future__ import annotations

import math

import numpy as np
from numba import cuda

from parlour.engine.compiled.course import NO_ACTION
from parlour.engine.cuda.judging import STRETCH, add_up, device, knot_of, list_rows
from parlour.engine.judge.arithmetic import PARTS, WHOLE
from parlour.lab.train.network import LARGEST, MOMENTUM, SPREAD, TINY

MASK = 0xFFFFFFFF
UNKNOWN = np.float32(-1)
FINE = 2.0**32  # gradients are added up as whole numbers of this fineness, so that their order does not matter
GAMES, CUT = range(2)  # what is counted


@device
def mixed(one, other):
    """A number of 32 bits that looks random, of two numbers. The last steps are those of MurmurHash3."""
    word = (int(one) * 0x9E3779B1 + int(other)) & MASK
    word ^= word >> 16
    word = (word * 0x85EBCA6B) & MASK
    word ^= word >> 13
    word = (word * 0xC2B2AE35) & MASK
    return word ^ (word >> 16)


@device
def share_of(wins, row, seats, seat):
    """What the end of a match is worth to a seat: winners share the win; if nobody has won, all seats do."""
    winners = 0
    for other in range(seats):
        winners += 1 if wins[row * seats + other] else 0
    if winners == 0:
        return 1.0 / seats if seats > 1 else 0.0
    return 1.0 / winners if wins[row * seats + seat] else 0.0


@cuda.jit
def set_owners(offsets, owners):
    """The row that each legal action belongs to."""
    row = cuda.grid(1)
    if row < len(offsets) - 1:
        for place in range(offsets[row], offsets[row + 1]):
            owners[place] = row


@cuda.jit
def set_trials(owners, actions, first, throws, to_move, sources, chosen, movers):
    """Which action each trial tries, and in which row's position; there are several trials of an action."""
    trial = cuda.grid(1)
    if trial < len(chosen):
        place = (first + trial) // throws
        chosen[trial] = actions[place] if place < len(actions) else NO_ACTION
        sources[trial] = owners[place] if place < len(actions) else 0
        movers[trial] = to_move[sources[trial]]


@cuda.jit
def set_worths(over, wins, seats, views, movers, found, first, worths):
    """What each trial was worth to the seat that moved."""
    trial = cuda.grid(1)
    if trial < len(over) and first + trial < len(worths):
        if over[trial]:
            worths[first + trial] = share_of(wins, trial, seats, movers[trial])
        else:
            chance = found[trial] / WHOLE
            worths[first + trial] = chance if views[trial] == movers[trial] else 1.0 - chance


@cuda.jit
def choose(offsets, actions, worths, throws, plies, begun, seed, early, slips, temperature, chosen, was_random):
    """A good action for each row, now and then one that is a little less good, and seldom just any."""
    row = cuda.grid(1)
    if row >= len(chosen):
        return
    begin, end = offsets[row], offsets[row + 1]
    word = mixed(seed, row)
    opening = mixed(mixed(row, begun[row]), 1) % (early + 1)
    just_any = end - begin > 1 and (plies[row] < opening or word % 1000 < slips)
    was_random[row] = just_any
    best, best_score = begin, -1.0e30
    for place in range(begin, end):
        worth = 0.0
        for throw in range(throws):
            worth += worths[place * throws + throw]
        even = (mixed(word, place - begin + 2) + 0.5) / FINE
        score = -math.log(-math.log(even)) * temperature + worth / throws
        if just_any:
            score = even
        if score > best_score:
            best, best_score = place, score
    chosen[row] = actions[best]


@cuda.jit
def set_views(to_move, seat, views):
    """From whose view a position is looked at: the seat's, or if that is below 0, that of the seat to move."""
    row = cuda.grid(1)
    if row < len(views):
        views[row] = to_move[row] if seat < 0 else seat


@cuda.jit
def note_worths(ended, cut, wins, seats, views, found, worths, lasts, begun, counts):
    """What the position after a ply is worth to each seat. ``views`` and ``found`` are for one view after the other."""
    row = cuda.grid(1)
    if row >= len(ended):
        return
    lasts[row] = ended[row] or cut[row]
    if lasts[row]:
        begun[row] += 1
        cuda.atomic.add(counts, GAMES if ended[row] else CUT, 1)
    for seat in range(seats):
        if ended[row]:
            worth = share_of(wins, row, seats, seat)
        elif cut[row]:
            worth = UNKNOWN
        elif seats == 2:
            chance = found[row] / WHOLE
            worth = chance if views[row] == seat else 1.0 - chance
        else:
            worth = found[seat * len(ended) + row] / WHOLE
        worths[row * seats + seat] = worth


@cuda.jit
def set_targets(worths, lasts, was_random, views, rows, seats, seed, decay, targets):
    """What every position turned out to be worth: TD(λ), backwards through the plies. Below 0: not known."""
    row = cuda.grid(1)
    if row >= rows:
        return
    plies = len(lasts) // rows
    looks = len(targets) // len(lasts)
    for seat in range(seats):
        lasting = UNKNOWN
        for ply in range(plies - 1, -1, -1):
            here = ply * rows + row
            known = lasting >= 0 and not lasts[here]
            if looks == 1 and views[here] == seat:
                targets[here] = lasting if known else UNKNOWN
            elif looks > 1:
                # One view of each position is enough: those of the others tell little more, and take as long.
                is_kept = mixed(mixed(seed, ply), row) % looks == seat
                targets[(ply * looks + seat) * rows + row] = lasting if known and is_kept else UNKNOWN
            worth = worths[here * seats + seat]
            if worth < 0 or was_random[here]:
                # What came after a random action says nothing of the position before it.
                lasting = UNKNOWN
            elif lasts[here] or lasting < 0:
                lasting = worth
            else:
                lasting = worth + decay * (lasting - worth)


def make_learning(size, units):
    """The kernel that adds up a gradient, for games that show so many numbers."""
    stretch = min(STRETCH, size)

    @cuda.jit
    def add_gradients(seen, targets, order, first, columns, net, gradient, losses):
        """A block for each position. ``net`` is hidden, bias, output and final, one after the other."""
        counts = cuda.shared.array(units, np.int32)  # the simulator tells shared arrays apart by their lines
        active = cuda.shared.array(stretch, np.int32)
        parts = cuda.shared.array(units, np.float32)
        sample, unit = order[first + cuda.blockIdx.x], cuda.threadIdx.x
        line, target = sample * size, targets[sample]
        bias_at = len(net) - 2 * units - 1
        output_at = bias_at + units
        level = net[bias_at + unit]
        for begin in range(0, size, stretch):
            listed = list_rows(seen, line, begin, min(begin + stretch, size), columns, counts, active)
            for place in range(listed):
                level += net[active[place] * units + unit]
        for number in range(len(columns.wide)):
            row, part = knot_of(seen, line, columns, number)
            share = np.float32(part) / np.float32(1 << PARTS)
            level += (1 - share) * net[row * units + unit] + share * net[(row + 1) * units + unit]
        level = min(max(level, np.float32(0)), np.float32(1))
        parts[unit] = level * level * net[output_at + unit]
        total = add_up(parts) + net[len(net) - 1]
        chance = 1 / (1 + math.exp(-total))
        error = chance - target
        slope = error * net[output_at + unit] * 2 * level if level < 1 else 0.0
        if unit == 0:
            cuda.atomic.add(gradient, len(net) - 1, int(error * FINE))
            sure = min(max(chance, 1e-6), 1 - 1e-6)
            loss = -(target * math.log(sure) + (1 - target) * math.log(1 - sure))
            cuda.atomic.add(losses, 0, int(loss * FINE))
        cuda.atomic.add(gradient, output_at + unit, int(error * level * level * FINE))
        whole = int(slope * FINE)
        cuda.atomic.add(gradient, bias_at + unit, whole)
        for begin in range(0, size, stretch):
            if size > stretch:
                listed = list_rows(seen, line, begin, min(begin + stretch, size), columns, counts, active)
            if whole != 0:
                for place in range(listed):
                    cuda.atomic.add(gradient, active[place] * units + unit, whole)
        if whole != 0:
            for number in range(len(columns.wide)):
                row, part = knot_of(seen, line, columns, number)
                cuda.atomic.add(gradient, row * units + unit, whole * ((1 << PARTS) - part) >> PARTS)
                cuda.atomic.add(gradient, (row + 1) * units + unit, whole * part >> PARTS)

    return add_gradients


@cuda.jit
def descend(net, gradient, mean, square, count, rate, along, across):
    """One step of Adam. The gradient is cleared."""
    place = cuda.grid(1)
    if place < len(net):
        slope = gradient[place] / FINE / count
        gradient[place] = 0
        mean[place] += (1 - MOMENTUM) * (slope - mean[place])
        square[place] += (1 - SPREAD) * (slope * slope - square[place])
        step = rate * (mean[place] / along) / (math.sqrt(square[place] / across) + TINY)
        net[place] = min(max(net[place] - step, -LARGEST), LARGEST)
