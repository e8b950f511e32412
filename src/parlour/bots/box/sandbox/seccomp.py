"""Seccomp: which system calls a bot may make, whoever it runs as. The list names those that are allowed."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from collections.abc import Collection, Iterator
from functools import cache

from parlour.bots.box.sandbox import kernel
from parlour.bots.box.sandbox.syscalls import ALLOWED, LAST_KNOWN, MACHINES, MISSING, PROCESSES, is_known

_X32 = 0x40000000  # x86-64 calls under other numbers

_NAMESPACES = 0x7E020000  # what clone calls CLONE_NEW...
_CLONE_THREAD = 0x10000
_MAP_SHARED_ANONYMOUS = 0x21  # memory that stays when no process has it mapped: nobody could count it
_MAP_HUGETLB = 0x40000  # nobody counts this either
_AF_UNIX = 1
_SOCK_STREAM = 1
_SOL_SOCKET = 1
_SOCKET_TYPE = 0xF  # the other bits are flags
_SOCKET_OPTIONS = (7, 8, 9, 16, 20, 21)  # sizes, times and the like: not programs that the kernel is to run
_RLIMIT_CORE = 4
_EXIT_SIGNAL = 0xFF
_SIGCHLD, _SIGCONT = 17, 18  # the latter would undo that a bot is stopped while it is not asked

# What asks about terminals and pipes, and what sets flags of a handle. Others change files and devices.
_IOCTLS = (0x5401, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451)
# Copies, flags, locks and the size of pipes. Not: asking who else holds a lock, leases, and signals to others.
_FCNTLS = (0, 1, 2, 3, 4, 6, 7, 37, 38, 1027, 1030, 1031, 1032)
# Its own name, dumps, timer slack, huge pages and names of memory.
_PRCTLS = (2, 3, 4, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 0x53564D41)

# Classic BPF, just what is needed.
_LOAD, _RETURN, _AND = 0x20, 0x06, 0x54
_IF_EQUAL, _IF_BITS, _IF_AT_LEAST, _IF_MORE = 0x15, 0x45, 0x35, 0x25
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where they stand in what the filter sees
_MODE_FILTER = 2

Step = tuple[int, int, int, int]

_ALLOWED: Step = (_RETURN, 0, 0, _ALLOW)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint32))


def restrict(*, processes: bool) -> None:
    """From here on, this process and all it starts may make no other calls. Needs ``no_new_privs``.

    Without ``processes`` it can start threads but no process, run no program and signal nobody but itself.
    """
    code = compiled(os.getpid(), processes=processes)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // ctypes.sizeof(_Instruction), ctypes.cast(buffer, ctypes.c_void_p))
    kernel.prctl(kernel.PR_SET_SECCOMP, ctypes.c_ulong(_MODE_FILTER), ctypes.byref(program))


@cache
def compiled(pid: int, *, processes: bool) -> bytes:
    """The filter for the process of that number."""
    return b"".join(bytes(_Instruction(*step)) for step in _program(pid, processes=processes))


def _program(pid: int, *, processes: bool) -> list[Step]:
    if not is_known():
        raise OSError(f"no filter is written for {platform.machine()}")
    steps = [(_LOAD, 0, 0, _MACHINE), (_IF_EQUAL, 1, 0, MACHINES[platform.machine()]), _refuse()]
    steps += [(_LOAD, 0, 0, _NUMBER), (_IF_AT_LEAST, 0, 1, _X32), _refuse()]
    allowed = ALLOWED | (PROCESSES if processes else {})
    checks = _checks(pid, processes=processes)
    for name, check in checks.items():
        steps += _if_call(allowed[name], check)
    for low, high in _ranges({number for name, number in allowed.items() if name not in checks}):
        steps += [(_IF_AT_LEAST, 0, 2, low), (_IF_MORE, 1, 0, high), _ALLOWED]
    for number in MISSING.values():
        steps += [(_IF_EQUAL, 0, 1, number), _refuse(errno.ENOSYS)]
    return [*steps, (_IF_MORE, 0, 1, LAST_KNOWN), _refuse(errno.ENOSYS), _refuse()]


def _checks(pid: int, *, processes: bool) -> dict[str, list[Step]]:
    """The calls that depend on what they are asked for."""
    shared_memory = [(_AND, 0, 0, _MAP_SHARED_ANONYMOUS), (_IF_EQUAL, 0, 1, _MAP_SHARED_ANONYMOUS), _refuse()]
    checks = {
        "ioctl": _one_of(1, _IOCTLS, errno.ENOTTY),
        "fcntl": _one_of(1, _FCNTLS, errno.EPERM),
        "prctl": _one_of(0, _PRCTLS, errno.EPERM),
        "mmap": [_argument(3), (_IF_BITS, 0, 1, _MAP_HUGETLB), _refuse(), *(shared_memory if processes else [])],
        # A datagram socket, even one of a pair, could send to any address.
        "socketpair": [
            *_one_of(0, (_AF_UNIX,), errno.EPERM),
            *(_argument(1), (_AND, 0, 0, _SOCKET_TYPE), (_IF_EQUAL, 1, 0, _SOCK_STREAM), _refuse()),
        ],
        "setsockopt": [*_one_of(1, (_SOL_SOCKET,), errno.EPERM), *_one_of(2, _SOCKET_OPTIONS, errno.EPERM)],
        # Of its own limits, and not that of core dumps: 0 would have some systems save one.
        "prlimit64": [*_one_of(0, (0,), errno.EPERM), *_unless_equal(1, _RLIMIT_CORE)],
        "tgkill": _unless_equal(2, _SIGCONT),
        "clone": [
            *(_argument(0), (_AND, 0, 0, _EXIT_SIGNAL), (_IF_EQUAL, 2, 0, 0), (_IF_EQUAL, 1, 0, _SIGCHLD), _refuse()),
            *(_argument(0), (_IF_BITS, 0, 1, _NAMESPACES), _refuse()),
        ],
    }
    if processes:
        checks |= {"kill": _unless_equal(1, _SIGCONT), "tkill": _unless_equal(1, _SIGCONT)}
    else:
        checks["clone"] += [(_IF_BITS, 1, 0, _CLONE_THREAD), _refuse()]
        checks["tgkill"] += _one_of(0, (pid,), errno.EPERM)
    return {name: [*steps, _ALLOWED] for name, steps in checks.items()}


def _argument(place: int) -> Step:
    """Load the low half of an argument."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * place


def _one_of(place: int, values: Collection[int], refusal: int) -> list[Step]:
    """Refuse unless that argument is one of these."""
    steps = [(_IF_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    return [_argument(place), *steps, _refuse(refusal)]


def _unless_equal(place: int, value: int) -> list[Step]:
    """Refuse if that argument is this."""
    return [_argument(place), (_IF_EQUAL, 0, 1, value), _refuse()]


def _refuse(number: int = errno.EPERM) -> Step:
    return _RETURN, 0, 0, _ERROR | number


def _if_call(number: int, then: list[Step]) -> list[Step]:
    """These steps, which return, for one call."""
    return [(_IF_EQUAL, 0, len(then), number), *then]


def _ranges(numbers: Collection[int]) -> Iterator[tuple[int, int]]:
    """The numbers as few ranges, both ends included."""
    waiting = sorted(numbers)
    while waiting:
        low = high = waiting.pop(0)
        while waiting and waiting[0] == high + 1:
            high = waiting.pop(0)
        yield low, high
