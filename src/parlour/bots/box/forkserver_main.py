"""The fork server: a process that has imported what bots need, and forks a supervisor for each.

It runs one thread and holds nothing but its socket, so that what is forked from it is clean. Its one
argument is the number of that socket; it ends when the other end is closed.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
import traceback

HANDLES = 4  # the supervisor's socket, questions, answers, errors
READY = b"."
PRELOADED = ("numpy", "numba", "parlour.engine.compiled.search", "parlour.bots.mcts", "parlour.bots.box.supervisor")


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever sits at the terminal
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are reaped by the system
    os.chdir("/")
    for module in (
        "numpy",
        "numba",
        "parlour.engine.compiled.search",
        "parlour.bots.mcts",
        "parlour.bots.box.supervisor",
    ):
        importlib.import_module(module)
    gc.freeze()
    control.sendall(READY)
    while True:
        try:
            words, handles, _, _ = socket.recv_fds(control, 1024, HANDLES)
        except ConnectionResetError:
            return
        if not words:
            return
        _load(words.decode())
        if os.fork() == 0:
            _supervise(control, handles)
        for handle in handles:
            os.close(handle)
        control.sendall(READY)


def _load(game: str) -> None:
    """Have the game imported before forking. One that cannot be is reported by the bot that needs it."""
    from parlour.bots.box.compile_cache import compiled_folder
    from parlour.engine import registry
    from parlour.engine.errors import ParlourError

    with contextlib.suppress(ParlourError, ImportError):
        found = registry.get(game)
        for module in (found.notation, found.terminal, found.bots):
            if module:
                importlib.import_module(module)
        compiled_folder(game)


def _supervise(control: socket.socket, handles: list[int]) -> None:
    from parlour.bots.box import supervisor

    try:
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        caller, questions, answers, errors = handles
        supervisor.supervise(socket.socket(fileno=caller), questions, answers, errors)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
