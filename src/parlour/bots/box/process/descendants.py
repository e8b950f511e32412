"""All processes below this one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path


def family(root: int) -> Iterator[int]:
    """The process and all its descendants."""
    waiting, seen = [root], set()
    while waiting:
        pid = waiting.pop()
        if pid not in seen:
            seen.add(pid)
            yield pid
            waiting += _children(pid)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in tasks(pid):
        try:
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return found


def tasks(pid: int) -> list[str]:
    """The threads of a process."""
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []


def is_stopped(pid: int) -> bool:
    """Whether it does nothing: stopped, or ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "TtZX"
    except OSError:
        return True


def send(number: signal.Signals) -> None:
    """Signal all processes below this one, and those that they start meanwhile."""
    done: set[int] = {os.getpid()}
    while found := set(family(os.getpid())) - done:
        for pid in found:
            _signal(pid, number)
        done |= found


def end() -> None:
    """Kill all that runs below this process, which must be a subreaper, and return when nothing is left.

    A process that forks faster than it is looked for is found in the next round: whatever has lost its parent
    becomes a child of this process, so the system itself says when there are no more.
    """
    while True:
        for number in (signal.SIGSTOP, signal.SIGKILL):  # what is stopped starts no others meanwhile
            for pid in set(family(os.getpid())) - {os.getpid()}:
                _signal(pid, number)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return
