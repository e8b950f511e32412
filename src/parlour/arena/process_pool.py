"""Jobs on all cores of this machine: one process per core, one job at a time each.

Workers come from a server process that has loaded all they need, so that a new one is ready at once. One that dies is
replaced and its job done again, at most twice; then ``broken`` says what becomes of it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Self, TypeVar

from parlour.engine.cores import available_cores

TRIES = 3
PATIENCE = 2.0  # seconds in which an idle worker has left

Job = TypeVar("Job")
Done = TypeVar("Done")


class Worker:
    """A process that does one job after the other, and the pipe to it."""

    def __init__(self, context: Any, work: Callable[[Any], Any]) -> None:
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, work), daemon=False)
        self.process.start()
        other.close()

    def stop(self, patience: float = 0.0) -> None:
        """End it: one that has nothing to do leaves by itself when its pipe is closed."""
        self.pipe.close()
        self.process.join(patience)
        self.process.terminate()
        self.process.join()
        self.process.close()


@dataclass
class _Attempt(Generic[Job]):
    job: Job
    tries: int = 0


class ProcessPool(Generic[Job, Done]):
    """As many workers as there are cores to use. Jobs and what comes of them are pickled on their way."""

    def __init__(
        self, work: Callable[[Job], Done], broken: Callable[[Job, str], Done], cores: int | None = None
    ) -> None:
        self.cores = cores or len(available_cores())
        self._work = work
        self._broken = broken
        self._context = _context()
        self._idle: list[Worker] = []
        self._busy: dict[Worker, _Attempt[Job]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        for worker in self._idle:
            worker.stop(PATIENCE)
        self._idle = []
        self._stop_busy()

    def _stop_busy(self) -> None:
        for worker in self._busy:
            worker.stop()
        self._busy = {}

    def run(self, jobs: Iterable[Job]) -> Iterator[Done]:
        """What comes of every job, in the order in which they finish. What an earlier run has left is given up."""
        self._stop_busy()
        coming, again = iter(jobs), deque[_Attempt[Job]]()
        while True:
            while len(self._busy) < self.cores and (attempt := again.popleft() if again else _next(coming)):
                self._give(attempt)
            if not self._busy:
                return
            for worker, attempt, done in self._finished():
                if done is not None:
                    self._idle.append(worker)
                    yield done
                    continue
                worker.stop()
                attempt.tries += 1
                if attempt.tries < TRIES:
                    again.append(attempt)
                else:
                    yield self._broken(attempt.job, f"the worker that played it died {TRIES} times")

    def _give(self, attempt: _Attempt[Job]) -> None:
        while True:
            worker = self._idle.pop() if self._idle else Worker(self._context, self._work)
            try:
                worker.pipe.send(attempt.job)
            except OSError:  # it died while it had nothing to do
                worker.stop()
            else:
                self._busy[worker] = attempt
                return

    def _finished(self) -> list[tuple[Worker, _Attempt[Job], Done | None]]:
        """Wait; then whoever is done, with what came of it, or with nothing if the worker died."""
        ready = set(wait([end for worker in self._busy for end in (worker.pipe, worker.process.sentinel)]))
        done = [worker for worker in self._busy if {worker.pipe, worker.process.sentinel} & ready]
        return [(worker, self._busy.pop(worker), _received(worker)) for worker in done]


def _next(jobs: Iterator[Job]) -> _Attempt[Job] | None:
    return next((_Attempt(job) for job in jobs), None)


def _received(worker: Worker) -> Any:
    try:
        return worker.pipe.recv() if worker.pipe.poll() else None
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
    return module.startswith("parlour.") and not module.startswith(("parlour.cli", "parlour.server"))


def _work(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """What a worker does. An interrupt is the parent's to handle; when the parent is gone, so is the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    while True:
        try:
            pipe.send(work(pipe.recv()))
        except (EOFError, OSError):
            return


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
