"""Games on all cores: processes that each play one game at a time, with bots of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Collection, Generator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path

from game17.compiled import play as compile_turns
from game17.forking import Nursery
from game17.games import Job, Outcome, Setting
from game17.outside import Stable
from game17.writing import writer
from parlour.engine.cores import available_cores
from parlour.engine.errors import ParlourError

Files = Mapping[int, Path | None]  # by player; None is a T800


class Pool:
    """A crew of bot files. ``workers`` games are played side by side; the outcomes do not depend on how many.

    ``known`` are the players whose files have the package's own T800 play.
    """

    def __init__(
        self,
        nursery: Nursery,
        files: Files,
        setting: Setting,
        workers: int,
        deadline: float,
        known: Collection[int] = (),
    ) -> None:
        self._files = dict(files)
        setting.check_players(self._files)
        get_ready()
        context = multiprocessing.get_context("fork")
        self._workers: list[Connection] = []
        self._busy: dict[Connection, int] = {}
        self._processes = []
        cores = available_cores()
        for number in range(workers):
            ours, theirs = context.Pipe()
            branch = nursery.branch()
            core = cores[number] if workers <= len(cores) else None
            arguments = (theirs, branch, self._files, setting, deadline, known, core, [*self._workers, ours])
            process = context.Process(target=_work, args=arguments, daemon=True)
            process.start()
            theirs.close()
            branch.close()
            self._workers.append(ours)
            self._processes.append(process)

    @property
    def players(self) -> Sequence[int]:
        return list(self._files)

    def play(self, jobs: Sequence[Job]) -> Generator[Outcome, None, None]:
        done: dict[int, Outcome] = {}
        given = 0
        try:
            for place in range(len(jobs)):
                while place not in done:
                    for worker in self._workers:
                        if worker not in self._busy and given < len(jobs):
                            worker.send(jobs[given])
                            self._busy[worker] = given
                            given += 1
                    for number, outcome in self._hear():
                        done[number] = outcome
                yield done.pop(place)
        finally:
            while self._busy:
                self._hear()

    def _hear(self) -> list[tuple[int, Outcome]]:
        """Wait for games to end."""
        heard = []
        for worker in wait(list(self._busy)):
            assert isinstance(worker, Connection)
            number = self._busy.pop(worker)
            try:
                outcome = worker.recv()
            except EOFError:
                raise ParlourError("a process that plays games has ended; what it printed says why") from None
            if isinstance(outcome, Exception):
                raise outcome
            heard.append((number, outcome))
        return heard

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        for process in self._processes:
            process.terminate()
            process.join()


def get_ready() -> None:
    """Load what is compiled, once and here: the workers inherit it."""
    compile_turns()
    writer()


def _work(
    jobs: Connection,
    nursery: Nursery,
    files: Files,
    setting: Setting,
    deadline: float,
    known: Collection[int],
    core: int | None,
    others: list[Connection],
) -> None:
    """A worker: plays what it is given until there is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})  # a game and its bots take turns; on one core that costs half as much
    for other in others:  # or this process would keep them open
        other.close()
    stable = Stable(nursery, files, deadline, known)
    while True:
        try:
            job = jobs.recv()
        except EOFError:
            return
        try:
            jobs.send(stable.play(job, setting))
        except ParlourError as error:
            jobs.send(error)
