"""Jobs on all cores of this machine: one process per core, one job at a time each.

Workers come from a server process that has loaded all they need, so that a new one is ready at once. One that dies is
replaced and its job done again, at most twice; then ``broken`` says what becomes of it.
"""

from __future__ import annotations

import contextlib
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

    def __init__(self, context: Any, work: Callable[[Any], Any], core: int | None) -> None:
        self.core = core
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, work, core), daemon=False)
        self.process.start()
        other.close()

    def stop(self, patience: float = 0.0) -> None:
        """End it: one that has nothing to do leaves by itself when it is told that there is nothing more."""
        if patience:
            with contextlib.suppress(OSError):
                self.pipe.send(None)
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
    """As many workers as there are cores to use. Jobs and what comes of them are pickled on their way.

    ``context`` is how processes are started. With ``pinned``, each worker stays on a core of its own, if there are
    enough: for jobs that take turns with other processes.
    """

    def __init__(
        self,
        work: Callable[[Job], Done],
        broken: Callable[[Job, str], Done],
        cores: int | None = None,
        *,
        context: Any = None,
        pinned: bool = False,
    ) -> None:
        found = available_cores()
        self.cores = cores or len(found)
        self._free_cores = found if pinned and self.cores <= len(found) else []
        self._work = work
        self._broken = broken
        self._context = context or _context()
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
            self._stop(worker)
        self._busy = {}

    def _stop(self, worker: Worker) -> None:
        worker.stop()
        if worker.core is not None:
            self._free_cores.append(worker.core)

    def run(self, jobs: Iterable[Job]) -> Iterator[Done]:
        """What comes of every job, in the order in which they finish. What an earlier run has left is given up."""
        self._stop_busy()
        coming, again = iter(jobs), deque[_Attempt[Job]]()
        while True:
            while len(self._busy) < self.cores and (attempt := again.popleft() if again else _next(coming)):
                self._give(attempt)
            if not self._busy:
                return
            for attempt, done in self._finished():
                if done is not None:
                    yield done
                    continue
                attempt.tries += 1
                if attempt.tries < TRIES:
                    again.append(attempt)
                else:
                    yield self._broken(attempt.job, f"the worker that played it died {TRIES} times")

    def _give(self, attempt: _Attempt[Job]) -> None:
        while True:
            worker = self._idle.pop() if self._idle else self._start()
            try:
                worker.pipe.send(attempt.job)
            except OSError:  # it died while it had nothing to do
                self._stop(worker)
            else:
                self._busy[worker] = attempt
                return

    def _start(self) -> Worker:
        core = self._free_cores.pop(0) if self._free_cores else None
        return Worker(self._context, self._work, core)

    def _finished(self) -> list[tuple[_Attempt[Job], Done | None]]:
        """Wait; then the attempts that are over, with what came of them, or with nothing if the worker died."""
        ready = set(wait([end for worker in self._busy for end in (worker.pipe, worker.process.sentinel)]))
        found = []
        for worker in [worker for worker in self._busy if {worker.pipe, worker.process.sentinel} & ready]:
            done = _received(worker)
            found.append((self._busy.pop(worker), done))
            if done is None:
                self._stop(worker)
            else:
                self._idle.append(worker)
        return found


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


def _work(pipe: Connection, work: Callable[[Any], Any], core: int | None) -> None:
    """What a worker does. An interrupt is the parent's to handle; when the parent is gone, so is the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while (job := pipe.recv()) is not None:
            pipe.send(work(job))


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
