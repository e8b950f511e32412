"""One running process in a sandbox, as its caller has it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import tempfile
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

from parlour.bots.box.process import forkserver
from parlour.bots.box.process.forkserver import ForkServer
from parlour.bots.box.process.init import GO_ON, STOP
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.process.usage import remove
from parlour.bots.faults import BadBot

_PART = 1 << 16
_LONGEST_GOODBYE = 10.0  # seconds for the supervisor to end everything


class SandboxedProcess:
    """A program or a Python function in a sandbox. It starts running at once; ``stop`` and ``go_on`` as you like.

    ``questions`` is what you write to, ``answers`` and ``errors`` what you read from. ``control`` is readable when
    there is news: call ``hear`` then. ``kept`` is what the process cannot do, by its own trial; ``ending`` tells how
    it ended.
    """

    def __init__(self, launch: Launch, server: ForkServer | None = None) -> None:
        if not hasattr(os, "fork"):
            raise BadBot("bots in boxes need Linux or macOS: this system cannot fork processes")
        folder = tempfile.mkdtemp(prefix="parlour-bot-")
        self.control, theirs = socket.socketpair()
        (asked, self.questions), (self.answers, answered), (self.errors, erred) = (os.pipe() for _ in range(3))
        self.kept: dict[str, bool] = {}
        self.ending: dict[str, Any] | None = None
        self._is_program = launch.is_program
        self._handles = [self.questions, self.answers, self.errors]
        self._process: int | None = None  # where to send signals; for a program, orders to init
        self._news = b""
        self._finalizer = weakref.finalize(self, _clear_up, os.getpid(), self.control, self._handles, folder)
        try:
            with theirs:
                _fork(server, launch.game, [theirs.fileno(), asked, answered, erred])
            with contextlib.suppress(ConnectionError):  # ``hear`` then finds that it is lost
                self.control.sendall(replace(launch, folder=folder).to_line())
        except BaseException:
            self.close()
            raise
        finally:
            for handle in (asked, answered, erred):
                os.close(handle)

    @property
    def pid(self) -> int | None:
        """The number of a bot file's process; None where the system does not tell, and for a program."""
        if self._process is None or self._is_program:
            return None
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/self/fdinfo/{self._process}").read_text().splitlines()
            return next(int(line.removeprefix("Pid:")) for line in lines if line.startswith("Pid:"))
        return None

    def wait_for_report(self) -> bool:
        """Wait until ``kept`` is told. False: the process has ended before."""
        while not self.kept and self.ending is None:
            self.hear()
        return bool(self.kept)

    def hear(self) -> None:
        """Take in news from the supervisor: the report, or how the process ended."""
        try:
            part, handles, _, _ = socket.recv_fds(self.control, _PART, 1)
        except ConnectionError:
            part, handles = b"", []
        for handle in handles:
            self._process = handle
            self._handles.append(handle)
        *lines, self._news = (self._news + part).split(b"\n")
        for line in lines:
            news = json.loads(line)
            if "kept" in news:
                self.kept = news["kept"]
            else:
                self.ending = news
        if not part and self.ending is None:
            self.ending = {"lost": True}

    def stop(self) -> None:
        """Have the process and all it started do nothing until ``go_on``."""
        self._order(STOP, signal.SIGSTOP)

    def go_on(self) -> None:
        self._order(GO_ON, signal.SIGCONT)

    def _order(self, order: bytes, number: signal.Signals) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, BrokenPipeError):  # it has ended
            if self._is_program:
                os.write(self._process, order)
            else:
                signal.pidfd_send_signal(self._process, number)

    def close(self) -> None:
        """End the process and all it started, and remove its folder; returns when nothing of it is left."""
        self._finalizer()
        self._process = None


def _fork(server: ForkServer | None, game: str, handles: list[int]) -> None:
    """Have a supervisor forked; a fork server that has ended meanwhile is replaced once."""
    given = server or forkserver.fork_server()
    try:
        given.fork(game, handles)
    except ConnectionError:
        if server is not None:
            raise BadBot("the process that bots are started from has ended; what it printed says why") from None
        forkserver.replace(given).fork(game, handles)


def _clear_up(owner: int, control: socket.socket, handles: list[int], folder: str) -> None:
    """Wait until the supervisor has cleared up. In a forked process, only close its copies of the handles."""
    for handle in handles:
        os.close(handle)
    if owner == os.getpid():
        with contextlib.suppress(OSError):
            control.settimeout(_LONGEST_GOODBYE)
            control.shutdown(socket.SHUT_WR)
            while control.recv(_PART):
                pass
        remove(folder)  # the supervisor has done so, unless it was killed or never began
    control.close()
