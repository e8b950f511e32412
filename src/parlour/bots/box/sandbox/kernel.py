"""System calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os
from functools import cache


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


_PR_SET_NAME = 15
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
_MNT_DETACH = 2

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442  # the same on every architecture
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY, _NO_SETUID = 1, 2

_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: object) -> int:
    """Any system call; ``what`` is its name, for the error."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments), what)


def prctl(option: int, value: object = 0, more: object = 0) -> int:
    return _checked(_libc().prctl(option, value, more, ctypes.c_ulong(0), ctypes.c_ulong(0)), f"prctl {option}")


def name_process(name: str) -> None:
    """What ``ps`` and ``top`` call this process."""
    prctl(_PR_SET_NAME, name.encode())


def unshare(flags: int) -> None:
    _checked(_libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    words = [os.fsencode(word) or None for word in (source, target, kind)]
    _checked(_libc().mount(*words, ctypes.c_ulong(flags), options.encode() or None), f"mount {target}")


def unmount(folder: str) -> None:
    _checked(_libc().umount2(os.fsencode(folder), _MNT_DETACH), f"unmount {folder}")


def make_read_only(folder: str) -> None:
    """All that is mounted there and below can only be read, and no program in it gives privileges."""

    class Change(ctypes.Structure):
        _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace"))

    change = Change(_READ_ONLY | _NO_SETUID)
    arguments = (_AT_FDCWD, os.fsencode(folder), _AT_RECURSIVE, ctypes.byref(change), ctypes.c_size_t(32))
    syscall("mount_setattr", _MOUNT_SETATTR, *arguments)


def pivot_root(folder: str) -> None:
    """Make the folder, which is mounted, the root of all paths, and let go of the old root."""
    os.chdir(folder)
    syscall("pivot_root", _PIVOT_ROOT[os.uname().machine], b".", b".")
    unmount(".")
    os.chdir("/")


def drop_capabilities() -> None:
    """Give up every privilege of root, for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        if _libc().prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            break  # past the last one that this kernel knows, or none to give up
    _checked(_libc().capset(_capability_header(), (ctypes.c_uint32 * 6)()), "capset")


def has_capabilities() -> bool:
    held = (ctypes.c_uint32 * 6)()
    _checked(_libc().capget(_capability_header(), held), "capget")
    return any(held)


def _capability_header() -> ctypes.Array[ctypes.c_uint32]:
    return (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
