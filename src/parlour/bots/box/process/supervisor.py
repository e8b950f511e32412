"""The supervisor of one bot: starts it, watches what it uses, ends it and all that it started, and clears up.

It holds one end of the control socket. When the caller closes the other end, or dies, the bot ends. When the bot
ends, the caller reads why.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import struct
from typing import Any

from parlour.bots.box.process import descendants, usage
from parlour.bots.box.process.bot import Channels, StartSetting, become_bot, prepare
from parlour.bots.box.process.init import ending, run_init
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.sandbox import CGROUP, IS_LINUX, NAMESPACES, kernel, namespaces, rlimits
from parlour.bots.box.sandbox.cgroup import ControlGroup, make_group
from parlour.bots.box.sandbox.selftest import DISK, IDLE, MEMORY, NEW, TASKS
from parlour.bots.faults import CRASHED, OUTPUT
from parlour.bots.faults import MEMORY as TOO_MUCH_MEMORY

TICK = 0.05  # seconds between two looks at what the bot uses, where the kernel does not limit it
_LONGEST_LINE = 8 << 20
_PART = 1 << 16


def supervise(control: socket.socket, channels: Channels) -> None:
    """Run one bot, by the line on the control socket, until it ends or the caller does."""
    caller = _open_caller(control)
    line = _read_line(control)
    if line is None:
        return
    news, told = socket.socketpair()
    orders, give_orders = os.pipe()
    setting = _enter_namespaces(Launch.from_line(line))
    first = os.fork()
    if first == 0:
        news.close()
        control.close()
        os.close(give_orders)
        if setting.has_init:
            run_init(setting, channels, told, orders)
        become_bot(setting, prepare(setting), channels, told)
    told.close()
    for handle in (*channels, orders):
        os.close(handle)
    _Supervisor(control, caller, setting, first, news, give_orders).run()


def _read_line(control: socket.socket) -> bytes | None:
    line = bytearray()
    while not line.endswith(b"\n"):
        part = control.recv(_PART)
        if not part or len(line) > _LONGEST_LINE:
            return None
        line += part
    return bytes(line)


def _open_caller(control: socket.socket) -> int | None:
    """A handle that is readable once the caller has ended, even if a process forked from it holds the socket."""
    with contextlib.suppress(AttributeError, OSError):
        pid, _, _ = struct.unpack("3i", control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return os.pidfd_open(pid)
    return None


def _enter_namespaces(launch: Launch) -> StartSetting:
    namespaced = user_namespace = False
    mapped, group = 0, None
    if IS_LINUX:
        kernel.name_process("parlour-super")
        group = _make_group(launch)
        mapped = rlimits.mapped_memory()
        if NAMESPACES not in launch.without:
            with contextlib.suppress(OSError):
                user_namespace = namespaces.enter()
                namespaced = True
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))  # what outlives init comes here
    return StartSetting(launch, os.getpid(), mapped, group, namespaced=namespaced, user_namespace=user_namespace)


def _make_group(launch: Launch) -> ControlGroup | None:
    """For a program. A bot file is one process, whose own limits will do."""
    if not launch.is_program or CGROUP in launch.without:
        return None
    limits = launch.limits
    return make_group(int(limits["memory"] + limits["disk"]), int(limits["tasks"]) + 1)  # with init


class _Supervisor:
    def __init__(
        self,
        control: socket.socket,
        caller: int | None,
        setting: StartSetting,
        first: int,
        news: socket.socket,
        give_orders: int,
    ) -> None:
        self.control = control
        self.caller = caller
        self.setting = setting
        self.launch = setting.launch
        self.limits = setting.launch.limits
        self.first = first  # init, or the bot itself
        self.news = news
        self.give_orders = give_orders
        self.kept: dict[str, bool] = {}
        self.excess: tuple[str, str] | None = None
        self.waiting = select.poll()
        self.is_reaped = False

    def run(self) -> None:
        try:
            how = self._wait()
        finally:
            self._end()
            usage.remove(self.launch.folder)
            self._close_group()
        if self.excess:
            self._tell({"status": self.excess[0], "detail": self.excess[1]})
        else:
            self._tell({"ended": how})
        self.control.close()  # now, as a process that ends lets go of its memory first

    def _close_group(self) -> None:
        group = self.setting.group
        if group is not None:
            if group.ran_out_of_memory and self.kept.get(MEMORY):
                self.excess = self._too_much_memory()
            group.remove()

    def _too_much_memory(self) -> tuple[str, str]:
        return TOO_MUCH_MEMORY, f"it took more than {int(self.limits['memory']) >> 20} MiB of memory"

    def _wait(self) -> dict[str, Any]:
        """Wait for the bot's end, the caller's, or the bot using too much."""
        for handle in (self.news.fileno(), self.control.fileno(), self.caller):
            if handle is not None:
                self.waiting.register(handle, select.POLLIN)
        while not self.excess:
            for handle, _ in self.waiting.poll(TICK * 1000 if self._must_look else None):
                if handle in (self.control.fileno(), self.caller):
                    return {}
                how = self._hear() if handle == self.news.fileno() else self._reap()
                if how is not None:
                    return how
            self.excess = self._find_excess()
        return {}

    @property
    def _must_look(self) -> bool:
        return not all(self.kept.get(promise) for promise in (TASKS, MEMORY, DISK))

    def _hear(self) -> dict[str, Any] | None:
        """The bot's report of what it cannot do, which is passed on; or from init, how the bot ended."""
        line, handles, _, _ = socket.recv_fds(self.news, _PART, 1)
        if not line and self.setting.has_init:  # init was killed
            return {"signal": int(signal.SIGKILL), "memory": 0, "cpu": 0}
        if not line:  # a bot says no more than its report; its end is seen elsewhere
            self.waiting.unregister(self.news)
            self.waiting.register(os.pidfd_open(self.first), select.POLLIN)
            return None
        told: dict[str, Any] = json.loads(line)
        if "kept" not in told:
            return told
        self._take_report(told["kept"], handles)
        return None

    def _reap(self) -> dict[str, Any]:
        """How the bot ended, where it has no init."""
        _, status, used = os.wait4(self.first, 0)
        self.is_reaped = True
        return ending(os.waitstatus_to_exitcode(status), used)

    def _take_report(self, kept: dict[str, bool], handles: list[int]) -> None:
        """Add what the bot could not find out by itself, and hand the caller what it can stop the bot with."""
        if self.launch.is_program:
            kept[NEW] = self.setting.namespaced
            kept[IDLE] = kept.get(IDLE, False) and self.setting.namespaced
            for handle in handles:
                os.close(handle)
            handles = [os.dup(self.give_orders)]
        kept[IDLE] = kept.get(IDLE, False) and bool(handles)
        self.kept = kept
        with contextlib.suppress(OSError):
            socket.send_fds(self.control, [json.dumps({"kept": kept}).encode() + b"\n"], handles)
        for handle in handles:
            os.close(handle)

    def _tell(self, what: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            self.control.sendall(json.dumps(what).encode() + b"\n")

    def _find_excess(self) -> tuple[str, str] | None:
        """What the bot has too much of, as far as the kernel does not see to it."""
        limits, kept = self.limits, self.kept
        if IS_LINUX:
            if not kept.get(TASKS) and self._count_tasks() > limits["tasks"]:
                return CRASHED, f"it started more than {limits['tasks']} threads and processes"
            if self.launch.is_program and not kept.get(MEMORY) and usage.memory(self.first) > limits["memory"]:
                return self._too_much_memory()
        if kept.get(DISK):
            return None
        files, size = usage.disk(self.launch.folder, int(limits["files"]))
        if files > limits["files"]:
            return OUTPUT, f"it made more than {limits['files']} files"
        if size > limits["disk"]:
            return OUTPUT, f"it wrote more than {int(limits['disk']) >> 20} MiB to disk"
        return None

    def _count_tasks(self) -> int:
        return usage.count_tasks(self.first, int(self.limits["tasks"])) - self.setting.has_init

    def _end(self) -> None:
        if self.is_reaped:
            return
        os.kill(self.first, signal.SIGKILL)  # and with it, its namespace
        if IS_LINUX and not self.setting.namespaced:
            descendants.end()
        else:
            os.waitpid(self.first, 0)
