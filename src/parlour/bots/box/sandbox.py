"""The sandbox around a bot: layers that its own process puts on before the first line of the bot's own code.

Each that the system does not offer is left out and reported so; ``protection`` puts the report into words.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from parlour.bots.box import kernel, landlock, seccomp

if sys.platform != "win32":
    import resource

IS_LINUX = sys.platform == "linux"
NAMESPACE, CAPABILITIES, LANDLOCK, SECCOMP = "namespace", "capabilities", "landlock", "seccomp"

LARGEST_FILE = 16 << 20
OPEN_FILES = {False: 64, True: 256}  # for a bot file, for a program

LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
SMALL_THINGS = (
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
    "/dev/urandom",
    "/dev/zero",
    "/proc/cpuinfo",
    "/proc/meminfo",
)
PROGRAMS = ("/usr", "/bin", "/sbin", "/etc/alternatives", "/etc/ssl/openssl.cnf")

Report = dict[str, int]


def python_folders() -> list[str]:
    """Where Python, its packages and this one are; never a whole home folder."""
    paths = [
        *sys.path,
        *sysconfig.get_paths().values(),
        str(Path(sys.base_prefix) / "lib"),
        str(Path(sys.prefix) / "lib"),
    ]
    return [path for path in dict.fromkeys(paths) if path and Path(path).is_dir() and not is_too_wide(Path(path))]


def is_too_wide(folder: Path) -> bool:
    """Whether it holds somebody's home, or is one: too much to let a bot read."""
    folder = folder.resolve()
    homes = {Path(os.path.expanduser("~")).resolve(), Path("/root"), Path("/home"), Path("/etc"), Path("/tmp")}  # noqa: PTH111
    return any(folder == home or folder in home.parents for home in homes) or folder.parent == Path("/home")


def enter_namespace() -> None:
    """What this process starts next sees no process but its own, and all of them end with the first."""
    user, group = os.getuid(), os.getgid()
    if user == 0:
        kernel.unshare(kernel.CLONE_NEWPID)
        return
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWPID)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def die_with_parent() -> None:
    if IS_LINUX:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))


def set_limits(limits: dict[str, float], *, program: bool, in_namespace: bool) -> None:
    """Limits of the process itself. A bot file's memory comes on top of what the fork server has mapped already."""
    memory, cpu = int(limits["memory"]), max(1, int(limits["cpu"]))
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES[program])
    _limit(resource.RLIMIT_CPU, cpu)
    if program:
        _limit(resource.RLIMIT_DATA, memory)  # other languages reserve address space that they never use
    elif IS_LINUX:
        _limit(resource.RLIMIT_AS, memory + _mapped())
    if in_namespace and os.getuid() != 0:
        _limit(resource.RLIMIT_NPROC, int(limits["tasks"]) + 2)  # elsewhere it would count all that the user runs


def _limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _mapped() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def restrict(
    readable: Iterable[str], writable: Iterable[str], *, program: bool, without: Collection[str] = ()
) -> Report:
    """Put on every layer there is but those in ``without``; returns what holds."""
    if not IS_LINUX:
        return {}
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory runs out, the bot goes first
    folders = [*python_folders(), *LIBRARIES, *SMALL_THINGS, *(PROGRAMS if program else ()), *readable]
    report: Report = {}

    def attempt(name: str, layer: Callable[[], int | None]) -> None:
        if name not in without:
            with contextlib.suppress(OSError, AttributeError):
                report[name] = layer() or 1

    attempt(CAPABILITIES, kernel.drop_capabilities)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1))
    die_with_parent()
    attempt(LANDLOCK, lambda: landlock.restrict(folders, [*writable, "/dev/null"]))
    attempt(SECCOMP, lambda: seccomp.restrict(processes=program))
    return report
