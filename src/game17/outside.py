"""Bot files, each in a process of its own: started when asked, ended when late, started anew for the next turn."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

from game17.asking import Playing, Seat, TurnLost
from game17.channel import ASK, BEGIN, LOST, Channel, Closed, TooLate
from game17.clock import Stopwatch
from game17.forking import Nursery
from game17.games import Job, Outcome, Setting
from game17.harness import SAME
from game17.known import T800Seat
from game17.table import Orders, Table
from parlour.engine.printable import one_line

DEADLINE = 5.0  # seconds for a call
START = 30.0  # seconds for a file to be imported
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class BotProcess:
    """One bot file. Every game begins with ``begin``; ``ask`` may raise TurnLost, and the bot goes on after that."""

    def __init__(self, nursery: Nursery, path: Path, deadline: float = DEADLINE, *, loud: bool = False) -> None:
        self.path = path
        self.deadline = deadline
        self.taken = 0.0
        self.is_t800 = False
        self._nursery = nursery
        self._loud = loud
        self._channel: Channel | None = None
        self._pid = 0
        self._watch: Stopwatch
        self._opening = b""

    def start(self) -> None:
        """Start the process and import the file. TurnLost says why it cannot be; ``is_t800``, what it turned out to be.

        What the process says of itself is believed: whoever lies gets a T800 instead of the bot, and nothing else.
        """
        if self._channel is not None:
            return
        ours, theirs = socket.socketpair()
        with theirs:
            self._pid = self._nursery.bear(self.path, theirs, loud=self._loud)
        self._channel = Channel(ours)
        self._watch = Stopwatch(self._pid)
        _share_cores(self._pid)
        self.is_t800 = self._answer(START, "be imported") == SAME

    def begin(self, table: Table, owner: int, seed: int) -> None:
        """A new game. What ``get_mover`` does now is not counted as anybody's turn."""
        head = np.array([owner, table.rounds, table.size, seed & (2**63 - 1)], np.int64)
        board = np.concatenate((head, table.opening.ravel(), np.array(table.turn_order, np.int64)))
        self._opening = board.tobytes()
        self.start()
        self._exchange(BEGIN, self._opening, "begin a game")

    def ask(self, table: Table) -> Orders:
        self.taken = 0.0
        if self._channel is None:
            self.start()
            self._exchange(BEGIN, self._opening, "begin a game")
        question = table.question
        self._watch.start()
        try:
            answer = self._exchange(ASK, question, "answer")
        finally:
            self.taken = self._watch.stop() if self._channel is not None else self.deadline
        if len(answer) % 16:
            raise TurnLost("its answer makes no sense")
        orders: Orders = np.frombuffer(answer, np.int64).reshape(-1, 2)
        return orders

    def _exchange(self, kind: int, body: bytes, what: str) -> bytes:
        assert self._channel is not None
        try:
            self._channel.send(kind, body)
        except Closed:
            self.close()
            raise TurnLost("its process ended by itself", missed=True) from None
        return self._answer(self.deadline, what)

    def _answer(self, seconds: float, what: str) -> bytes:
        assert self._channel is not None
        try:
            kind, body = self._channel.receive(seconds)
        except TooLate:
            self.close()
            raise TurnLost(f"it did not {what} within {seconds:g} s", missed=True) from None
        except Closed:
            self.close()
            raise TurnLost(f"its process ended by itself when it was to {what}", missed=True) from None
        if kind == LOST:
            raise TurnLost(one_line(body.decode("utf-8", "replace"), 200))
        return body

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._watch.close()
            self._channel = None
            self._nursery.end(self._pid)


def _share_cores(pid: int) -> None:
    """Have the process run where this one does: they never work at the same time, and meet in the same caches."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(pid, os.sched_getaffinity(0))


class Stable:
    """The bots of a crew in one process that plays games.

    ``files`` are theirs by player, None for a T800. ``known`` are the players whose files were found to have the
    package's own T800 play: they need no process.
    """

    def __init__(
        self,
        nursery: Nursery,
        files: Mapping[int, Path | None],
        deadline: float = DEADLINE,
        known: Collection[int] = (),
        *,
        loud: bool = False,
    ) -> None:
        self._processes = {
            player: BotProcess(nursery, path, deadline, loud=loud)
            for player, path in files.items()
            if path is not None and player not in known
        }
        self._seats: dict[int, Seat] = {**self._processes, **{player: T800Seat() for player in known}}

    def failures(self) -> dict[int, str]:
        """Import every file: why bots cannot be, by player."""
        failed = {}
        for player, bot in self._processes.items():
            try:
                bot.start()
            except TurnLost as reason:
                failed[player] = str(reason)
                bot.close()
            if bot.is_t800:
                bot.close()
                self._seats[player] = T800Seat()
        return failed

    @property
    def known(self) -> list[int]:
        """The players whose files have the package's own T800 play, as far as they have been imported."""
        return [player for player, seat in self._seats.items() if isinstance(seat, T800Seat)]

    def play(self, job: Job, setting: Setting) -> Outcome:
        seats = {owner: self._seats[player] for owner, player in job.seats if player in self._seats}
        t800s = [owner for owner, player in job.seats if player not in self._seats]
        playing = Playing(setting, job.label, seats, t800s)
        playing.run()
        return playing.outcome()

    def close(self) -> None:
        for bot in self._processes.values():
            bot.close()
