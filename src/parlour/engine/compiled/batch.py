"""A batch on the CPU: one array of states, stepped together by one thread or several."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np

from parlour.engine.batch import Batch
from parlour.engine.chance import seed_words
from parlour.engine.compiled.arrays import as_lines, buffer, row_number, row_numbers, whole_numbers
from parlour.engine.compiled.batch_drivers import CHECK, LIST, MASK, batch_drivers, no_mask
from parlour.engine.compiled.course import Course, Results, payoffs
from parlour.engine.compiled.drivers import new_scratch
from parlour.engine.state import State

NO_NUMBERS = np.zeros(0, np.int64)
MADE_AGAIN = ("_drivers", "_no_mask", "_words", "_payoffs", "_flat", "_over", "_scratch", "_found", "_pool", "_pool_of")


class CpuBatch(Batch):
    """Many matches as a structured array."""

    def _make_rows(self, count: int) -> None:
        self.states, self._opening = self.game.layout.rows(count), self.game.layout.rows(1)
        self.game.layout.write(self.game.blank(self.seats, **self.options), self._opening, 0)
        self._course = Course.of(count, record=self.record)
        self._results = Results.of(count, self.seats)
        self._without_dice = np.zeros(count, np.bool_)
        self._prepare()

    def _prepare(self) -> None:
        """All that is not worth sending to another process."""
        self._drivers = batch_drivers(self.game)
        self._no_mask = no_mask(self.game)
        self._words = np.array(seed_words(self.seed), np.int64)
        self._payoffs = payoffs(self.seats).astype(np.float32).reshape(-1)
        self._flat = self._results.flat()
        self._over = self.states["over"].view(np.bool_)
        self._scratch = [new_scratch(self.game) for _ in range(self.threads)]
        self._found: list[Any] = [np.zeros(0, np.int32)] * self.threads
        self._make_pool()

    def _make_pool(self) -> None:
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._pool_of = os.getpid()

    def __len__(self) -> int:
        return len(self.states)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in MADE_AGAIN}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._prepare()

    def _each_stretch(self, work: Callable[[int, int, int], int]) -> list[int]:
        """Let every thread work on its stretch of the rows: ``work(first, last, thread)``."""
        if self._pool is None:
            return [work(0, len(self), 0)]
        if self._pool_of != os.getpid():  # a forked process has the pool, but none of its threads
            self._make_pool()
        ends = [len(self) * thread // self.threads for thread in range(self.threads + 1)]
        return list(self._pool.map(work, ends[:-1], ends[1:], range(self.threads)))

    # What can be done.

    def _mark(self, mask: Any) -> None:
        lines = as_lines(mask)
        self._each_stretch(lambda first, last, thread: self._legal(MASK, first, last, thread, mask=lines))

    def _list(self, offsets: Any, room: Any) -> Any:
        offsets[0] = 0
        counts = offsets[1:]
        found = self._each_stretch(lambda first, last, thread: self._list_stretch(first, last, thread, counts))
        np.cumsum(counts, out=counts)
        total = int(offsets[-1])
        if isinstance(room, np.ndarray) and room.ndim == 1 and len(room) > total:
            room = room[:total]
        actions = buffer(room, (total,), np.int32, "actions")
        np.concatenate([part[:used] for part, used in zip(self._found, found, strict=True)], out=actions)
        return actions

    def _list_stretch(self, first: int, last: int, thread: int, counts: Any) -> int:
        """Fill the thread's own list, which grows as needed; how many actions there are."""
        stopped = self._legal(LIST, first, last, thread, counts=counts)
        while stopped < last:
            room = 2 * len(self._found[thread]) + self.game.max_actions
            self._found[thread] = np.zeros(room, np.int32)
            stopped = self._legal(LIST, first, last, thread, counts=counts)
        return int(counts[first:last].sum())

    def _legal(
        self,
        mode: int,
        first: int,
        last: int,
        thread: int,
        *,
        mask: Any = None,
        counts: Any = NO_NUMBERS,
        chosen: Any = NO_NUMBERS,
    ) -> int:
        lines, room = self._no_mask if mask is None else mask, self._scratch[thread]
        return int(
            self._drivers.legal_rows(self.states, first, last, mode, lines, counts, self._found[thread], chosen, room)
        )

    def legal(self, row: int) -> list[int]:
        at = row_number(row, len(self))
        only, counts, found = self.states[at : at + 1], np.zeros(1, np.int64), np.zeros(self.game.max_actions, np.int32)
        self._drivers.legal_rows(only, 0, 1, LIST, self._no_mask, counts, found, counts, self._scratch[0])
        return [int(action) for action in found[: counts[0]]]

    def _first_illegal(self, chosen: Any, *, check: bool) -> int:
        def look(first: int, last: int, thread: int) -> int:
            row = self._legal(CHECK, first, last, thread, chosen=chosen)
            return row if row < last else len(self)

        return min(self._each_stretch(look))

    def _play(self, chosen: Any, *, resetting: bool = False) -> None:
        def play(first: int, last: int, thread: int) -> int:
            self._drivers.play_rows(
                self.states,
                first,
                last,
                chosen,
                resetting,
                self._course,
                self._flat,
                self._opening,
                self._words,
                self._payoffs,
                self.auto_reset,
            )
            return 0

        self._each_stretch(play)

    def _make_ready(self) -> None:
        self._results.clear()
        if self.record:
            self._make_room()

    def _make_room(self) -> None:
        longest = int(self.states["ply"].max(initial=0)) + 1
        history = self._course.history
        if longest > history.shape[1]:
            more = np.zeros((len(self), 2 * longest), np.int32)
            more[:, : history.shape[1]] = history
            self._course = self._course._replace(history=more)

    def _count_anew(self) -> None:
        self._words = np.array(seed_words(self.seed), np.int64)
        self._course.upcoming[:] = np.arange(len(self))
        self._course.stride[0] = len(self)

    def _numbers(self, given: Any, what: str) -> Any:
        return whole_numbers(given, what)

    def _on_host(self, rows: Any) -> Any:
        return rows

    # How it stands.

    def _buffer(self, given: Any, shape: tuple[int, ...], kind: Any, what: str) -> Any:
        return buffer(given, shape, kind, what)

    def _copy_all(self, array: Any, target: Any) -> None:
        target[...] = array

    def _see(self, features: Any, seats: Any) -> None:
        lines, given = as_lines(features), NO_NUMBERS if seats is None else seats

        def see(first: int, last: int, thread: int) -> int:
            self._drivers.observe_rows(self.states, first, last, given, lines)
            return 0

        self._each_stretch(see)

    def _tell_results(self, scores: Any, wins: Any) -> None:
        self._drivers.results_rows(self.states, 0, len(self), scores, wins)
        if self.auto_reset:
            ended = self._results.ended | self._results.cut
            scores[ended], wins[ended] = self._results.scores[ended], self._results.wins[ended]

    # Rows.

    def __getitem__(self, rows: Any) -> Self:
        which = row_numbers(rows, len(self))
        chosen = object.__new__(type(self))
        chosen.__dict__.update(self.__getstate__())
        # As plain bytes: of a structured array NumPy copies the fields alone, and leaves what it finds between them.
        chosen.states = self.states.view(f"V{self.states.itemsize}")[which].view(self.states.dtype)
        chosen._opening = self._opening.copy()
        chosen._course, chosen._results = self._course.taken(which), self._results.taken(which)
        chosen._without_dice = self._without_dice[which]
        chosen._prepare()
        return chosen

    def copy_row(self, row: int, to: Any, *, with_chance: bool = False) -> None:
        source, which = row_number(row, len(self)), row_numbers(to, len(self))
        self.states[which] = self.states[source]
        for kept in self._results:
            kept[which] = kept[source]
        course = self._course
        course.history[which] = course.history[source]
        self._without_dice[which] = self._without_dice[source]
        if with_chance:
            course.lanes[which], course.number[which] = course.lanes[source], course.number[source]
        else:
            self._without_dice[which[which != source]] = True

    def state(self, row: int) -> State:
        return self.game.layout.read(self.states, row_number(row, len(self)))

    def _story(self, row: int) -> tuple[int, list[int]]:
        played = self._course.history[row, : int(self.states["ply"][row])]
        return int(self._course.number[row]), [int(action) for action in played]
