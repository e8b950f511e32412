"""A batch on a GPU: the same verbs, rows and games as those of the batch on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from parlour.engine.chance import seed_words
from parlour.engine.compiled.arrays import whole_numbers
from parlour.engine.compiled.course import Results
from parlour.engine.cuda.arrays import Array, is_on_device
from parlour.engine.cuda.batch_kernels import add_up, as_numbers, clear_items, is_staged, set_offsets
from parlour.engine.cuda.batch_parts import THREADS
from parlour.engine.cuda.batch_rows import Rows, on_host
from parlour.engine.cuda.cache import is_warm
from parlour.engine.cuda.device import compiling, is_simulated, launch

STRETCH = 256  # rows whose counts one thread adds up


class CudaBatch(Rows):
    """Many matches in the memory of the device."""

    _where = " on the GPU"

    def _run(self, kernel: str, *arguments: Any) -> None:
        """Let a kernel work on all rows."""
        if self._rows:
            run = getattr(self._kernels, kernel)
            if not is_simulated() and not is_warm(run):
                with compiling(self.game.name, kernel.replace("_", " ")):
                    return self._launch(run, *arguments)
            self._launch(run, *arguments)
        return None

    def _launch(self, run: Any, *arguments: Any) -> None:
        threads = min(THREADS, self._rows)
        launch(run, -(-self._rows // threads), threads, self._columns, self._capacity, self._rows, *arguments)

    # What can be done.

    def _mark(self, mask: Array) -> None:
        self._fill_lines("mask_rows", mask)

    def _fill_lines(self, kernel: str, lines: Array) -> None:
        if not is_staged(lines.shape[1], lines.dtype):
            self._clear(lines)
        self._run(kernel, lines.flat)

    def _clear(self, array: Array) -> None:
        if array.size:
            blocks, threads = (1, 1) if is_simulated() else (min(-(-array.size // THREADS), 4096), THREADS)
            launch(clear_items, blocks, threads, array.flat)

    def _list(self, offsets: Array, room: Any) -> Array:
        total = self._set_offsets(offsets)
        if room is not None and is_on_device(room) and len(Array.of(room).shape) == 1 and len(Array.of(room)) > total:
            room = Array(Array.of(room).flat[:total], (total,))
        actions = self._buffer(room, (total,), np.int32, "actions")
        if total:
            self._run("list_rows", offsets.flat, actions.flat)
        return actions

    def _set_offsets(self, offsets: Array) -> int:
        """Where each row begins; how many actions there are in all."""
        if not len(self):
            offsets.flat.copy_to_device(np.zeros(1, np.int64))
            return 0
        counts = cuda.device_array(len(self), np.int64)
        self._run("count_rows", counts)
        stretches = -(-len(self) // STRETCH)
        sums = cuda.device_array(stretches, np.int64)
        blocks = -(-stretches // THREADS), min(THREADS, stretches)
        launch(add_up, *blocks, counts, len(self), STRETCH, sums)
        ends = np.cumsum(sums.copy_to_host())
        before = cuda.to_device(np.concatenate([[0], ends[:-1]]))
        launch(set_offsets, *blocks, counts, len(self), STRETCH, before, offsets.flat)
        return int(ends[-1])

    def legal(self, row: int) -> list[int]:
        return self.game.legal_actions(self.state(row))

    def _first_illegal(self, chosen: Array, *, check: bool) -> int:
        if not check:
            return len(self)
        self._run("check_rows", chosen.flat, self._illegal)
        row = int(self._illegal.copy_to_host()[0])
        if row < len(self):
            self._illegal.copy_to_device(np.array([len(self)], np.int64))
        return row

    def _play(self, chosen: Array, *, resetting: bool = False) -> None:
        course = (self._lanes, self._number, self._upcoming, self._stride)
        results = Results(*(kept.flat for kept in self._results))
        told = (self._words, self._payoffs, self.auto_reset, self._history)
        self._run("play_rows", chosen.flat, resetting, *course, results, *told)

    def _begins(self, rows: Any) -> Array:
        """Truth values that are on the device stay there, and the host does not wait."""
        flags = Array.of(rows) if rows is not None and is_on_device(rows) else None
        if flags is None or flags.dtype != np.bool_ or flags.shape != (len(self),) or self._without_dice.any():
            found: Array = super()._begins(rows)
            return found
        begins = Array.new(flags.shape, np.int64)
        if self._rows:
            threads = min(THREADS, self._rows)
            launch(as_numbers, -(-self._rows // threads), threads, flags.flat, begins.flat)
        return begins

    def _count_anew(self) -> None:
        self._words = cuda.to_device(np.array(seed_words(self.seed), np.int64))
        self._upcoming, self._stride = cuda.to_device(np.arange(self._capacity)), len(self)

    # How it stands.

    def _see(self, features: Array, seats: Any) -> None:
        if seats is None:
            self._fill_lines("observe_rows", features)
        else:
            observe_unchecked(self, cuda.to_device(seats), features)

    def _copy_all(self, array: Array, target: Array) -> None:
        if target.size:
            target.flat.copy_to_device(array.flat[: target.size])

    def _tell_results(self, scores: Array, wins: Array) -> None:
        kept = self._results
        nothing = cuda.to_device(np.zeros(0, np.bool_))
        ended, cut = (kept.ended.flat, kept.cut.flat) if self.auto_reset else (nothing, nothing)
        self._run("results_rows", ended, cut, kept.scores.flat, kept.wins.flat, scores.flat, wins.flat)

    def _on_host(self, rows: Any) -> Any:
        return on_host(rows)

    def _numbers(self, given: Any, what: str) -> Array:
        if is_on_device(given):
            found = Array.of(given)
            if found.dtype.kind not in "iu":
                raise TypeError(f"{what} are whole numbers, not {found.dtype}")
            return found
        on_host = whole_numbers(given, what)
        return Array(cuda.to_device(on_host.reshape(-1)), on_host.shape)

    def _buffer(self, given: Any, shape: tuple[int, ...], kind: Any, what: str) -> Array:
        if given is None:
            return Array.new(shape, kind)
        if not is_on_device(given):
            raise TypeError(f"a buffer for {what} is an array on the device, not a {type(given).__name__}")
        found = Array.of(given)
        if found.dtype != np.dtype(kind):
            raise TypeError(f"a buffer for {what} has the type {np.dtype(kind)}, not {found.dtype}")
        if found.shape != shape:
            raise ValueError(f"a buffer for {what} has the shape {shape}, not {found.shape}")
        return found


def observe_unchecked(batch: CudaBatch, seats: Any, features: Array) -> None:
    """What each row's seat sees. The seats are whole numbers of 64 bits on the device, and the host does not wait."""
    batch._clear(features)
    batch._run("observe_from", seats, features.flat)
