"""From a forked process to a bot: the sandbox is put on and tried out, then the bot's own code runs."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from parlour.bots.box.process.launch import ANSWERS, HASH_SEED, QUESTIONS, Launch
from parlour.bots.box.sandbox import (
    IS_LINUX,
    MOUNTS,
    die_with_parent,
    drop_privileges,
    kernel,
    mounts,
    package_folders,
    readable_by_all,
    restrict,
    rlimits,
    selftest,
)
from parlour.bots.box.sandbox.cgroup import ControlGroup

Channels = tuple[int, int, int]  # questions, answers, errors

_CACHE = ".parlour"  # in the bot's folder: its compiled code


@dataclass(frozen=True)
class StartSetting:
    """Where a bot is started."""

    launch: Launch
    supervisor: int
    mapped: int  # bytes of address space that a bot file has from the start
    group: ControlGroup | None
    namespaced: bool
    user_namespace: bool

    @property
    def has_init(self) -> bool:
        """A bot file, which starts no process, is the first and only one in its namespaces. Others need an init."""
        return self.launch.is_program or not self.namespaced or not hasattr(os, "pidfd_open")


@dataclass(frozen=True)
class Prepared:
    readable: list[str]  # besides what every bot may read
    is_counted: bool  # whether a control group limits its memory and tasks


def prepare(setting: StartSetting) -> Prepared:
    """All that needs privileges, and giving those up."""
    die_with_parent()
    readable, is_counted = _readable(setting.launch), False
    if IS_LINUX:
        kernel.name_process("parlour-init" if setting.has_init else "parlour-bot")
        is_counted = setting.group is not None and setting.group.join()
        _prepare(setting, readable)
    drop_privileges(setting.launch.without)
    return Prepared(readable, is_counted)


def _readable(launch: Launch) -> list[str]:
    own = list(launch.readable)
    if launch.game and not launch.is_program:
        from parlour.bots.box.compile_cache import compiled_folder
        from parlour.engine import registry

        own.append(str(compiled_folder(launch.game)))
        own += package_folders(registry.get(launch.game).package)
    return own


def _prepare(setting: StartSetting, readable: list[str]) -> None:
    launch = setting.launch
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory runs out, the bot goes first
    if not launch.is_program:
        rlimits.count_root_apart(setting.supervisor)
    kernel.prctl(kernel.PR_SET_DUMPABLE, ctypes.c_ulong(0))  # the bot cannot look into this process
    if not setting.namespaced:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    elif MOUNTS not in launch.without:
        with contextlib.suppress(OSError, AttributeError):
            common = readable_by_all(program=launch.is_program)
            size, files = int(launch.limits["disk"]), int(launch.limits["files"])
            mounts.enter(common, tuple(readable), launch.folder, size=size, files=files)


def become_bot(setting: StartSetting, prepared: Prepared, channels: Channels, told: socket.socket) -> NoReturn:
    """Tell what the sandbox is good for, then run the bot."""
    launch = setting.launch
    try:
        if IS_LINUX:
            kernel.name_process("parlour-bot")
        os.setsid()
        os.chdir(launch.folder)
        os.umask(0o077)
        told = _arrange_files(channels, told, program=launch.is_program)
        _enter_sandbox(setting, prepared, told)
        if launch.is_program:
            os.execve(launch.command[0], launch.command, _environment(launch.folder))
        os.environ.clear()
        os.environ.update(_environment(launch.folder))
        _call(launch.entry, launch.arguments)
    except Exception as error:
        os.write(2, f"cannot start: {error}\n".encode())
    finally:
        os._exit(127)


def _enter_sandbox(setting: StartSetting, prepared: Prepared, told: socket.socket) -> None:
    """Put on all layers, try them out, and report what holds."""
    launch = setting.launch
    program, limits, without = launch.is_program, dict(launch.limits), launch.without
    die_with_parent()
    most_tasks = int(limits["tasks"]) + setting.user_namespace + setting.has_init  # supervisor and init are counted
    rlimits.set_limits(limits, setting.mapped, most_tasks, program=program, user_namespace=setting.user_namespace)
    kept = {
        selftest.TASKS: prepared.is_counted or (IS_LINUX and rlimits.are_tasks_limited(most_tasks)),
        selftest.MEMORY: prepared.is_counted,
    }
    handles = []
    with contextlib.suppress(AttributeError, OSError):
        handles = [os.pidfd_open(os.getpid())]
    restrict(prepared.readable, [launch.folder], program=program, without=without)
    if IS_LINUX:
        kept |= selftest.run(launch.folder, setting.supervisor, limits, program=program)
    socket.send_fds(told, [json.dumps({"kept": kept}).encode()], handles)
    for handle in handles:
        os.close(handle)
    told.close()


def _call(entry: str, arguments: Mapping[str, Any]) -> None:
    module, _, function = entry.partition(":")
    getattr(importlib.import_module(module), function)(arguments)


def _arrange_files(channels: Channels, told: socket.socket, *, program: bool) -> socket.socket:
    """A program has its channels as standard input and output. A bot file's are out of print's way."""
    high = [os.dup2(handle, 100 + place) for place, handle in enumerate((*channels, told.detach()))]
    questions, answers, errors, news = high
    if program:
        layout = {0: questions, 1: answers, 2: errors, 3: news}
    else:
        nothing = os.dup2(os.open(os.devnull, os.O_RDONLY), 104)
        layout = {0: nothing, 1: errors, 2: errors, QUESTIONS: questions, ANSWERS: answers, 5: news}
    for place, handle in layout.items():
        os.dup2(handle, place, inheritable=place < 3)
    os.closerange(max(layout) + 1, 1 << 16)
    return socket.socket(fileno=max(layout))


def _environment(folder: str) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "TMPDIR": folder,
        "PARLOUR_CACHE": f"{folder}/{_CACHE}",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": HASH_SEED,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
    }
