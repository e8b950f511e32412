"""Seccomp: system calls that a bot is refused, whoever it runs as."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from collections.abc import Iterable

from parlour.bots.box import kernel

# Each with its number on x86-64 and on arm64; None where that machine has no such call.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "io_uring_setup": (425, 425),  # it does what it is told without passing this filter
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),  # memory that no limit counts, and so are the next three
    "shmget": (29, 194),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "open_by_handle_at": (304, 265),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
}
_PROCESSES: dict[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
}
_CLONE, _CLONE3, _TGKILL, _PRLIMIT = (56, 220), (435, 435), (234, 131), (302, 261)
_CLONE_THREAD = 0x10000

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # the column above, and the kernel's name for it
_X32 = 0x40000000  # x86-64 calls under other numbers

# Classic BPF, just what is needed.
_LOAD, _RETURN, _IF_EQUAL, _IF_BITS, _IF_AT_LEAST = 0x20, 0x06, 0x15, 0x45, 0x35
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _MACHINE, _ARGUMENT = 0, 4, 16  # where they stand in what the filter sees
_MODE_FILTER = 2

Step = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def is_known() -> bool:
    """Whether the filter is written for this machine."""
    return platform.machine() in _MACHINES


def restrict(*, processes: bool) -> None:
    """From here on, this process and all it starts are refused those calls. Needs ``no_new_privs``.

    Without ``processes`` it can start threads but no process, run no program and signal nobody but itself.
    """
    steps = _program(processes=processes)
    code = b"".join(ctypes.string_at(ctypes.byref(_step(step)), 8) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(steps), ctypes.cast(buffer, ctypes.c_void_p))
    kernel.prctl(kernel.PR_SET_SECCOMP, ctypes.c_ulong(_MODE_FILTER), ctypes.byref(program))


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint32))


def _step(step: Step) -> _Instruction:
    return _Instruction(*step)


def _refuse(number: int = errno.EPERM) -> Step:
    return _RETURN, 0, 0, _REFUSE | number


def _program(*, processes: bool) -> list[Step]:
    if not is_known():
        raise OSError(f"no filter is written for {platform.machine()}")
    column, machine = _MACHINES[platform.machine()]
    steps = [(_LOAD, 0, 0, _MACHINE), (_IF_EQUAL, 1, 0, machine), _refuse(), (_LOAD, 0, 0, _NUMBER)]
    if column == 0:
        steps += [(_IF_AT_LEAST, 0, 1, _X32), _refuse()]
    steps += _refused(_NUMBERS.values(), column)
    # Limits of other processes: the first argument must be 0, which is oneself.
    steps += _if_call(_PRLIMIT[column], [(_LOAD, 0, 0, _ARGUMENT), (_IF_EQUAL, 1, 0, 0), _refuse()])
    if not processes:
        steps += _refused(_PROCESSES.values(), column)
        # The C library falls back to clone, whose flags can be looked at.
        steps += _if_call(_CLONE3[column], [_refuse(errno.ENOSYS)])
        steps += _if_call(_CLONE[column], [(_LOAD, 0, 0, _ARGUMENT), (_IF_BITS, 1, 0, _CLONE_THREAD), _refuse()])
        steps += _if_call(_TGKILL[column], [(_LOAD, 0, 0, _ARGUMENT), (_IF_EQUAL, 1, 0, os.getpid()), _refuse()])
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _refused(calls: Iterable[tuple[int | None, int | None]], column: int) -> list[Step]:
    numbers = [call[column] for call in calls]
    return [step for number in numbers if number is not None for step in _if_call(number, [_refuse()])]


def _if_call(number: int, then: list[Step]) -> list[Step]:
    """These steps for one call; the call's number is loaded before and after."""
    steps = [*then, (_LOAD, 0, 0, _NUMBER)] if then[0][0] == _LOAD else then
    return [(_IF_EQUAL, 0, len(steps), number), *steps]
