"""How much a bot and all that it started use, seen from outside."""

from __future__ import annotations

import mmap
import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

PAGE = mmap.PAGESIZE


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
    for task in _tasks(pid):
        try:
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return found


def _tasks(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []


def count_tasks(root: int, most: int) -> int:
    """Threads and processes below ``root``, itself left out; counting stops beyond ``most``."""
    count = 0
    for pid in family(root):
        count += len(_tasks(pid)) if pid != root else 0
        if count > most:
            break
    return count


def memory(root: int) -> int:
    """What the processes below ``root`` have in memory for themselves, in bytes."""
    return sum(_own_memory(pid) for pid in family(root) if pid != root)


def _own_memory(pid: int) -> int:
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except (OSError, ValueError):
        return 0
    return (resident - shared) * PAGE


def disk(folder: str, most_files: int) -> tuple[int, int]:
    """Files in the folder and their size together; counting stops beyond ``most_files``."""
    waiting, files, size = [folder], 0, 0
    while waiting and files <= most_files:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    if files > most_files:
                        break
        except OSError:
            continue
    return files, size


def end_descendants() -> None:
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


def remove(folder: str) -> None:
    """Remove a bot's folder, whatever the bot did to it."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        # Folders without rights, or nested deeper than Python goes: the system's own tools manage both.
        os.chmod(folder, stat.S_IRWXU)  # noqa: PTH101
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, check=False)
