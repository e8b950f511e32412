"""The supervisor of one bot: starts it, watches it, ends it and all that it started, and clears up.

Three processes, each started by the one before:

    supervisor  outside the sandbox; holds the control socket, whose other end the caller has
    init        the first process of a namespace of its own, where the system offers one; all in there end with it
    bot         inside the sandbox

When the caller closes its end of that, or dies, the bot ends. When the bot ends, the caller reads why on it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
from typing import Any, NoReturn

from parlour.bots.box import harness, kernel, sandbox, usage
from parlour.bots.box.compile_cache import compiled_folder, share_compiled

TICK = 0.05  # seconds between two looks at what the bot uses
LONGEST_ORDER = 8 << 20
CACHE = ".parlour"  # in the bot's folder: its compiled code


def supervise(control: socket.socket, questions: int, answers: int, errors: int) -> None:
    """Run one bot by the order on the control socket until it ends or the caller closes that."""
    order = _read_order(control)
    if order is None:
        return
    without = order["without"]
    in_namespace = False
    if sandbox.IS_LINUX and sandbox.NAMESPACE not in without:
        with contextlib.suppress(OSError):
            sandbox.enter_namespace()
            in_namespace = True
    if sandbox.IS_LINUX:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))  # what outlives init comes here
    news, tell = os.pipe()
    init = os.fork()
    if init == 0:
        os.close(news)
        control.close()
        _guard(order, in_namespace, (questions, answers, errors), tell)
    for handle in (questions, answers, errors, tell):
        os.close(handle)
    _Supervisor(control, order, init, news, in_namespace).run()


def _read_order(control: socket.socket) -> dict[str, Any] | None:
    line = bytearray()
    while not line.endswith(b"\n"):
        part = control.recv(1 << 16)
        if not part or len(line) > LONGEST_ORDER:
            return None
        line += part
    order: dict[str, Any] = json.loads(line)
    return order


class _Supervisor:
    def __init__(self, control: socket.socket, order: dict[str, Any], init: int, news: int, in_namespace: bool) -> None:
        self.control = control
        self.order = order
        self.limits = order["limits"]
        self.init = init
        self.news = news
        self.in_namespace = in_namespace
        self.excess: tuple[str, str] | None = None

    def run(self) -> None:
        try:
            ending = self._wait()
        finally:
            self._end()
            usage.remove(self.order["folder"])
        if self.excess:
            self._tell({"status": self.excess[0], "detail": self.excess[1]})
        else:
            self._tell({"ended": ending})

    def _wait(self) -> dict[str, Any]:
        """Wait for the bot's end, the caller's, or the bot using too much."""
        waiting = select.poll()
        waiting.register(self.news, select.POLLIN)
        waiting.register(self.control, select.POLLIN)
        while True:
            for handle, _ in waiting.poll(TICK * 1000):
                if handle == self.control.fileno():
                    return {}
                told = self._hear()
                if "layers" not in told:
                    return told
                self._tell(told)
            self.excess = self._find_excess()
            if self.excess:
                return {}

    def _hear(self) -> dict[str, Any]:
        """One line from init: the layers that stand, or how the bot ended; nothing if it was killed itself."""
        line = bytearray()
        while not line.endswith(b"\n"):
            part = os.read(self.news, 1)
            if not part:
                return {"signal": int(signal.SIGKILL), "memory": 0, "cpu": 0}
            line += part
        told: dict[str, Any] = json.loads(line)
        return told

    def _tell(self, what: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            self.control.sendall(json.dumps(what).encode() + b"\n")

    def _find_excess(self) -> tuple[str, str] | None:
        limits = self.limits
        if sandbox.IS_LINUX:
            if usage.count_tasks(self.init, limits["tasks"]) > limits["tasks"]:
                return "crashed", f"it started more than {limits['tasks']} threads and processes"
            if self.order["command"] and usage.memory(self.init) > limits["memory"]:
                return "memory", f"it took more than {limits['memory'] >> 20} MiB of memory"
        files, size = usage.disk(self.order["folder"], limits["files"])
        if files > limits["files"]:
            return "output", f"it made more than {limits['files']} files"
        if size > limits["disk"]:
            return "output", f"it wrote more than {limits['disk'] >> 20} MiB to disk"
        return None

    def _end(self) -> None:
        os.kill(self.init, signal.SIGKILL)  # and with it, its namespace
        if sandbox.IS_LINUX and not self.in_namespace:
            usage.end_descendants()
        else:
            os.waitpid(self.init, 0)


def _guard(order: dict[str, Any], in_namespace: bool, channels: tuple[int, int, int], tell: int) -> NoReturn:
    """Init: starts the bot, takes in what it leaves behind, and says how it ended."""
    try:
        sandbox.die_with_parent()
        if sandbox.IS_LINUX and not in_namespace:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
        bot = os.fork()
        if bot == 0:
            _become_bot(order, in_namespace, channels, tell)
        for channel in channels:
            os.close(channel)
        while True:
            pid, status, usage = os.wait4(-1, 0)
            if pid == bot:
                break
        code = os.waitstatus_to_exitcode(status)
        how = {"signal": -code} if code < 0 else {"code": code}
        used = {"memory": usage.ru_maxrss * 1024, "cpu": usage.ru_utime + usage.ru_stime}
        os.write(tell, json.dumps({**how, **used}).encode() + b"\n")
        signal.pause()  # the supervisor ends this process, and with it whatever the bot has left running
    finally:
        os._exit(1)


def _become_bot(order: dict[str, Any], in_namespace: bool, channels: tuple[int, int, int], tell: int) -> NoReturn:
    try:
        os.setsid()
        os.chdir(order["folder"])
        os.umask(0o077)
        program = bool(order["command"])
        tell = _arrange_files(channels, tell, program=program)
        sandbox.set_limits(order["limits"], program=program, in_namespace=in_namespace)
        readable = [*order["readable"], *([] if program else [str(compiled_folder(order["game"]))])]
        report = sandbox.restrict(readable, [order["folder"]], program=program, without=order["without"])
        report["namespace"] = int(in_namespace)
        os.write(tell, json.dumps({"layers": report}).encode() + b"\n")
        os.close(tell)
        if program:
            os.execve(order["command"][0], order["command"], _environment(order["folder"]))
        os.environ.clear()
        os.environ.update(_environment(order["folder"]))
        share_compiled()
        harness.serve(order)
    except Exception as error:
        os.write(2, f"cannot start: {error}\n".encode())
    finally:
        os._exit(127)


def _arrange_files(channels: tuple[int, int, int], tell: int, *, program: bool) -> int:
    """A program has its channels as standard input and output. For a bot file they are 3 and 4, out of print's way."""
    high = [os.dup2(handle, 100 + place) for place, handle in enumerate((*channels, tell))]
    questions, answers, errors, news = high
    if program:
        layout = {0: questions, 1: answers, 2: errors, 3: news}
    else:
        nothing = os.open(os.devnull, os.O_RDONLY)
        layout = {0: os.dup2(nothing, 104), 1: errors, 2: errors, 3: questions, 4: answers, 5: news}
    for place, handle in layout.items():
        os.dup2(handle, place, inheritable=place < 3)
    os.closerange(max(layout) + 1, 1 << 16)
    return max(layout)


def _environment(folder: str) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "TMPDIR": folder,
        "PARLOUR_CACHE": f"{folder}/{CACHE}",
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
    }
