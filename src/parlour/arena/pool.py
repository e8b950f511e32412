"""Matches on all cores of this machine: one process per core, one match at a time each.

Workers come from a server process that has loaded all they need, so that a new one is ready at once. One that dies is
replaced and its match played again, at most twice; then the match counts as broken.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from parlour.arena.running import Job, Result, broken, play
from parlour.engine.cores import available_cores

TRIES = 3
PATIENCE = 2.0  # seconds in which an idle worker has left


class Where(Protocol):
    """A place where matches are played."""

    def play(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Every job's result, in the order in which they finish."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *reason: object) -> None: ...


class Worker:
    """A process that plays one match after the other, and the pipe to it."""

    def __init__(self, context: Any) -> None:
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,), daemon=False)
        self.process.start()
        other.close()

    def stop(self, patience: float = 0.0) -> None:
        """End it: one that has nothing to do leaves by itself when its pipe is closed."""
        self.pipe.close()
        self.process.join(patience)
        self.process.terminate()
        self.process.join()
        self.process.close()


class Pool:
    """As many workers as there are cores to use."""

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or len(available_cores())
        self._context = _context()
        self._idle: list[Worker] = []
        self._busy: dict[Worker, Job] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        for worker in self._idle:
            worker.stop(PATIENCE)
        for worker in self._busy:
            worker.stop()
        self._idle, self._busy = [], {}

    def play(self, jobs: Iterable[Job]) -> Iterator[Result]:
        coming, again = iter(jobs), deque[Job]()
        tries: Counter[int] = Counter()
        while True:
            while len(self._busy) < self.cores and (job := again.popleft() if again else next(coming, None)):
                self._give(job)
            if not self._busy:
                return
            for worker, job, result in self._finished():
                if result is not None:
                    self._idle.append(worker)
                    yield result
                    continue
                worker.stop()
                tries[job.number] += 1
                if tries[job.number] < TRIES:
                    again.append(job)
                else:
                    yield broken(job, f"the worker that played it died {TRIES} times")

    def _give(self, job: Job) -> None:
        while True:
            worker = self._idle.pop() if self._idle else Worker(self._context)
            try:
                worker.pipe.send(job)
            except OSError:  # it died while it had nothing to do
                worker.stop()
            else:
                self._busy[worker] = job
                return

    def _finished(self) -> list[tuple[Worker, Job, Result | None]]:
        """Wait; then whoever is done, with the result, or with none if the worker died."""
        ready = set(wait([end for worker in self._busy for end in (worker.pipe, worker.process.sentinel)]))
        done = [worker for worker in self._busy if {worker.pipe, worker.process.sentinel} & ready]
        return [(worker, self._busy.pop(worker), _received(worker)) for worker in done]


def _received(worker: Worker) -> Result | None:
    try:
        result: Result | None = worker.pipe.recv() if worker.pipe.poll() else None
        return result
    except (EOFError, OSError):
        return None


def _context() -> Any:
    """Where there are fork servers, one that has loaded what this process has; else each worker loads it itself."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([name for name in sys.modules if _is_needed(name)])
    return context


def _is_needed(module: str) -> bool:
    return module.startswith("parlour.") and not module.startswith(("parlour.cli", "parlour.tui", "parlour.server"))


def _work(pipe: Connection) -> None:
    """What a worker does. An interrupt is the parent's to handle; when the parent is gone, so is the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    while True:
        try:
            pipe.send(play(pipe.recv()))
        except (EOFError, OSError):
            return


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
