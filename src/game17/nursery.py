"""The process that bots come from: it has imported what they need, and forks one for each bot file.

It knows nothing of any game or its dice. Run as ``python -m game17.nursery FD``; requests come over that socket, one
JSON object each with the handles that go with it:

    {"bot": PATH, "readable": [..], "loud": false} + its channel   {"pid": N}
    {"end": PID}                                                    {}      the bot is killed, and gone
    {"branch": true} + a socket                                     {}      another nursery serves that socket

When its socket is closed, it ends, and every bot with it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
from typing import Any, NoReturn

from game17 import T800, harness, zombie  # bots import these
from game17.channel import Channel
from parlour.bots.box import sandbox
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.sandbox import rlimits

LIMITS = BotLimits(cpu=1e9)
WARMED = (T800, zombie)
CHANNEL = 3


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever sits at the terminal
    gc.freeze()
    _Nursery(control).serve()


class _Nursery:
    def __init__(self, control: socket.socket) -> None:
        self.control = control
        control.set_inheritable(False)
        self.bots: set[int] = set()
        sandbox.die_with_parent()

    def serve(self) -> None:
        while True:
            try:
                words, handles, _, _ = socket.recv_fds(self.control, 1 << 16, 1)
            except OSError:
                break
            if not words:
                break
            answer = self._answer(json.loads(words), handles)
            for handle in handles:
                os.close(handle)
            self.control.sendall(json.dumps(answer).encode())
        for bot in list(self.bots):
            self._end(bot)

    def _answer(self, request: dict[str, Any], handles: list[int]) -> dict[str, int]:
        if "end" in request:
            self._end(request["end"])
            return {}
        child = os.fork()
        if child == 0:
            self.control.close()
            if "branch" in request:
                _branch(handles[0])
            _become_bot(request, handles[0])
        if "bot" in request:
            self.bots.add(child)
        return {"pid": child}

    def _end(self, bot: int) -> None:
        if bot in self.bots:
            self.bots.discard(bot)
            os.kill(bot, signal.SIGKILL)
            os.waitpid(bot, 0)


def _branch(handle: int) -> NoReturn:
    try:
        _Nursery(socket.socket(fileno=handle)).serve()
    finally:
        os._exit(0)


def _become_bot(request: dict[str, Any], handle: int) -> NoReturn:
    try:
        os.setsid()
        _arrange_output(loud=request["loud"])
        if handle != CHANNEL:
            os.dup2(handle, CHANNEL, inheritable=False)
        os.closerange(CHANNEL + 1, 1 << 12)
        sys.argv = [request["bot"]]
        channel = Channel(socket.socket(fileno=CHANNEL))
        mapped = rlimits.mapped_memory()
        rlimits.count_root_apart(os.getpid())
        rlimits.set_limits(LIMITS.to_json(), mapped, LIMITS.tasks, program=False, user_namespace=False)
        sandbox.drop_privileges()
        sandbox.restrict(request["readable"], [], program=False)
        harness.serve(channel, request["bot"])
    except Exception as error:
        os.write(2, f"cannot start {request['bot']}: {error}\n".encode())
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(0)


def _arrange_output(*, loud: bool) -> None:
    """Whatever a bot prints goes to standard error, if it is to be seen at all."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if loud else nothing, 1)
    os.dup2(1, 2)


if __name__ == "__main__":
    main()
