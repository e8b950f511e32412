"""Init: the first process in a program's namespaces. It starts it, stops it, and says how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
from typing import TYPE_CHECKING, NoReturn

from parlour.bots.box.process import descendants
from parlour.bots.box.process.bot import Channels, StartSetting, become_bot, prepare

if TYPE_CHECKING:
    import resource

STOP, GO_ON = b"s", b"g"
_LOOK_AGAIN = 5  # milliseconds after which all must have stopped


def run_init(setting: StartSetting, channels: Channels, told: socket.socket, orders: int) -> NoReturn:
    """``orders`` is a pipe on which the caller says when to stop and when to go on."""
    try:
        prepared = prepare(setting)
        bot = os.fork()
        if bot == 0:
            become_bot(setting, prepared, channels, told)
        for channel in channels:
            os.close(channel)
        _Init(bot, told, orders, namespaced=setting.namespaced).run()
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
        self.told.sendall(json.dumps(ending(code, usage)).encode())


def ending(code: int, usage: resource.struct_rusage) -> dict[str, float]:
    """How a process ended, and what it used."""
    how = {"signal": -code} if code < 0 else {"code": code}
    return {**how, "memory": usage.ru_maxrss * 1024, "cpu": usage.ru_utime + usage.ru_stime}
