"""The connection to one running bot: questions in, answers and standard error out, and its supervisor's socket."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
import weakref
from typing import Any

from parlour.bots.box.answers import LONGEST
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.usage import remove
from parlour.bots.faults import CRASHED, MEMORY, OUTPUT, TIMEOUT, BotFault, CpuTimeSpent

KEPT = 1 << 16  # bytes of standard error, from its end
PART = 1 << 16
MOST_CHATTER = 1 << 20  # bytes of output to one question
GRACE = 2.0  # seconds in which a bot that closed its output may say why
LONGEST_GOODBYE = 10.0  # seconds for the supervisor to end everything


class StderrLog:
    """What a bot wrote to standard error: how much, and the end of it."""

    def __init__(self) -> None:
        self.total = 0
        self.tail = b""

    def add(self, part: bytes) -> None:
        self.total += len(part)
        self.tail = (self.tail + part)[-KEPT:]

    @property
    def text(self) -> str:
        return self.tail.decode("utf-8", "replace")


class Connection:
    """One running bot. Every failure to answer is a BotFault."""

    def __init__(
        self, control: socket.socket, pipes: tuple[int, int, int], folder: str, log: StderrLog, limits: BotLimits
    ) -> None:
        self.control = control
        self.questions, self.answers, self.errors = pipes
        self.log = log
        self.limits = limits
        self.layers: dict[str, int] = {}
        self._unsent = b""
        self._said = b""
        self._chatter = 0  # bytes that the bot has said since it was last sent something
        self._news = b""
        self._ending: BotFault | None = None
        for handle in pipes:
            os.set_blocking(handle, False)
        self._finalizer = weakref.finalize(self, _let_go, os.getpid(), control, pipes, folder)

    def send(self, line: bytes) -> None:
        """Have a line sent with the next wait for an answer. What the bot has said unasked is dropped."""
        self._unsent += line
        self._said = b""
        self._chatter = 0
        for _ in range(MOST_CHATTER // PART):
            if not _read(self.answers):
                break

    def listen(self, deadline: float) -> bytes:
        """The next line that the bot says, by ``time.monotonic()``."""
        while b"\n" not in self._said:
            if len(self._said) > LONGEST or self._chatter > MOST_CHATTER:
                raise BotFault(OUTPUT, f"it said more than {LONGEST} bytes where a short line is the answer")
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFault(TIMEOUT, "it did not answer in time")
            self._wait(left)
        line, _, self._said = self._said.partition(b"\n")
        if len(line) > LONGEST:
            raise BotFault(OUTPUT, f"it said more than {LONGEST} bytes where a short line is the answer")
        return line

    def hear_layers(self) -> dict[str, int]:
        """Which layers stand; the supervisor says so before the bot's own code runs."""
        while not self.layers and self._ending is None:
            self._hear()
        return self.layers

    def _wait(self, seconds: float) -> None:
        """Wait for anything to happen, and deal with it."""
        waiting = select.poll()
        for handle in (self.answers, self.errors, self.control.fileno()):
            waiting.register(handle, select.POLLIN)
        if self._unsent:
            waiting.register(self.questions, select.POLLOUT)
        ready = {handle for handle, _ in waiting.poll(max(1, seconds * 1000))}
        if self.questions in ready:
            self._push()
        if self.errors in ready:
            self.drain()
        if self.answers in ready:
            part = _read(self.answers)
            self._said += part or b""
            self._chatter += len(part or b"")
            if part == b"":
                raise self._find_ending()
        elif self.control.fileno() in ready:
            self._hear()
            if self._ending:
                raise self._find_ending()

    def _push(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self.questions, self._unsent) :]
        except BrokenPipeError:
            self._unsent = b""  # it reads no more; it may still answer, or its end is news

    def drain(self) -> None:
        """Take in what is there of standard error, so that the bot never waits for us."""
        while part := _read(self.errors):
            self.log.add(part)
            if self.log.total > self.limits.stderr:
                raise BotFault(OUTPUT, f"it wrote more than {self.limits.stderr >> 10} KiB to standard error")

    def _hear(self) -> None:
        """Take in news from the supervisor: which layers stand, or how the bot ended."""
        part = self.control.recv(PART)
        *lines, self._news = (self._news + part).split(b"\n")
        for line in lines:
            news = json.loads(line)
            if "layers" in news:
                self.layers = news["layers"]
            else:
                self._ending = self._explain(news)
        if not part and self._ending is None:
            self._ending = BotFault(CRASHED, "it was killed together with its supervisor")

    def _find_ending(self) -> BotFault:
        """Why there are no more answers: the supervisor knows, if the bot has ended."""
        deadline = time.monotonic() + GRACE
        while self._ending is None and (left := deadline - time.monotonic()) > 0:
            if select.select([self.control], [], [], left)[0]:
                self._hear()
        with contextlib.suppress(BotFault):
            self.drain()
        return self._ending or BotFault(CRASHED, "it closed its output")

    def _explain(self, news: dict[str, Any]) -> BotFault:
        if "status" in news:
            return BotFault(news["status"], news["detail"])
        ended = news["ended"]
        if ended.get("cpu", 0) >= 0.9 * self.limits.cpu:
            return CpuTimeSpent(TIMEOUT, f"it used up its {self.limits.cpu:g} s of CPU time")
        if ended.get("memory", 0) >= 0.9 * self.limits.memory:
            return BotFault(MEMORY, f"it ended after taking {ended['memory'] >> 20} MiB of memory")
        if "signal" in ended:
            return BotFault(CRASHED, f"it was ended by signal {_signal_name(ended['signal'])}")
        return BotFault(CRASHED, f"it ended by itself, with exit code {ended.get('code')}")

    def close(self) -> None:
        """End the bot and all it started; returns when nothing of it is left."""
        with contextlib.suppress(BotFault):
            self.drain()
        self._finalizer()


def _read(handle: int) -> bytes | None:
    """What is there to read: nothing at the end (b""), None for nothing yet."""
    try:
        return os.read(handle, PART)
    except BlockingIOError:
        return None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _let_go(owner: int, control: socket.socket, pipes: tuple[int, int, int], folder: str) -> None:
    """Wait until the supervisor has cleared up. In a forked process, only close its copies of the handles."""
    for handle in pipes:
        os.close(handle)
    if owner == os.getpid():
        with contextlib.suppress(OSError):
            control.settimeout(LONGEST_GOODBYE)
            control.shutdown(socket.SHUT_WR)
            while control.recv(PART):
                pass
        remove(folder)  # the supervisor has done so, unless it was killed or never began
    control.close()
