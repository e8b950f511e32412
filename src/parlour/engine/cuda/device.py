"""Whether there is a GPU to use; where there is none, one line says why."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np

from parlour.engine.errors import ParlourError, first_line

# What numba-cuda asks NumPy for, and newer versions of NumPy call otherwise.
RENAMED = {"in1d": "isin", "row_stack": "vstack", "trapz": "trapezoid"}


def is_simulated() -> bool:
    """Whether Numba's simulator plays the device."""
    config: Any = numba.config  # its settings are made at run time
    return bool(config.ENABLE_CUDASIM)


def check_device() -> None:
    """An error that says what is missing, unless kernels can run."""
    reason = missing()
    if reason:
        raise ParlourError(reason)
    for name, now in RENAMED.items():
        if not hasattr(np, name):
            setattr(np, name, getattr(np, now))


def missing() -> str:
    """What is missing for kernels to run, in one line; nothing where they can."""
    if importlib.util.find_spec("numba_cuda") is None:
        return "the GPU needs numba-cuda: pip install 'parlour[cuda]'"
    if is_simulated():
        return ""
    try:
        from numba import cuda

        devices = len(cuda.gpus)
    except Exception as error:  # the driver's own, of many kinds
        words = " ".join(str(error).split()).rstrip(" :")
        return f"there is no GPU that CUDA can use here: {words or first_line(error)}"
    return "" if devices else "there is no GPU that CUDA can use here: the driver finds none"


def launch(kernel: Any, blocks: int, threads: int, *arguments: Any) -> None:
    """Run a kernel. That a small batch leaves most of the GPU idle is no news, and Numba need not warn of it."""
    config: Any = numba.config
    before = config.CUDA_LOW_OCCUPANCY_WARNINGS
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    try:
        configured = kernel[blocks, threads]
    finally:
        config.CUDA_LOW_OCCUPANCY_WARNINGS = before
    configured(*arguments)


@contextmanager
def compiling(game: str, what: str) -> Iterator[None]:
    """Within this, a kernel is compiled: somebody waits, and is told; errors of the compiler become one of ours."""
    print(f"Compiling the {what} of {game} for the GPU …", end="", file=sys.stderr, flush=True)
    began, outcome = time.perf_counter(), "failed after"
    try:
        yield
        outcome = "done in"
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("numba", "numba_cuda", "llvmlite"):
            raise
        raise ParlourError(f"the {what} of {game} does not compile for the GPU: {first_line(error)}") from error
    finally:
        print(f" {outcome} {time.perf_counter() - began:.1f} s.", file=sys.stderr, flush=True)
