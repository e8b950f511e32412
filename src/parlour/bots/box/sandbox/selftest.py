"""Trying what a bot could do, from the very process that will be the bot, right before its code runs.

What is tried does no harm where it succeeds: it is asked for with arguments that make no sense, and undone.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from parlour.bots.box.sandbox import kernel, syscalls

FILES, NAMES, ATTRIBUTES = "files", "names of files", "attributes of files"
NETWORK, OTHERS, SHARED = "network", "other processes", "shared memory and messages"
NEW, PRIVILEGES = "new processes", "privileges"
MEMORY, DISK, TASKS, IDLE = "memory", "disk", "number of tasks", "work while not asked"

_CALLS = {
    ATTRIBUTES: """chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat setxattr
        lsetxattr fsetxattr removexattr lremovexattr fremovexattr inotify_init inotify_init1 fanotify_init flock
        open_by_handle_at""",
    NETWORK: "socket connect bind listen accept sendmmsg",
    OTHERS: """ptrace process_vm_readv process_vm_writev kcmp pidfd_open pidfd_getfd pidfd_send_signal rt_sigqueueinfo
        rt_tgsigqueueinfo perf_event_open setpriority sched_setaffinity""",
    SHARED: """memfd_create memfd_secret shmget shmat shmctl semget semop semctl msgsnd msgrcv msgctl mq_open mq_unlink
        io_uring_setup userfaultfd add_key request_key keyctl""",
    PRIVILEGES: """unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen mount_setattr bpf setuid
        setresuid capset init_module finit_module kexec_load reboot""",
    IDLE: "timer_create",
}
_OUTSIDE = "/etc/passwd"

_libc = ctypes.CDLL(None, use_errno=True)
_NUMBERS = syscalls.ALLOWED | syscalls.PROCESSES | syscalls.REFUSED | syscalls.MISSING
_NONSENSE = [ctypes.c_long(-1)] * 6


def run(folder: str, supervisor: int, limits: dict[str, float], *, program: bool) -> dict[str, bool]:
    """For each promise, whether it is kept. MEMORY of a program, TASKS and IDLE are found out elsewhere."""
    kept = {promise: all(map(_is_refused, calls.split())) for promise, calls in _CALLS.items()}
    kept[FILES] = all(map(_fails, _file_deeds(folder)))
    kept[NAMES] = not Path(_OUTSIDE).exists() and not os.path.lexists(f"/proc/{supervisor}")
    kept[OTHERS] &= _fails(lambda: os.kill(supervisor, 0))
    kept[PRIVILEGES] &= not kernel.has_capabilities()
    kept[DISK] = _is_small(folder, limits)
    if not program:
        kept[NEW] = all(map(_is_refused, ("execve", "execveat", "kill"))) and _fails(_fork)
        kept[MEMORY] = _fails(lambda: mmap.mmap(-1, int(limits["memory"]) + (64 << 20)).close())
    return kept


def _is_refused(call: str) -> bool:
    """Whether the kernel says so, rather than that the arguments make no sense. A call that it does not have is."""
    if call not in _NUMBERS:
        return syscalls.is_known()
    result = _libc.syscall(_NUMBERS[call], *_NONSENSE)
    if result >= 0 and call.startswith(("inotify", "fanotify", "userfaultfd")):
        os.close(result)
    return result < 0 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS)


def _file_deeds(folder: str) -> Iterable[Callable[[], object]]:
    beside = Path(folder).with_suffix(".outside")
    return (
        lambda: os.close(os.open(_OUTSIDE, os.O_RDONLY)),
        lambda: os.close(os.open(os.__file__, os.O_WRONLY)),
        lambda: _make_and_remove(beside),
        lambda: os.listdir("/"),  # noqa: PTH208
    )


def _make_and_remove(folder: Path) -> None:
    folder.mkdir()
    folder.rmdir()


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
    os.wait()


def _fails(deed: Callable[[], object]) -> bool:
    try:
        deed()
    except (OSError, MemoryError):
        return True
    return False


def _is_small(folder: str, limits: dict[str, float]) -> bool:
    """Whether the folder is a file system that holds no more than it may."""
    found = os.statvfs(folder)
    size = found.f_blocks * found.f_frsize
    return 0 < size <= limits["disk"] + mmap.PAGESIZE and 0 < found.f_files <= limits["files"] + 1
