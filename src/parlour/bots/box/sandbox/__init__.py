"""The sandbox around a bot: layers that its processes put on before the first line of the bot's own code.

Each that the system does not offer is left out. ``selftest`` then tries what a bot could do, and ``protection`` puts
the result into words.

    namespaces     no process but its own is there for it
    mounts         no file but its own is there for it, and what it writes is counted
    cgroup         memory and tasks of all processes of a program are counted together
    capabilities   nothing is left of root's powers
    landlock       it opens nothing but what it may, even if it were there
    seccomp        it makes no system call that a bot does not need
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

from parlour.bots.box.sandbox import kernel, landlock, mounts, seccomp

IS_LINUX = sys.platform == "linux"
NAMESPACES, MOUNTS, CGROUP, CAPABILITIES, LANDLOCK, SECCOMP = LAYERS = (
    "namespaces",
    "mounts",
    "cgroup",
    "capabilities",
    "landlock",
    "seccomp",
)

PACKAGES = ("parlour", "game17", "numpy", "numba", "llvmlite")  # what bots may import, wherever it is
_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
_SMALL_THINGS = ("/etc/ld.so.cache", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null")
_PROGRAMS = ("/usr", "/bin", "/sbin", "/etc/alternatives", "/etc/ssl/openssl.cnf")
_PROC = ("/proc/cpuinfo", "/proc/meminfo")


@cache
def readable_by_all(*, program: bool) -> tuple[str, ...]:
    """What every bot may read: Python, its packages and this one; libraries; and for a program, other programs."""
    java = map(str, Path("/etc").glob("java-*-openjdk"))  # where Debian keeps what Java does not start without
    return (*python_folders(), *_LIBRARIES, *_SMALL_THINGS, *((*_PROGRAMS, *java) if program else ()))


def python_folders() -> list[str]:
    """Where Python's libraries are, installed packages, and packages that are imported here from elsewhere.

    Never all of a folder on Python's path: that may be the one with everybody's bots in it.
    """
    paths = sysconfig.get_paths()
    installed = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed += [str(Path(prefix) / "lib") for prefix in (sys.base_prefix, sys.prefix)]
    folders = [path for path in dict.fromkeys(installed) if Path(path).is_dir() and not is_too_wide(Path(path))]
    elsewhere = [folder for name in PACKAGES for folder in package_folders(name)]
    return [*folders, *(folder for folder in elsewhere if not any(Path(folder).is_relative_to(top) for top in folders))]


def package_folders(name: str) -> list[str]:
    """Where the package around a module is, if it has been imported."""
    package = sys.modules.get(name.partition(".")[0])
    return [str(folder) for folder in getattr(package, "__path__", ())] or [
        file for file in [getattr(package, "__file__", None)] if file
    ]


def is_too_wide(folder: Path) -> bool:
    """Whether it holds somebody's home, or is one: too much to let a bot read."""
    folder = folder.resolve()
    homes = {Path(os.path.expanduser("~")).resolve(), Path("/root"), Path("/home"), Path("/etc"), Path("/tmp")}  # noqa: PTH111
    return any(folder == home or folder in home.parents for home in homes) or folder.parent == Path("/home")


def die_with_parent() -> None:
    if IS_LINUX:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))


def drop_privileges(without: Collection[str] = ()) -> None:
    """Give up root's powers, and whatever could give new ones."""
    if IS_LINUX:
        if CAPABILITIES not in without:
            with contextlib.suppress(OSError):
                kernel.drop_capabilities()
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1))
        die_with_parent()


def restrict(readable: Iterable[str], writable: Iterable[str], *, program: bool, without: Collection[str] = ()) -> None:
    """Files and system calls: put on the layers that there are, but those in ``without``. Needs ``drop_privileges``."""

    def attempt(name: str, layer: Callable[[], object]) -> None:
        if name not in without:
            with contextlib.suppress(OSError, AttributeError):
                layer()

    if IS_LINUX:
        read = [*mounts.plan(readable_by_all(program=program)).places, *_PROC, *readable]
        attempt(LANDLOCK, lambda: landlock.restrict(read, [*writable, "/dev/null"]))
        attempt(SECCOMP, lambda: seccomp.restrict(processes=program))
