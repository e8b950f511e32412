"""The worker processes of a server: begun, begun anew when one has died, ended together.

uvicorn could do that, too. But it asks one worker after the other whether it lives, and waits half a minute for one
that says nothing: meanwhile it sees no other die, and cannot be told to stop. Here nobody is asked. The system says at
once when a process has ended, and the workers write down that they go on (``placement.Beats``).

All that we use of uvicorn's inside is here: its exit code for a server that cannot begin, and what it does at the end.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from typing import Any

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from parlour.server.cluster.placement import STILL, Beats
from parlour.server.http.guard import Guard

LOG = logging.getLogger("parlour.server")
LOOK = 0.25  # seconds between two looks at the workers
BEGINS_WITHIN = 60.0  # seconds: on a busy machine a worker needs a while
ENDED_AFTER = 15.0  # seconds of standing still: by then others run its tables, since its leases have ended
STOPS_WITHIN = 25.0  # seconds from being told to stop; systemd waits for 30
PAUSES = (0.0, 1.0, 2.0, 5.0)  # seconds before another is begun in the place of so many that died young
YOUNG = 10.0  # seconds


def work(config: uvicorn.Config, listening: list[socket.socket], guard: Guard) -> None:
    """What a worker does."""
    config.configure_logging()  # or uvicorn, too, would write a line for each request
    with contextlib.suppress(KeyboardInterrupt):  # as it began; later it ends in order
        _Server(config, guard).run(sockets=listening)


class _Server(uvicorn.Server):
    """Takes nothing from other workers any more once it ends."""

    def __init__(self, config: uvicorn.Config, guard: Guard) -> None:
        super().__init__(config)
        self._guard = guard

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._guard.handover is not None:
            self._guard.handover.close()
        await super().shutdown(sockets)


class _Worker:
    """One process, as it looks from outside."""

    def __init__(self, process: SpawnProcess, beats: Beats | None) -> None:
        self.process = process
        self._beats = beats
        self._began = time.monotonic()
        self._beat: float | None = None  # when it last went on
        self._still = 0.0  # seconds that it has been seen standing still
        self._is_ended = False
        self.is_still = False

    @property
    def pid(self) -> int:
        return self.process.pid or 0

    @property
    def has_begun(self) -> bool:
        return self._beat is not None

    @property
    def is_young(self) -> bool:
        return time.monotonic() - self._began < YOUNG

    def look(self, since: float) -> None:
        """Look whether it goes on, so many seconds after the last look. Ends it if it has not for too long.

        Where these seconds are many, the whole machine stood still, and it is not the worker's fault.
        """
        if self._beats is None:
            return
        last = self._beats.last(self.pid)
        goes_on = last is not None and last != self._beat
        self._beat = last or self._beat
        was_still, still = self.is_still, self._still
        self._still = 0.0 if goes_on else self._still + min(since, 4 * LOOK)
        self.is_still = self.has_begun and self._still > STILL
        if self.is_still and not was_still:
            LOG.warning("worker %d stands still: others serve in its place", self.pid)
        elif was_still and not self.is_still:
            LOG.warning("worker %d goes on after %.1f seconds", self.pid, still)
        if self._still > (ENDED_AFTER if self.has_begun else BEGINS_WITHIN) and not self._is_ended:
            self._is_ended = True
            what = "has stood still" if self.has_begun else "has not begun to serve"
            LOG.error("worker %d %s for %.0f seconds: another is begun", self.pid, what, self._still)
            self.process.kill()


class Workers:
    """So many processes that all do the same."""

    def __init__(self, count: int, beats: Beats | None, do: Callable[..., None], *arguments: Any) -> None:
        """``beats`` is where they write down that they go on; nothing where the system has no such memory."""
        self._beats = beats
        self._do = do
        self._arguments = arguments
        self._workers: list[_Worker | None] = [None] * count
        self._begin_at = [0.0] * count  # not earlier
        self._died_young = [0] * count
        self._has_served = False
        self._ends = False
        self._code = 0

    def run(self) -> int:
        """Run until told to stop. Returns the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        looked = time.monotonic()
        while not self._ends:
            self._begin_missing()
            alive = [worker for worker in self._workers if worker is not None]
            connection.wait([worker.process.sentinel for worker in alive], LOOK)
            since, looked = time.monotonic() - looked, time.monotonic()
            for place, worker in enumerate(self._workers):
                if worker is not None and not worker.process.is_alive():
                    self._note_death(place, worker)
                elif worker is not None:
                    worker.look(since)
                    self._has_served |= worker.has_begun
        return self._end_all()

    def _stop(self, *_: object) -> None:
        self._ends = True

    def _begin_missing(self) -> None:
        for place, worker in enumerate(self._workers):
            if worker is None and time.monotonic() >= self._begin_at[place]:
                process = get_context("spawn").Process(target=self._do, args=self._arguments)
                process.start()
                self._workers[place] = _Worker(process, self._beats)

    def _note_death(self, place: int, worker: _Worker) -> None:
        code = worker.process.exitcode
        self._workers[place] = None
        if code == STARTUP_FAILURE and not self._has_served:
            LOG.error("no worker can begin: the server ends")
            self._ends, self._code = True, 1
            return
        self._died_young[place] = self._died_young[place] + 1 if worker.is_young else 0
        pause = PAUSES[min(self._died_young[place], len(PAUSES) - 1)]
        self._begin_at[place] = time.monotonic() + pause
        LOG.error("worker %d has died (%s): another is begun", worker.pid, _how(code))

    def _end_all(self) -> int:
        """Tell all to stop, and see that they do. Who stands still hears of nothing."""
        alive = [worker for worker in self._workers if worker is not None]
        processes = [worker.process for worker in alive]
        for worker in alive:
            (worker.process.kill if worker.is_still else worker.process.terminate)()
        until = time.monotonic() + STOPS_WITHIN
        for process in processes:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                LOG.error("worker %d does not stop: it is ended", process.pid)
                process.kill()
                process.join()
        return self._code


def _how(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return signal.Signals(-code).name
