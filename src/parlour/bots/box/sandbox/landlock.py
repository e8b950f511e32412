"""Landlock: the kernel's way for a process to shut itself out of files and the network."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable

from parlour.bots.box.sandbox import kernel

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # the same on every architecture
_ASK_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 1 << 1, 1 << 2, 1 << 3
_ALL_OF_FIRST = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_MAKE_DEVICES = 1 << 6 | 1 << 11  # character and block devices
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL

_TCP = 0b11  # bind and connect
_SCOPES = 0b11  # abstract sockets and signals

READ = _EXECUTE | _READ_FILE | _READ_FOLDER


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """The kernel's version of Landlock: 1 knows files, 4 TCP, 6 signals; 0 is none at all."""
    try:
        return kernel.syscall("landlock_create_ruleset", _CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    except OSError:
        return 0


def _handled(known: int) -> _Ruleset:
    files = _ALL_OF_FIRST
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        files |= right if known >= since else 0
    return _Ruleset(files, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)


def restrict(readable: Iterable[str], writable: Iterable[str]) -> int:
    """From here on this process can open nothing but these, and no TCP port; returns the version that holds.

    Needs ``no_new_privs``. Paths that do not exist are left out.
    """
    known = version()
    if not known:
        raise OSError("this kernel has no Landlock")
    ruleset = _handled(known)
    size = 8 if known < 4 else 16 if known < 6 else 24
    handle = kernel.syscall("landlock_create_ruleset", _CREATE, ctypes.byref(ruleset), ctypes.c_size_t(size), 0)
    try:
        for path in readable:
            _allow(handle, path, READ)
        for path in writable:
            _allow(handle, path, ruleset.files & ~_MAKE_DEVICES & ~_EXECUTE)
        kernel.syscall("landlock_restrict_self", _RESTRICT, handle, 0)
    finally:
        os.close(handle)
    return known


def _allow(handle: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights if os.path.isdir(path) else rights & _ON_FILES  # noqa: PTH112
            rule = _PathBeneath(allowed, folder)
            kernel.syscall("landlock_add_rule", _ADD_RULE, handle, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(folder)
