"""A line of messages for each push service, so that one which is slow or silent delays only its own.

Hosts that answer, hosts that have never been asked and hosts that are silent have places of their own to be sent to:
however many there are of one kind, the others notice nothing. A host that has not answered gets one message at a time,
and rests, longer each time. Whatever finds no room is dropped, and counted.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field

from parlour.server.basics import metrics
from parlour.server.basics.background import Background

LOG = logging.getLogger("parlour.server")
HOSTS = 200
WAITING = 500  # messages for one host
WAITING_IN_VAIN = 20  # for one that did not answer last time
AT_ONCE = {"answering": 128, "new": 32, "silent": 4}  # messages on their way to hosts of each kind
AT_ONCE_OF_HOST = 16  # to one that answers
FORGIVEN = 3  # times in a row that a host may be silent which has answered before
RESTS = (5.0, 60.0, 300.0)  # seconds for which a host is left alone that has not answered so many times in a row
TRIES = 3  # of one message
PAUSES = (5.0, 60.0)  # seconds, at least, before a message is tried again that a host did not take
SLOW = 2.0  # seconds: who takes longer to answer is treated as if it had never been asked

# Sends a message. Returns after how many seconds to try again, or None: it is done with. Raises OSError where its host
# does not answer, and Needless where it was not asked.
Send = Callable[[], Awaitable[float | None]]


class Needless(Exception):
    """The message is of no use any more."""


@dataclass
class _Message:
    send: Send
    tries: int = 0


@dataclass
class _Line:
    """The messages for one host, by what each is about: a newer one about the same takes the place of the older."""

    waiting: OrderedDict[Hashable, _Message] = field(default_factory=OrderedDict)
    later: dict[Hashable, _Message] = field(default_factory=dict)  # what the host did not take, until it is tried again
    workers: set[asyncio.Task[None]] = field(default_factory=set)
    answers: bool = False  # whether it has answered, and swiftly
    misses: int = 0  # times in a row that it has not
    rests_until: float = 0.0

    @property
    def kind(self) -> str:
        if self.misses > (FORGIVEN if self.answers else 0):
            return "silent"
        return "answering" if self.answers else "new"

    @property
    def most(self) -> int:
        return WAITING_IN_VAIN if self.misses else WAITING

    @property
    def at_once(self) -> int:
        return AT_ONCE_OF_HOST if self.answers and not self.misses else 1

    def note_answer(self, took: float) -> None:
        self.answers, self.misses = took < SLOW, 0

    def note_silence(self) -> None:
        """Several messages that were on their way count as one."""
        now = time.monotonic()
        if now >= self.rests_until:
            self.misses += 1
            self.rests_until = now + RESTS[min(self.misses, len(RESTS)) - 1]


class Lines:
    """The lines of one process."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._lines: OrderedDict[str, _Line] = OrderedDict()  # the one used last is the last
        self._places = {kind: asyncio.Semaphore(places) for kind, places in AT_ONCE.items()}

    def put(self, host: str, about: Hashable, send: Send) -> None:
        """Have a message sent, after those that wait for the same host."""
        self._put(host, about, _Message(send))

    def _put(self, host: str, about: Hashable, message: _Message) -> None:
        line = self._line(host)
        if line is None or (about not in line.waiting and len(line.waiting) + len(line.later) >= line.most):
            metrics.PUSHES.labels("dropped").inc()
            return
        line.waiting[about] = message
        self._go_on(host, line)

    def _go_on(self, host: str, line: _Line) -> None:
        """Have as many workers as there may be, and are needed."""
        while len(line.workers) < min(line.at_once, len(line.waiting)):
            line.workers.add(self._background.spawn(self._work(host, line), f"sending messages to {host}"))

    def _line(self, host: str) -> _Line | None:
        if host not in self._lines:
            if len(self._lines) >= HOSTS and not self._make_room():
                return None
            self._lines[host] = _Line()
        self._lines.move_to_end(host)
        return self._lines[host]

    def _make_room(self) -> bool:
        """Forget a host that nobody will miss: one that is silent, or has not answered, or has nothing to do.

        Of several it is any, so that nobody can choose whose place they take.
        """
        by_kind = {kind: [host for host, line in self._lines.items() if line.kind == kind] for kind in AT_ONCE}
        idle = [host for host, line in self._lines.items() if not line.workers]
        forgettable = by_kind["silent"] or by_kind["new"] or idle
        if not forgettable:
            return False
        line = self._lines.pop(random.choice(forgettable))
        metrics.PUSHES.labels("dropped").inc(len(line.waiting))
        line.waiting.clear()
        for worker in line.workers:
            worker.cancel()
        return True

    async def _work(self, host: str, line: _Line) -> None:
        """Send what waits for a host, one message after the other."""
        try:
            while line.waiting and len(line.workers) <= line.at_once:
                await asyncio.sleep(line.rests_until - time.monotonic())
                async with self._places[line.kind]:
                    if line.waiting:
                        await self._send_next(host, line)
        finally:
            line.workers.discard(asyncio.current_task())

    async def _send_next(self, host: str, line: _Line) -> None:
        about, message = line.waiting.popitem(last=False)
        message.tries += 1
        began = time.monotonic()
        try:
            wait = await message.send()
        except Needless:
            return
        except OSError as error:  # TimeoutError is one
            LOG.info("push service %s does not answer: %s", host, error or type(error).__name__)
            line.note_silence()
            self._try_again_last(line, about, message)
            return
        except Exception:  # one bad message never harms another
            LOG.exception("a message to push service %s was not sent", host)
            metrics.PUSHES.labels("failed").inc()
            return
        line.note_answer(time.monotonic() - began)
        self._go_on(host, line)
        if wait is None:
            return
        if message.tries >= TRIES:
            metrics.PUSHES.labels("failed").inc()
            return
        is_new = about not in line.later
        line.later[about] = message
        if is_new:
            pause = max(wait, PAUSES[message.tries - 1])
            self._background.spawn(self._put_later(host, line, about, pause), f"sending a message to {host} again")

    def _try_again_last(self, line: _Line, about: Hashable, message: _Message) -> None:
        """The host does not answer. Of what waits for it, only a little is kept: the newest."""
        if message.tries >= TRIES:
            metrics.PUSHES.labels("failed").inc()
        else:
            line.waiting.setdefault(about, message)
        while len(line.waiting) > line.most:
            line.waiting.popitem(last=False)
            metrics.PUSHES.labels("dropped").inc()

    async def _put_later(self, host: str, line: _Line, about: Hashable, seconds: float) -> None:
        await asyncio.sleep(seconds)
        message = line.later.pop(about)
        if about not in line.waiting:  # a newer one is as good
            self._put(host, about, message)
