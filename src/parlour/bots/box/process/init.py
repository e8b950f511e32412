"""Init: the first process in a program's namespaces. It starts it, stops it, and says how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from typing import TYPE_CHECKING, NoReturn

from parlour.bots.box.process import descendants
from parlour.bots.box.process.bot import Channels, StartSetting, become_bot, prepare
from parlour.bots.box.process.descendants import Restlessness

if TYPE_CHECKING:
    import resource

STOP, GO_ON = b"s", b"g"
_LOOK_AGAIN = 5  # milliseconds after which all must have stopped
_LONGEST_PAUSE = 100  # milliseconds between two looks at what cannot go on by itself
PATIENCE = 5.0  # seconds after which even a large process has ended: whoever is at work then means to be


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
        pause, latest = None, 0.0  # milliseconds until the next look, if any; by when all must have stopped
        while True:
            if waiting.poll(pause):
                order = os.read(self.orders, 100)[-1:]
                if not order:
                    signal.pause()
                self._send(signal.SIGSTOP if order == STOP else signal.SIGCONT)
                pause, latest = _LOOK_AGAIN if order == STOP else None, time.monotonic() + PATIENCE
            elif pause and (found := self._find_restlessness()):
                if found == Restlessness.BUSY and time.monotonic() > latest:
                    self._tell({"restless": True})
                    signal.pause()  # until the supervisor ends it all
                self._send(signal.SIGSTOP)
                pause = _LOOK_AGAIN if found == Restlessness.BUSY else min(2 * pause, _LONGEST_PAUSE)
            else:
                pause = None

    def _send(self, number: signal.Signals) -> None:
        """Signal all that the bot has started. In a namespace, the kernel does that in one go."""
        with contextlib.suppress(ProcessLookupError):
            if self.namespaced:
                os.kill(-1, number)
            else:
                descendants.send(number)

    def _find_restlessness(self) -> Restlessness:
        """Of all that the bot has started. What ended at the wrong moment may have had the kernel continue others."""
        try:
            started = descendants.in_namespace() if self.namespaced else descendants.below()
        except OSError:
            return Restlessness.WAITING  # nobody can look
        return max(map(descendants.restlessness, started), default=Restlessness.NONE)

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.bot:
                    self._tell(ending(os.waitstatus_to_exitcode(status), usage))

    def _tell(self, how: dict[str, float]) -> None:
        """How the bot ended, or has to end."""
        self.told.sendall(json.dumps(how).encode())


def ending(code: int, usage: resource.struct_rusage) -> dict[str, float]:
    """How a process ended, and what it used."""
    how = {"signal": -code} if code < 0 else {"code": code}
    return {**how, "memory": usage.ru_maxrss * 1024, "cpu": usage.ru_utime + usage.ru_stime}
