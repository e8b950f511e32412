"""The connection to one running bot: questions in, answers and standard error out."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parlour.bots.box.answers import LONGEST
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.process.sandboxed import SandboxedProcess
from parlour.bots.faults import CRASHED, MEMORY, OUTPUT, TIMEOUT, BotFault, CpuTimeSpent

KEPT = 1 << 16  # bytes of standard error, from its end
PART = 1 << 16
MOST_CHATTER = 1 << 20  # bytes of output to one question
AT_ONCE = MOST_CHATTER // PART  # parts that are read before anything else is looked after
GRACE = 2.0  # seconds in which a bot that closed its output may say why


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

    def __init__(self, process: SandboxedProcess, log: StderrLog, limits: BotLimits, *, longest: int = LONGEST) -> None:
        """``longest`` is of a line that the bot says, in bytes."""
        self.longest = longest
        self.log = log
        self.limits = limits
        self._process = process
        self._unsent = b""
        self._said = b""
        self._chatter = 0  # bytes that the bot has said since it was last sent something
        for handle in (process.questions, process.answers, process.errors):
            os.set_blocking(handle, False)
        self._waiting = select.poll()
        for handle in (process.answers, process.errors, process.control.fileno()):
            self._waiting.register(handle, select.POLLIN)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Within this, the bot runs; outside it is stopped."""
        self._push()  # first, so that it wakes up once and has something to read
        self._process.go_on()
        try:
            yield
        finally:
            self._process.stop()

    def send(self, line: bytes) -> None:
        """Have a line sent with the next wait for an answer. What the bot has said unasked is dropped."""
        self._unsent += line
        self._said = b""
        self._chatter = 0
        for _ in range(AT_ONCE):
            if not _read(self._process.answers):
                break

    def listen(self, deadline: float) -> bytes:
        """The next line that the bot says, by ``time.monotonic()``."""
        self._push()
        while b"\n" not in self._said:
            if len(self._said) > self.longest or self._chatter > MOST_CHATTER:
                raise BotFault(OUTPUT, f"it said more than {self.longest} bytes where a short line is the answer")
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFault(TIMEOUT, "it did not answer in time")
            self._wait(left)
        line, _, self._said = self._said.partition(b"\n")
        if len(line) > self.longest:
            raise BotFault(OUTPUT, f"it said more than {self.longest} bytes where a short line is the answer")
        return line

    def _wait(self, seconds: float) -> None:
        """Wait for anything to happen, and deal with it."""
        process, milliseconds = self._process, max(1, seconds * 1000)
        if self._unsent:
            self._waiting.register(process.questions, select.POLLOUT)
        ready = {handle for handle, _ in self._waiting.poll(milliseconds)}
        if self._unsent:
            self._waiting.unregister(process.questions)
            self._push()
        if process.errors in ready:
            self.drain()
        if process.answers in ready:
            part = _read(process.answers)
            self._said += part or b""
            self._chatter += len(part or b"")
            if part == b"":
                raise self._find_ending()
        elif process.control.fileno() in ready:
            process.hear()
            if process.ending:
                raise self._find_ending()

    def _push(self) -> None:
        """Send what can be sent at once."""
        try:
            if self._unsent:
                self._unsent = self._unsent[os.write(self._process.questions, self._unsent) :]
        except BlockingIOError:
            return  # it has not read what it was sent before
        except BrokenPipeError:
            self._unsent = b""  # it reads no more; it may still answer, or its end is news

    def drain(self) -> None:
        """Take in what is there of standard error, so that the bot never waits for us; nor we for it to pause."""
        for _ in range(AT_ONCE):
            part = _read(self._process.errors)
            if not part:
                break
            self.log.add(part)
            if self.log.total > self.limits.stderr:
                raise BotFault(OUTPUT, f"it wrote more than {self.limits.stderr >> 10} KiB to standard error")

    def _find_ending(self) -> BotFault:
        """Why there are no more answers: the supervisor knows, if the bot has ended."""
        process, deadline = self._process, time.monotonic() + GRACE
        while process.ending is None and (left := deadline - time.monotonic()) > 0:
            if select.select([process.control], [], [], left)[0]:
                process.hear()
        with contextlib.suppress(BotFault):
            self.drain()
        return self._explain(process.ending) if process.ending else BotFault(CRASHED, "it closed its output")

    def _explain(self, news: dict[str, Any]) -> BotFault:
        if "status" in news:
            return BotFault(news["status"], news["detail"])
        if "lost" in news:
            return BotFault(CRASHED, "it was killed together with its supervisor")
        ended = news["ended"]
        if "restless" in ended:
            return BotFault(CRASHED, "it went on working while it was not asked")
        # The kernel counts in ticks when it ends a process for its CPU time, and exactly when asked afterwards.
        was_killed = ended.get("signal") == signal.SIGKILL
        if ended.get("cpu", 0) >= (0.5 if was_killed else 0.9) * self.limits.cpu:
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
        self._process.close()


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
