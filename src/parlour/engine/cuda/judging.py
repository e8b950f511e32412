"""A judge on the device: the chances of many observations, the same to the byte as on the CPU."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from parlour.engine.cuda.device import check_device, compiling, is_simulated, launch
from parlour.engine.judge.arithmetic import Weights, add_rows, add_wide, chance_of, chance_seen, find_rows, weigh
from parlour.engine.judge.file import Judge

THREADS = 128


def make_kernel(judged, size, units):
    """A thread for every line of features."""

    @cuda.jit
    def judge_rows(seen, weights, found):
        row = cuda.grid(1)
        if row < seen.shape[0]:
            active, sums = cuda.local.array(size, np.int32), cuda.local.array(units, np.int32)
            found[row] = judged(seen[row], weights, active, sums)

    return judge_rows


def translated() -> Any:
    """The judge's arithmetic as a function of the device."""
    from numba.cuda.extending import register_jitable

    for function in (find_rows, add_rows, add_wide, weigh, chance_of):
        register_jitable(function)
    return cuda.jit(device=True)(chance_seen)


@cache
def _kernel(size: int, units: int) -> Any:
    if is_simulated():
        return make_kernel(chance_seen, size, units)
    return make_kernel(translated(), size, units)


def chances_seen(judge: Judge, seen: Any) -> Any:
    """The chance of whoever sees each line of features, from 0 to WHOLE: from an array of the host or of the device."""
    check_device()
    given = cuda.as_cuda_array(seen) if hasattr(seen, "__cuda_array_interface__") else cuda.to_device(seen)
    weights = Weights(*(cuda.to_device(column) for column in judge.weights))
    found = cuda.to_device(np.zeros(len(given), np.int32))
    kernel = _kernel(judge.game.observation_size, judge.units)
    with compiling(judge.game.name, "judge"):
        launch(kernel, -(-len(given) // THREADS), THREADS, given, weights, found)
    return found.copy_to_host()
