"""System calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os
from functools import cache


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36

CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000

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


def unshare(flags: int) -> None:
    _checked(_libc().unshare(flags), "unshare")


def drop_capabilities() -> None:
    """Give up every privilege of root, for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        if _libc().prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            break  # past the last one that this kernel knows, or none to give up
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc().capset(header, nothing), "capset")
