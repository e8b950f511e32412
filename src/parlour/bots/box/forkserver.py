"""The caller's side of the fork server: starts it when the first bot is wanted, and has it fork supervisors."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import threading

from parlour.bots.box.forkserver_main import READY
from parlour.bots.faults import BadBot

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
_START = "from parlour.bots.box.forkserver_main import main; main()"


class ForkServer:
    """One process from which supervisors are forked. Every process that has bots has one of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=os.environ | _ONE_THREAD,
            )
        self._await_ready()

    def _await_ready(self) -> None:
        with contextlib.suppress(ConnectionError):
            if self._control.recv(1) == READY:
                return
        self.close()
        raise BadBot("the process that bots are started from has ended; what it printed says why")

    def fork(self, game: str, handles: list[int]) -> None:
        """A supervisor with these handles; the caller may close its own copies afterwards."""
        with self._lock:
            try:
                socket.send_fds(self._control, [game.encode()], handles)
            except ConnectionError:
                self.close()
                raise BadBot("the process that bots are started from has ended") from None
            self._await_ready()

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End it; the bots that were forked from it go on."""
        self._control.close()
        self._process.wait()

    def abandon(self) -> None:
        """Forget it in a process forked from its owner: it is not this one's to end."""
        self._control.close()
        self._process.returncode = 0  # or Python would warn that it still runs


_lock = threading.Lock()
_parent: ForkServer | None = None


def fork_server() -> ForkServer:
    """This process's fork server, started if there is none yet or it has ended."""
    global _parent
    with _lock:
        if _parent is None or not _parent.is_alive:
            if _parent is not None:
                _parent.close()
            _parent = ForkServer()
        return _parent


def fork_supervisor(game: str, handles: list[int]) -> None:
    """A supervisor forked from this process's fork server; one that has ended meanwhile is replaced once."""
    try:
        fork_server().fork(game, handles)
    except BadBot:
        fork_server().fork(game, handles)


@atexit.register
def _at_exit() -> None:
    if _parent is not None and _parent.is_alive:
        _parent.close()


def _after_fork() -> None:
    global _parent, _lock
    _lock = threading.Lock()
    if _parent is not None:
        _parent.abandon()
        _parent = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
