"""What a call costs a bot: CPU time or time that passes, whichever is more, so that sleeping is no way out.

Time in which the bot was ready to run and the machine was busy with something else is not the bot's, and left out
where the kernel tells it.
"""

from __future__ import annotations

import contextlib
import os
import time

SLACK = 200_000  # nanoseconds without work that need no explanation: asking the kernel for one takes time, too


class Stopwatch:
    """Times calls that a process works on, while this one waits for it; or that this one works on itself."""

    def __init__(self, pid: int | None) -> None:
        """Without a ``pid``, where the system does not tell it, only the time that passes is known."""
        self._cpu_clock = -1 if pid is None else (~pid << 3) | 2  # how Linux names the CPU clock of another process
        try:
            self._cpu()
        except OSError:
            self._cpu_clock = time.CLOCK_PROCESS_CPUTIME_ID if pid == os.getpid() else -1
        self._queues = [queue for queue in map(_queue_of, {pid, os.getpid()}) if queue is not None]
        self._began = (0, 0)
        self._waited = 0
        with contextlib.suppress(OSError):  # it has ended
            self._waited = self._wait()

    def start(self) -> None:
        self._began = (self._cpu(), time.perf_counter_ns())

    def stop(self) -> float:
        """Seconds since ``start``."""
        cpu, began = self._began
        passed, worked = time.perf_counter_ns() - began, 0
        try:
            worked = self._cpu() - cpu
            if passed - worked > SLACK:
                waited, self._waited = self._waited, self._wait()
                passed -= self._waited - waited
        except OSError:  # it has ended
            pass
        return max(passed, worked) / 1e9

    def _cpu(self) -> int:
        return time.clock_gettime_ns(self._cpu_clock) if self._cpu_clock != -1 else 0

    def _wait(self) -> int:
        """Nanoseconds that the processes have waited for a core, all in all."""
        return sum(int(os.pread(queue, 100, 0).split()[1]) for queue in self._queues)

    def close(self) -> None:
        for queue in self._queues:
            os.close(queue)
        self._queues = []


def _queue_of(pid: int | None) -> int | None:
    """Where the kernel tells how long a process has been waiting for a core."""
    try:
        return os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
