"""Bot files, each in a box of Parlour's: started when asked, ended when late, started anew for the next turn."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

from game17.clock import Stopwatch
from game17.compiled_t800 import T800Seat
from game17.games import GameJob, GameSetting, Outcome
from game17.harness import SAME
from game17.live_game import LiveGame, OrderRows
from game17.messages import ASK, BEGIN, LONGEST, LOST, of_line, to_line
from game17.playing import PlayerSeat, Playing
from parlour.bots.box.connection import Connection, StderrLog
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.process.forkserver import ForkServer
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.process.sandboxed import SandboxedProcess
from parlour.bots.box.sources import MAIN
from parlour.bots.faults import ILLEGAL, TIMEOUT, BadBot, BotFault
from parlour.engine.printable import printable

DEADLINE = 5.0  # seconds for a call
NO_SENSE = "its answer makes no sense"
START = 30.0  # seconds for a file to be imported
# Files of the public program may print as much as they like; a process serves for many games.
LIMITS = BotLimits(cpu=1e9, stderr=1 << 50)


class BoxedMover:
    """One bot file, or a folder with a ``bot.py``: it sees no other files of the user's.

    Every game begins with ``begin``. It and ``ask`` may raise BotFault, and the bot goes on after that.
    """

    def __init__(self, server: ForkServer, path: Path, deadline: float = DEADLINE) -> None:
        self.path = path
        self.deadline = deadline
        self.taken = 0.0
        self.is_t800 = False
        self.printed = StderrLog()
        self._server = server
        self._process: SandboxedProcess | None = None
        self._connection: Connection | None = None
        self._pid: int | None = None
        self._watch: Stopwatch
        self._opening = b""

    def launch(self) -> None:
        """Have the process started; ``start`` then waits for it. So several can start at once."""
        if self._process is None:
            file, folder = (self.path / MAIN, str(self.path)) if self.path.is_dir() else (self.path, "")
            arguments = {"path": str(file), "folder": folder}
            entry = "game17.harness:serve"
            launch = Launch(LIMITS.to_json(), entry=entry, arguments=arguments, readable=(str(self.path),))
            self._process = SandboxedProcess(launch, self._server)

    def start(self) -> None:
        """Have the file imported. BotFault says why it cannot be; ``is_t800``, what it turned out to be.

        What the process says of itself is believed: whoever lies gets a T800 instead of the bot, and nothing else.
        """
        if self._connection is not None:
            return
        self.launch()
        assert self._process is not None
        if not self._process.wait_for_report():
            self.close()
            raise BadBot("the process that bots are started from has ended; what it printed says why")
        self._connection = Connection(self._process, self.printed, LIMITS, longest=LONGEST)
        self._pid = self._process.pid
        self._watch = Stopwatch(self._pid)
        _share_cores(self._pid)
        self.is_t800 = self._answer(START, "be imported") == SAME

    def begin(self, game: LiveGame, owner: int, seed: int) -> None:
        """A new game. What ``get_mover`` does now is not counted as anybody's turn."""
        head = np.array([owner, game.rounds, game.size, seed & (2**63 - 1)], np.int64)
        board = np.concatenate((head, game.opening.ravel(), np.array(game.turn_order, np.int64)))
        self._opening = to_line(BEGIN, board.tobytes())
        self.start()
        self._exchange(self._opening, "begin a game")

    def ask(self, game: LiveGame) -> OrderRows:
        self.taken = self.deadline  # unless it lives to answer
        if self._connection is None:
            self.start()
            self._exchange(self._opening, "begin a game")
        question = to_line(ASK, game.question)
        self._watch.start()
        try:
            answer = self._exchange(question, "answer")
        finally:
            if self._connection is not None:
                self.taken = self._watch.stop()
        return orders_in(answer, game.size)

    def _exchange(self, line: bytes, what: str) -> bytes:
        assert self._connection is not None
        self._connection.send(line)
        return self._answer(self.deadline, what)

    def _answer(self, seconds: float, what: str) -> bytes:
        assert self._connection is not None
        try:
            with self._connection.running():
                line = self._connection.listen(time.monotonic() + seconds)
        except BotFault as fault:
            self.close()
            if fault.status == TIMEOUT:
                raise BotFault(TIMEOUT, f"it did not {what} within {seconds:g} s") from None
            raise BotFault(fault.status, f"its process ended when it was to {what}: {fault.detail}") from None
        return body_of(line)

    def close(self) -> None:
        """End the process, and keep what it printed last."""
        if self._connection is not None:
            self._connection.close()
            self._watch.close()
        elif self._process is not None:
            self._process.close()
        self._connection = self._process = None


def body_of(line: bytes) -> bytes:
    """What a line from a bot holds, or BotFault: the bot may have written anything."""
    try:
        kind, body = of_line(line)
    except ValueError:
        raise BotFault(ILLEGAL, NO_SENSE) from None
    if kind == LOST:
        raise BotFault(ILLEGAL, body.decode("utf-8", "replace"))
    return body


def orders_in(answer: bytes, size: int) -> OrderRows:
    """The orders that a bot's answer holds, on a board of that size, or BotFault."""
    whole = len(answer) % 4 == 0
    orders: OrderRows = np.frombuffer(answer if whole else b"", np.int16).reshape(-1, 2)
    ways, counts = np.transpose(orders)
    if not whole or (ways < 0).any() or (ways >= 4 * size**2).any() or (counts < 1).any():
        raise BotFault(ILLEGAL, NO_SENSE)
    return orders


def _share_cores(pid: int | None) -> None:
    """Have the process run where this one does: they never work at the same time, and meet in the same caches."""
    with contextlib.suppress(AttributeError, OSError):
        if pid is not None:
            os.sched_setaffinity(pid, os.sched_getaffinity(0))


class MoverSet:
    """The bots of all players, in one process that plays games.

    ``files`` are theirs by player, None for a T800. ``known`` are the players whose files were found to have the
    package's own T800 play: they need no process.
    """

    def __init__(
        self,
        server: ForkServer,
        files: Mapping[int, Path | None],
        deadline: float = DEADLINE,
        known: Collection[int] = (),
    ) -> None:
        self._movers = {
            player: BoxedMover(server, path, deadline)
            for player, path in files.items()
            if path is not None and player not in known
        }
        self._seats: dict[int, PlayerSeat] = {**self._movers, **{player: T800Seat() for player in known}}

    def failures(self) -> dict[int, str]:
        """Import every file: why bots cannot be, by player."""
        for bot in self._movers.values():
            bot.launch()
        failed = {}
        for player, bot in self._movers.items():
            try:
                bot.start()
            except BotFault as fault:
                failed[player] = fault.detail
                bot.close()
            if bot.is_t800:
                bot.close()
                self._seats[player] = T800Seat()
        return failed

    @property
    def known(self) -> list[int]:
        """The players whose files have the package's own T800 play, as far as they have been imported."""
        return [player for player, seat in self._seats.items() if isinstance(seat, T800Seat)]

    def play(self, job: GameJob, setting: GameSetting) -> Outcome:
        seats = {owner: self._seats[player] for owner, player in job.seats if player in self._seats}
        t800s = [owner for owner, player in job.seats if player not in self._seats]
        playing = Playing(setting, job.label, seats, t800s)
        playing.run()
        return playing.outcome()

    def show_printed(self) -> None:
        """Print what the bots have printed: the end of it, with nothing in it that steers a terminal."""
        for bot in self._movers.values():
            for line in bot.printed.text.splitlines():
                print(printable(line), file=sys.stderr)

    def close(self) -> None:
        for bot in self._movers.values():
            bot.close()
