"""A judge on the device: the chances of many observations, the same to the byte as on the CPU.

A block of threads works on a position, a thread for each unit. The threads first look for the rows of weights together,
and list them in the order of the features. Then each adds up its own column of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from parlour.engine.cuda.device import check_device, compiling, is_simulated, launch
from parlour.engine.judge.arithmetic import BITS, FARTHEST, KNOT_BITS, ONE, PARTS, TOTAL_BITS, Weights
from parlour.engine.judge.file import Judge

STRETCH = 2048  # features whose rows are listed at a time
FURTHEST = FARTHEST << TOTAL_BITS

device = cuda.jit(device=True)


@device
def list_rows(seen, line, begin, end, weights, counts, active):
    """List the rows of the features from begin to end that are not 0; how many there are. All threads work on it."""
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    each = (end - begin + threads - 1) // threads
    first, last = begin + thread * each, min(begin + (thread + 1) * each, end)
    found = 0
    for place in range(first, last):
        value = seen[line + place]
        if value != 0 and min(max(value, weights.low[place]), weights.high[place]) != 0:
            found += 1
    cuda.syncthreads()  # the list before this one has been read
    counts[thread] = found
    cuda.syncthreads()
    step = 1
    while step < threads:  # each count becomes the sum of those up to it, of twice as many at every step
        before = counts[thread - step] if thread >= step else 0
        cuda.syncthreads()
        counts[thread] += before
        cuda.syncthreads()
        step *= 2
    at, total = counts[thread] - found, counts[threads - 1]
    for place in range(first, last):
        value = seen[line + place]
        if value != 0:
            value = min(max(value, weights.low[place]), weights.high[place])
            if value != 0:
                active[at] = weights.first[place] + value
                at += 1
    cuda.syncthreads()
    return total


@device
def knot_of(seen, line, weights, number):
    """Of a number of many values: the first of its two rows, and how far it is to the second, of 2 ** PARTS."""
    value = seen[line + weights.wide[number]]
    above = min(max(value, weights.wide_low[number]), weights.wide_high[number]) - weights.wide_low[number]
    bits = weights.wide_bits[number]
    knot = above >> bits
    part = above - (knot << bits)
    part = part << PARTS - bits if bits < PARTS else part >> bits - PARTS
    return weights.wide_first[number] + knot, int(part)


@device
def add_up(values):
    """The sum of an item of every thread, for all of them."""
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    half = 1
    while half < threads:
        half *= 2
    while half > 1:
        half //= 2
        cuda.syncthreads()
        if thread < half and thread + half < threads:
            values[thread] += values[thread + half]
    cuda.syncthreads()
    return values[0]


def make_judge_lines(size, threads):
    """A kernel: (seen, skipped, weights, found). The features of the lines follow each other."""
    stretch = min(STRETCH, size)

    @cuda.jit
    def judge_lines(seen, skipped, weights, found):
        counts = cuda.shared.array(threads, np.int32)  # the simulator tells shared arrays apart by their lines
        active = cuda.shared.array(stretch, np.int32)
        parts = cuda.shared.array(threads, np.int32)
        line, unit = cuda.blockIdx.x, cuda.threadIdx.x
        if skipped[line]:
            return
        total = np.int32(weights.bias[unit])
        for begin in range(0, size, stretch):
            listed = list_rows(seen, line * size, begin, min(begin + stretch, size), weights, counts, active)
            for place in range(listed):
                total += weights.hidden[active[place], unit]
        for number in range(len(weights.wide)):
            row, part = knot_of(seen, line * size, weights, number)
            near, far = np.int32(weights.hidden[row, unit]), np.int32(weights.hidden[row + 1, unit])
            total += near * ((1 << PARTS) - part) + far * part >> PARTS
        level = min(max(total, 0), ONE)
        parts[unit] = (level * level >> BITS) * weights.output[unit]
        whole = add_up(parts)
        if unit == 0:
            above = min(max(whole + weights.final[0] + FURTHEST, 0), 2 * FURTHEST - 1)
            knot = above >> KNOT_BITS
            part = above - (knot << KNOT_BITS)
            chance = weights.chance[knot]
            found[line] = chance + ((weights.chance[knot + 1] - chance) * part >> KNOT_BITS)

    return judge_lines


class LineJudge:
    """Judges lines of features of one game, with judges of so many units."""

    def __init__(self, name: str, size: int, units: int) -> None:
        check_device()
        self.name, self.units = name, units
        self._kernel = make_judge_lines(size, units)
        self._is_compiled = is_simulated()

    def __call__(self, seen: Any, skipped: Any, weights: Weights, found: Any) -> None:
        """The chance of whoever sees each line, from 0 to WHOLE; of those that are skipped, nothing is said."""
        if len(found) and not self._is_compiled:
            with compiling(self.name, "judge"):
                launch(self._kernel, len(found), self.units, seen, skipped, weights, found)
            self._is_compiled = True
        elif len(found):
            launch(self._kernel, len(found), self.units, seen, skipped, weights, found)


def on_device(judge: Judge) -> Weights:
    """A judge's weights on the device."""
    return Weights(*(cuda.to_device(column) for column in judge.weights))


def chances_seen(judge: Judge, seen: Any) -> Any:
    """The chance of whoever sees each line of features, from 0 to WHOLE: from an array of the host or of the device."""
    check_device()
    given = cuda.as_cuda_array(seen) if hasattr(seen, "__cuda_array_interface__") else cuda.to_device(seen)
    lines = len(given)
    found, skipped = cuda.to_device(np.zeros(lines, np.int32)), cuda.to_device(np.zeros(lines, np.bool_))
    judged = LineJudge(judge.game.name, judge.game.observation_size, judge.units)
    judged(given.reshape(-1), skipped, on_device(judge), found)
    return found.copy_to_host()
