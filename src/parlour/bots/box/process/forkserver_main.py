"""The fork server: a process that has imported what bots need, and forks a supervisor for each.

It runs one thread, and neither its environment nor its memory holds anything of the caller's: what is forked from it
is clean. Its arguments are the number of its socket and the modules to import. It ends when the socket is closed at
the other end, and when the process that started it ends.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
import traceback

HANDLES = 4  # the control socket, questions, answers, errors
NAME_LENGTH = 64  # of a request, which is a game's name, filled up with zeros


def main() -> None:
    requests = socket.socket(fileno=int(sys.argv[1]))
    requests.set_inheritable(False)
    parent = open_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever sits at the terminal
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are reaped by the system
    os.chdir("/")
    for module in (*sys.argv[2:], "parlour.bots.box.process.supervisor"):
        importlib.import_module(module)
    _prepare()
    gc.freeze()
    while (request := _next(requests, parent)) is not None:
        game, handles = request
        _load(game)
        if os.fork() == 0:
            _supervise(requests, parent, handles)
        for handle in handles:
            os.close(handle)


def open_parent() -> int | None:
    """A handle that is readable once the process that started this one has ended, where the system offers that."""
    with contextlib.suppress(AttributeError, OSError):
        return os.pidfd_open(os.getppid())
    return None


def _next(requests: socket.socket, parent: int | None) -> tuple[str, list[int]] | None:
    """The next game with its handles; None when nobody will ask any more."""
    handles = [requests.fileno(), *([] if parent is None else [parent])]
    if requests.fileno() not in select.select(handles, [], [])[0]:
        return None
    try:
        name, handles, _, _ = socket.recv_fds(requests, NAME_LENGTH, HANDLES)
    except ConnectionResetError:
        return None
    return (name.rstrip(b"\0").decode(), handles) if name else None


def _prepare() -> None:
    """Find out once what is the same for every bot."""
    from parlour.bots.box import sandbox
    from parlour.bots.box.sandbox import mounts, seccomp

    if sandbox.IS_LINUX:
        sandbox.kernel.name_process("parlour-forks")
    for program in (False, True):
        with contextlib.suppress(OSError):
            seccomp.compiled(1, processes=program)  # in a namespace, a bot file is process 1
        mounts.plan(sandbox.readable_by_all(program=program))


def _load(game: str) -> None:
    """Have the game imported before forking. One that cannot be is reported by the bot that needs it."""
    if not game:
        return
    from parlour.bots.box.compile_cache import compiled_folder
    from parlour.engine import registry

    with contextlib.suppress(Exception):
        found = registry.get(game)
        for module in (found.notation, found.terminal, found.bots):
            if module:
                importlib.import_module(module)
        compiled_folder(game)


def _supervise(requests: socket.socket, parent: int | None, handles: list[int]) -> None:
    from parlour.bots.box.process import supervisor

    try:
        requests.close()
        if parent is not None:
            os.close(parent)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        control, questions, answers, errors = handles
        supervisor.supervise(socket.socket(fileno=control), (questions, answers, errors))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
