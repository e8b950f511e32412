"""Init: the first process in a bot's namespaces. It starts the bot, stops and continues it, and says how it ended."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import resource
import select
import signal
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from parlour.bots.box.process import descendants
from parlour.bots.box.process.launch import ANSWERS, QUESTIONS, Launch
from parlour.bots.box.sandbox import (
    IS_LINUX,
    MOUNTS,
    die_with_parent,
    drop_privileges,
    kernel,
    mounts,
    readable_by_all,
    restrict,
    rlimits,
    selftest,
)

STOP, GO_ON = b"s", b"g"
_LOOK_AGAIN = 5  # milliseconds after which all must have stopped
_CACHE = ".parlour"  # in the bot's folder: its compiled code


@dataclass(frozen=True)
class Processes:
    """What is known about them before the bot starts."""

    supervisor: int
    mapped: int  # bytes of address space that a bot file has from the start
    namespaced: bool
    user_namespace: bool


def run_init(
    launch: Launch, known: Processes, channels: tuple[int, int, int], told: socket.socket, orders: int
) -> NoReturn:
    """``orders`` is a pipe on which the caller says when to stop and when to go on."""
    try:
        die_with_parent()
        readable = _readable(launch)
        if IS_LINUX:
            _prepare(launch, known, readable)
        drop_privileges(launch.without)
        bot = os.fork()
        if bot == 0:
            _become_bot(launch, known, readable, channels, told)
        for channel in channels:
            os.close(channel)
        _Init(bot, told, orders, namespaced=known.namespaced).run()
    finally:
        os._exit(1)


class _Init:
    def __init__(self, bot: int, told: socket.socket, orders: int, *, namespaced: bool) -> None:
        self.bot = bot
        self.told = told
        self.orders = orders
        self.namespaced = namespaced

    def run(self) -> None:
        """Do as told, and reap what ends. The supervisor ends this process, and with it all that is left."""
        signal.signal(signal.SIGCHLD, lambda *_: self._reap())
        self._reap()
        waiting = select.poll()
        waiting.register(self.orders, select.POLLIN)
        is_stopping = False
        while True:
            if waiting.poll(_LOOK_AGAIN if is_stopping else None):
                order = os.read(self.orders, 100)[-1:]
                if not order:
                    signal.pause()
                self._send(signal.SIGSTOP if order == STOP else signal.SIGCONT)
                is_stopping = order == STOP
            elif is_stopping := not self._is_all_stopped():
                self._send(signal.SIGSTOP)

    def _send(self, number: signal.Signals) -> None:
        """Signal all that the bot has started. In a namespace, the kernel does that in one go."""
        with contextlib.suppress(ProcessLookupError):
            if self.namespaced:
                os.kill(-1, number)
            else:
                descendants.send(number)

    def _is_all_stopped(self) -> bool:
        """Those that ended at the wrong moment may have had the kernel continue others."""
        below = descendants.family(os.getpid())
        return all(descendants.is_stopped(pid) for pid in below if pid != os.getpid())

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.bot:
                    self._tell_end(os.waitstatus_to_exitcode(status), usage)

    def _tell_end(self, code: int, usage: resource.struct_rusage) -> None:
        how = {"signal": -code} if code < 0 else {"code": code}
        used = {"memory": usage.ru_maxrss * 1024, "cpu": usage.ru_utime + usage.ru_stime}
        self.told.sendall(json.dumps({**how, **used}).encode())


def _readable(launch: Launch) -> list[str]:
    own = list(launch.readable)
    if launch.game and not launch.is_program:
        from parlour.bots.box.compile_cache import compiled_folder

        own.append(str(compiled_folder(launch.game)))
    return own


def _prepare(launch: Launch, known: Processes, readable: list[str]) -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory runs out, the bot goes first
    if not launch.is_program:
        rlimits.count_root_apart(known.supervisor)
    kernel.prctl(kernel.PR_SET_DUMPABLE, ctypes.c_ulong(0))  # the bot cannot look into this process
    if not known.namespaced:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    elif MOUNTS not in launch.without:
        with contextlib.suppress(OSError, AttributeError):
            common = readable_by_all(program=launch.is_program)
            size, files = int(launch.limits["disk"]), int(launch.limits["files"])
            mounts.enter(common, tuple(readable), launch.folder, size=size, files=files)


def _become_bot(
    launch: Launch, known: Processes, readable: list[str], channels: tuple[int, int, int], told: socket.socket
) -> NoReturn:
    try:
        os.setsid()
        os.chdir(launch.folder)
        os.umask(0o077)
        told = _arrange_files(channels, told, program=launch.is_program)
        _enter_sandbox(launch, known, readable, told)
        if launch.is_program:
            os.execve(launch.command[0], launch.command, _environment(launch.folder))
        os.environ.clear()
        os.environ.update(_environment(launch.folder))
        _call(launch.entry, launch.arguments)
    except Exception as error:
        os.write(2, f"cannot start: {error}\n".encode())
    finally:
        os._exit(127)


def _enter_sandbox(launch: Launch, known: Processes, readable: list[str], told: socket.socket) -> None:
    """Put on all layers, try them out, and report what holds."""
    program, limits, without = launch.is_program, dict(launch.limits), launch.without
    die_with_parent()
    rlimits.set_limits(limits, known.mapped, program=program, user_namespace=known.user_namespace)
    kept = {selftest.TASKS: IS_LINUX and rlimits.are_tasks_limited(int(limits["tasks"]))}
    handles = []
    with contextlib.suppress(AttributeError, OSError):
        handles = [os.pidfd_open(os.getpid())]
    restrict(readable, [launch.folder], program=program, without=without)
    if IS_LINUX:
        kept |= selftest.run(launch.folder, known.supervisor, limits, program=program)
    socket.send_fds(told, [json.dumps({"kept": kept}).encode()], handles)
    for handle in handles:
        os.close(handle)
    told.close()


def _call(entry: str, arguments: Any) -> None:
    module, _, function = entry.partition(":")
    getattr(importlib.import_module(module), function)(arguments)


def _arrange_files(channels: tuple[int, int, int], told: socket.socket, *, program: bool) -> socket.socket:
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
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
    }
