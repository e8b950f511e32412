"""How much a bot and all that it started use, seen from outside."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

from parlour.bots.box.process.descendants import family, tasks

_OWN_MEMORY = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:")


def count_tasks(root: int, most: int) -> int:
    """Threads of a process and all below it; counting stops well beyond ``most``."""
    count = 0
    for pid in family(root):
        count += len(tasks(pid))
        if count > most + 1:
            break
    return count


def memory(root: int) -> int:
    """What the processes below ``root`` have in memory for themselves, in bytes."""
    return sum(_own_memory(pid) for pid in family(root) if pid != root)


def _own_memory(pid: int) -> int:
    """What any of its tasks tells: they share it, and the first has none any more once it has ended."""
    return max((_told_memory(pid, task) for task in tasks(pid)), default=0)


def _told_memory(pid: int, task: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/task/{task}/status").read_bytes().splitlines()  # its name may be no text
    except OSError:
        return 0  # it ended meanwhile
    found = (line.split() for line in lines if line.startswith(_OWN_MEMORY))
    return sum(int(kibibytes) << 10 for _, kibibytes, *_ in found)


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


def remove(folder: str) -> None:
    """Remove a bot's folder, whatever the bot did to it."""
    try:
        os.rmdir(folder)  # noqa: PTH106 - with mounts, what the bot wrote was never in here
    except FileNotFoundError:
        return
    except OSError:
        _remove_tree(folder)


def _remove_tree(folder: str) -> None:
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        # Folders without rights, or nested deeper than Python goes: the system's own tools manage both.
        os.chmod(folder, stat.S_IRWXU)  # noqa: PTH101
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, check=False)
