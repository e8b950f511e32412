"""The processes below this one, and all in its namespace."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

_FLAGS = 6  # where the flags of a task stand, after its name and counted from 0
_ENDING = 4  # the flag of one that is about to end: as the last of its group it would have the kernel continue others


class Restlessness(IntEnum):
    """WAITING is in the kernel, which it leaves only to be stopped: until a child of its own goes on, for example."""

    NONE, WAITING, BUSY = range(3)


def in_namespace() -> list[int]:
    """All processes in this one's namespace but itself. OSError: /proc is not that of the namespace, or not there."""
    own = os.getpid()
    if os.readlink("/proc/self") != str(own):  # noqa: PTH115
        raise OSError("this /proc has other processes")
    return [int(name) for name in os.listdir("/proc") if name.isdecimal() and int(name) != own]  # noqa: PTH208


def below() -> set[int]:
    """The processes below this one, and all in its namespace."""
    return set(family(os.getpid())) - {os.getpid()}


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


def restlessness(pid: int) -> Restlessness:
    """Whether a process can still do anything, now that all have been stopped: by every one of its tasks.

    Its first task tells nothing of the others: it may have ended, and they go on.
    """
    return max((_restlessness(pid, task) for task in tasks(pid)), default=Restlessness.NONE)


def _restlessness(pid: int, task: str) -> Restlessness:
    try:
        words = Path(f"/proc/{pid}/task/{task}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return Restlessness.NONE  # it ended meanwhile
    state, flags = words[0], int(words[_FLAGS])
    if state in b"TtZX":
        return Restlessness.NONE
    return Restlessness.WAITING if state == b"D" and not flags & _ENDING else Restlessness.BUSY


def send(number: signal.Signals) -> None:
    """Signal all processes below this one, and those that they start meanwhile."""
    done: set[int] = set()
    while found := below() - done:
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
            for pid in below():
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
