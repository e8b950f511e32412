"""The warm parent: a process that has imported what bots need, and forks a keeper for each.

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

HANDLES = 4  # the leash, questions, answers, errors
READY = b"."


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever sits at the terminal
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are reaped by the system
    os.chdir("/")
    for module in ("numpy", "numba", "parlour.engine.compiled.search", "parlour.bots.mcts", "parlour.bots.box.keeper"):
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
            _keep(control, handles)
        for handle in handles:
            os.close(handle)
        control.sendall(READY)


def _load(game: str) -> None:
    """Have the game imported before forking. One that cannot be is reported by the bot that needs it."""
    from parlour.bots.box.lend import compiled_folder
    from parlour.engine import registry
    from parlour.engine.errors import ParlourError

    with contextlib.suppress(ParlourError, ImportError):
        found = registry.get(game)
        for module in (found.notation, found.terminal, found.bots):
            if module:
                importlib.import_module(module)
        compiled_folder(game)


def _keep(control: socket.socket, handles: list[int]) -> None:
    from parlour.bots.box import keeper

    try:
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        leash, questions, answers, errors = handles
        keeper.keep(socket.socket(fileno=leash), questions, answers, errors)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
