"""The keeper of one bot: starts it, watches it, ends it and all that it started, and clears up.

Three processes, each started by the one before:

    keeper    outside the walls; holds the leash, a socket whose other end the caller has
    warden    the first process of a namespace of its own, where the system offers one; all in there end with it
    bot       inside the walls

When the caller lets go of the leash, or dies, the bot ends. When the bot ends, the caller reads why on the leash.
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

from parlour.bots.box import harness, kernel, walls, watch
from parlour.bots.box.lend import compiled_folder, lend

TICK = 0.05  # seconds between two looks at what the bot uses
LONGEST_ORDER = 8 << 20
CACHE = ".parlour"  # in the bot's folder: its compiled code


def keep(leash: socket.socket, questions: int, answers: int, errors: int) -> None:
    """Run one bot by the order on the leash until it ends or the leash is let go."""
    order = _read_order(leash)
    if order is None:
        return
    without = order["without"]
    in_namespace = False
    if walls.IS_LINUX and walls.NAMESPACE not in without:
        with contextlib.suppress(OSError):
            walls.enter_namespace()
            in_namespace = True
    if walls.IS_LINUX:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))  # what outlives the warden comes here
    news, tell = os.pipe()
    warden = os.fork()
    if warden == 0:
        os.close(news)
        leash.close()
        _guard(order, in_namespace, (questions, answers, errors), tell)
    for handle in (questions, answers, errors, tell):
        os.close(handle)
    _Keeper(leash, order, warden, news, in_namespace).run()


def _read_order(leash: socket.socket) -> dict[str, Any] | None:
    line = bytearray()
    while not line.endswith(b"\n"):
        part = leash.recv(1 << 16)
        if not part or len(line) > LONGEST_ORDER:
            return None
        line += part
    order: dict[str, Any] = json.loads(line)
    return order


class _Keeper:
    def __init__(self, leash: socket.socket, order: dict[str, Any], warden: int, news: int, in_namespace: bool) -> None:
        self.leash = leash
        self.order = order
        self.limits = order["limits"]
        self.warden = warden
        self.news = news
        self.in_namespace = in_namespace
        self.excess: tuple[str, str] | None = None

    def run(self) -> None:
        try:
            ending = self._wait()
        finally:
            self._end()
            watch.remove(self.order["folder"])
        if self.excess:
            self._tell({"status": self.excess[0], "detail": self.excess[1]})
        else:
            self._tell({"ended": ending})

    def _wait(self) -> dict[str, Any]:
        """Wait for the bot's end, the leash, or the bot using too much."""
        waiting = select.poll()
        waiting.register(self.news, select.POLLIN)
        waiting.register(self.leash, select.POLLIN)
        while True:
            for handle, _ in waiting.poll(TICK * 1000):
                if handle == self.leash.fileno():
                    return {}
                told = self._hear()
                if "walls" not in told:
                    return told
                self._tell(told)
            self.excess = self._find_excess()
            if self.excess:
                return {}

    def _hear(self) -> dict[str, Any]:
        """One line from the warden: the walls that stand, or how the bot ended; nothing if it was killed itself."""
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
            self.leash.sendall(json.dumps(what).encode() + b"\n")

    def _find_excess(self) -> tuple[str, str] | None:
        limits = self.limits
        if walls.IS_LINUX:
            if watch.count_tasks(self.warden, limits["tasks"]) > limits["tasks"]:
                return "crashed", f"it started more than {limits['tasks']} threads and processes"
            if self.order["command"] and watch.memory(self.warden) > limits["memory"]:
                return "memory", f"it took more than {limits['memory'] >> 20} MiB of memory"
        files, size = watch.disk(self.order["folder"], limits["files"])
        if files > limits["files"]:
            return "output", f"it made more than {limits['files']} files"
        if size > limits["disk"]:
            return "output", f"it wrote more than {limits['disk'] >> 20} MiB to disk"
        return None

    def _end(self) -> None:
        os.kill(self.warden, signal.SIGKILL)  # and with it, its namespace
        if walls.IS_LINUX and not self.in_namespace:
            watch.end_descendants()
        else:
            os.waitpid(self.warden, 0)


def _guard(order: dict[str, Any], in_namespace: bool, channels: tuple[int, int, int], tell: int) -> NoReturn:
    """The warden: starts the bot, takes in what it leaves behind, and says how it ended."""
    try:
        walls.die_with_parent()
        if walls.IS_LINUX and not in_namespace:
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
        signal.pause()  # the keeper ends this process, and with it whatever the bot has left running
    finally:
        os._exit(1)


def _become_bot(order: dict[str, Any], in_namespace: bool, channels: tuple[int, int, int], tell: int) -> NoReturn:
    try:
        os.setsid()
        os.chdir(order["folder"])
        os.umask(0o077)
        program = bool(order["command"])
        tell = _arrange_files(channels, tell, program=program)
        walls.set_limits(order["limits"], program=program, in_namespace=in_namespace)
        readable = [*order["readable"], *([] if program else [str(compiled_folder(order["game"]))])]
        report = walls.raise_walls(readable, [order["folder"]], program=program, without=order["without"])
        report["namespace"] = int(in_namespace)
        os.write(tell, json.dumps({"walls": report}).encode() + b"\n")
        os.close(tell)
        if program:
            os.execve(order["command"][0], order["command"], _environment(order["folder"]))
        os.environ.clear()
        os.environ.update(_environment(order["folder"]))
        lend()
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
