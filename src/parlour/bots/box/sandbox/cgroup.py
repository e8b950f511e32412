"""Control groups (version 2): memory and tasks of a program with all its processes, counted together by the kernel.

A group is made beside the one that this process is in, where the user may do that: root, and users to whom the system
has delegated it, as desktops do.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

from parlour.bots.box.sandbox.rlimits import can_fork

_MOUNT = Path("/sys/fs/cgroup")
_CONTROLLERS = {"memory", "pids"}
_NAME = "parlour-bot-"
_OWN_USE = 32 << 20  # bytes that init and the kernel need besides
_TRIES = 100  # to remove a group whose processes have ended: the kernel needs a moment


@dataclass(frozen=True)
class ControlGroup:
    folder: Path
    tasks: int

    def join(self) -> bool:
        """Have this process, and what it starts, counted. Returns whether that holds: it is tried out."""
        try:
            (self.folder / "cgroup.procs").write_text("0")
            (self.folder / "pids.max").write_text("0")
        except OSError:
            return False
        try:
            return not can_fork()
        finally:
            (self.folder / "pids.max").write_text(str(self.tasks))

    @property
    def ran_out_of_memory(self) -> bool:
        with contextlib.suppress(OSError):
            events = (line.split() for line in (self.folder / "memory.events").read_text().splitlines())
            return any(name == "oom_kill" and int(count) for name, count in events)
        return False

    def remove(self) -> None:
        for _ in range(_TRIES):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.001)
            else:
                return


def make_group(memory: int, tasks: int, mount: Path = _MOUNT) -> ControlGroup | None:
    """A group of its own for this process's bot; None where there can be none."""
    try:
        parent = find_parent(Path("/proc/self/cgroup").read_text(), mount)
        if parent is None:
            return None
        _remove_stale(parent)
        group = ControlGroup(parent / f"{_NAME}{os.getpid()}", tasks)
        group.folder.mkdir()
    except OSError:
        return None
    try:
        _limit(group.folder, memory + _OWN_USE, tasks)
    except OSError:
        group.remove()
        return None
    return group


def find_parent(groups: str, mount: Path) -> Path | None:
    """The group around this process's own, if what is made there can be limited."""
    own = next((line.removeprefix("0::/") for line in groups.splitlines() if line.startswith("0::/")), "")
    if not own:
        return None
    parent = (mount / own).parent
    enabled = set((parent / "cgroup.subtree_control").read_text().split())
    return parent if enabled >= _CONTROLLERS else None


def _limit(folder: Path, memory: int, tasks: int) -> None:
    (folder / "memory.max").write_text(str(memory))
    (folder / "memory.oom.group").write_text("1")  # where memory runs out, all of them end
    (folder / "pids.max").write_text(str(tasks))
    if (folder / "memory.swap.max").exists():
        (folder / "memory.swap.max").write_text("0")


def _remove_stale(parent: Path) -> None:
    """Groups of supervisors that were killed."""
    for folder in parent.glob(f"{_NAME}*"):
        if not Path(f"/proc/{folder.name.removeprefix(_NAME)}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
