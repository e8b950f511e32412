"""Limits that the kernel counts for each process."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

if sys.platform != "win32":
    import resource

IS_LINUX = sys.platform == "linux"
_LARGEST_FILE = 16 << 20
_OPEN_FILES = {False: 64, True: 128}  # for a bot file, for a program
_PENDING = 256  # signals
_NO_CORE = 1  # with 0, the kernel would still start a program that saves core dumps
_FIRST_UNUSED_USER = 2_000_000_000  # far from all that systems give out
_COUNTED_PER_NAMESPACE = (5, 14)  # the kernel since which processes in a namespace are counted apart from others


def set_limits(
    limits: Mapping[str, float], mapped: int, most_tasks: int, *, program: bool, user_namespace: bool
) -> None:
    """Memory, CPU time, files and tasks. A bot file's memory comes on top of what is mapped already."""
    memory, cpu = int(limits["memory"]), max(1, int(limits["cpu"]))
    _limit(resource.RLIMIT_CORE, _NO_CORE)
    _limit(resource.RLIMIT_FSIZE, _LARGEST_FILE)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES[program])
    _limit(resource.RLIMIT_CPU, cpu)
    if not IS_LINUX:
        return
    _limit(resource.RLIMIT_MEMLOCK, 0)
    _limit(resource.RLIMIT_SIGPENDING, _PENDING)
    _limit(resource.RLIMIT_MSGQUEUE, 0)
    if program:
        _limit(resource.RLIMIT_DATA, memory)  # other languages reserve address space that they never use
    else:
        _limit(resource.RLIMIT_AS, memory + mapped)
    is_counted_apart = os.getuid() != os.geteuid() or (user_namespace and _kernel() >= _COUNTED_PER_NAMESPACE)
    if is_counted_apart:
        _limit(resource.RLIMIT_NPROC, most_tasks)


def count_root_apart(number: int) -> None:
    """The kernel does not count root's tasks, so let it count those of a user that nobody else is.

    Only the real user id changes: files are opened by the effective one. Programs would take it for setuid.
    """
    if os.getuid() == 0:
        with contextlib.suppress(OSError):
            os.setresuid(_FIRST_UNUSED_USER + number, -1, -1)


def are_tasks_limited(most: int) -> bool:
    """Whether the kernel refuses a task beyond the limit: tried out, with a limit of none for a moment."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    if hard == resource.RLIM_INFINITY or hard > most:
        return False
    resource.setrlimit(resource.RLIMIT_NPROC, (0, hard))
    try:
        return not can_fork()
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))


def can_fork() -> bool:
    """Whether the kernel would give this process one more; it is given back at once."""
    try:
        child = os.fork()
    except BlockingIOError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def _limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def mapped_memory() -> int:
    """Bytes of this process's address space."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _kernel() -> tuple[int, ...]:
    major, minor, *_ = os.uname().release.split("-")[0].split(".")
    return int(major), int(minor)
