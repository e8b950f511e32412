"""Processes in which bots think, each with one job at a time. Few jobs do not wait behind another owner's many."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context, resource_tracker, util
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from parlour.engine import notices
from parlour.server.basics import logs
from parlour.server.basics.config import FROM_PARENT

LOG = logging.getLogger("parlour.server")
NICE = 5  # people come first
WATCH = 1.0  # seconds between two looks of a process at whether its parent still lives


class BotFailed(Exception):
    """A job failed: its process died, or took too long, or raised an exception."""


class BotDied(BotFailed):
    """Its process died: somebody or something has killed it."""


class QueueFull(Exception):
    """It cannot be done now: too much waits already, or no process can be started."""


class BotProcess:
    """One process. ``ask`` blocks."""

    def __init__(self, nice: int = NICE) -> None:
        context = get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, os.getpid(), nice), daemon=True)
        with _signals_blocked():
            self._process.start()
        util.Finalize(self, _end, (self._process,), exitpriority=0)  # before Python asks it to end, and waits for it
        theirs.close()
        self.last: Hashable = None  # what it did last: it may still know something about it
        self._is_killed = False

    def ask(self, job: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        try:
            self._ours.send((job, arguments))
            is_done, answer = self._ours.recv()
        except (EOFError, OSError) as error:
            raise BotDied("its process has died") from error
        if not is_done:
            raise BotFailed(answer)
        return answer

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return not self._is_killed and self._process.is_alive()

    def kill(self) -> None:
        self._is_killed = True
        self._process.kill()

    def end(self) -> None:
        """Kill it, and wait until nothing is left of it."""
        self.kill()
        self._process.join()


class BotPool:
    """A few processes, and those who wait for one. ``owner`` is whoever a job is done for."""

    def __init__(
        self, processes: int, *, seconds: float, most_waiting: int, most_of_one: int, nice: int = NICE
    ) -> None:
        self.seconds = seconds  # that a job may take, from when it begins
        self.nice = nice  # how far its processes stand back behind others
        self._free = processes  # how many more jobs may begin at once
        self._most_waiting = most_waiting
        self._most_of_one = most_of_one
        self._idle: list[BotProcess] = []
        self._busy: set[BotProcess] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._threads = ThreadPoolExecutor(processes, "bots")
        self._is_open = True

    async def run(self, owner: str, about: Hashable, job: Callable[..., Any], *arguments: Any) -> Any:
        """What the job gives. Raises BotFailed, or QueueFull before anything is done."""
        await self._acquire(owner)
        try:
            process = self._take(about)
        except BaseException as error:
            self._release()
            if isinstance(error, OSError):
                raise QueueFull(f"no process can be started: {error.strerror or error}") from error
            raise
        try:
            thinking = asyncio.get_running_loop().run_in_executor(self._threads, process.ask, job, arguments)
            return await asyncio.wait_for(thinking, self.seconds)
        except TimeoutError:
            process.kill()
            raise BotFailed(f"it took more than {self.seconds:g} seconds") from None
        except asyncio.CancelledError:
            process.kill()
            raise
        finally:
            self._give_back(process)

    async def _acquire(self, owner: str) -> None:
        """Wait until a job may begin. Owners take turns, so that many jobs of one do not delay those of another."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        own = len(self._waiting.get(owner, ()))
        if own >= self._most_of_one or sum(map(len, self._waiting.values())) >= self._most_waiting:
            raise QueueFull("too many wait for a bot already")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was our turn just now: somebody else's, then
                self._release()
            raise

    def _release(self) -> None:
        """Let the next begin."""
        while self._waiting:
            owner, own = self._waiting.popitem(last=False)
            turn = own.popleft()
            if own:
                self._waiting[owner] = own
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _take(self, about: Hashable) -> BotProcess:
        """A process, the one that did this last if it is free."""
        self._idle = [process for process in self._idle if process.is_alive]
        knows = [process for process in self._idle if process.last == about]
        process = (knows or self._idle or [BotProcess(self.nice)])[0]
        if process in self._idle:
            self._idle.remove(process)
        process.last = about
        self._busy.add(process)
        return process

    def _give_back(self, process: BotProcess) -> None:
        self._busy.discard(process)
        if self._is_open and process.is_alive:
            self._idle.append(process)
        else:
            process.kill()
        self._release()

    def rest(self) -> None:
        """Nothing will be asked for a while: processes that wait end, and their memory is free."""
        while self._is_open and self._idle:
            self._threads.submit(self._idle.pop().end)

    def renew(self) -> None:
        """What processes have loaded is out of date: others do what is asked from now on."""
        for process in [*self._idle, *self._busy]:
            process.kill()

    @property
    def in_hand(self) -> int:
        """How many jobs wait or are being done."""
        return len(self._busy) + sum(map(len, self._waiting.values()))

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in [*self._idle, *self._busy] if process.pid is not None]

    def close(self) -> None:
        self._is_open = False
        for process in [*self._idle, *self._busy]:
            process.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Processes started inside this ignore SIGINT and SIGTERM from their first moment.

    systemd and terminals send these to all processes of the server. The server itself ends its bots: if they died
    first, what they were asked would be played by chance.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows has no such signals
        yield
        return
    resource_tracker.ensure_running()  # to begin it would lift what follows
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(process: BaseProcess) -> None:
    with contextlib.suppress(ValueError):  # it was closed
        process.kill()


# What follows runs in the processes.


def _work(jobs: Connection, parent: int, nice: int) -> None:
    os.nice(nice)
    _set_up_logs()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            job, arguments = jobs.recv()
            try:
                answer = True, job(*arguments)
            except Exception as error:  # whatever a bot does wrong
                answer = False, f"{type(error).__name__}: {error}"
            jobs.send(answer)


def _set_up_logs() -> None:
    """Log as the server does, to the same place."""
    config = json.loads(os.environ.get(FROM_PARENT, "{}"))
    logs.set_up(config.get("log", ""), level=config.get("log_level", "info"))
    notices.be_quiet()


def _end_with(parent: int) -> None:
    """However the parent ends, its processes do not outlive it."""
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)
