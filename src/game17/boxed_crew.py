"""Games of bot files on all cores: processes that each play one game at a time, with bots of their own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Collection, Generator, Mapping, Sequence
from pathlib import Path
from typing import Self

from game17.boxed_movers import MoverSet
from game17.compiled import play as compile_turns
from game17.games import GameJob, GameSetting, Outcome
from game17.writing import writer
from parlour.arena.process_pool import ProcessPool
from parlour.bots.box.process.forkserver import ForkServer
from parlour.engine.errors import ParlourError

Numbered = tuple[int, GameJob]
Played = tuple[int, Outcome | ParlourError]


class BoxedCrew:
    """The players of bot files. The outcomes do not depend on how many cores there are.

    ``files`` are theirs by player, None for a T800; ``known`` are the players whose files have the package's own T800
    play.
    """

    def __init__(
        self,
        server: ForkServer,
        files: Mapping[int, Path | None],
        setting: GameSetting,
        cores: int,
        deadline: float,
        known: Collection[int] = (),
    ) -> None:
        setting.check_players(files)
        get_ready()
        self.players: Sequence[int] = list(files)
        work = _GamePlayer(MoverSet(server, files, deadline, known), setting)
        # Forked, as nothing here runs in threads: the workers have what is compiled, and the fork server.
        context = multiprocessing.get_context("fork")
        self._pool: ProcessPool[Numbered, Played] = ProcessPool(work, _broken, cores, context=context, pinned=True)

    def play(self, jobs: Sequence[GameJob]) -> Generator[Outcome, None, None]:
        """The outcomes of the jobs, in their order. Whoever has seen enough closes the iterator."""
        done: dict[int, Outcome | ParlourError] = {}
        coming = 0
        for number, outcome in self._pool.run(enumerate(jobs)):
            done[number] = outcome
            while coming in done:
                found = done.pop(coming)
                if isinstance(found, ParlourError):
                    raise found
                yield found
                coming += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self._pool.__exit__(*reason)


class _GamePlayer:
    """What a worker does: its bots are started for its first game, and stay."""

    def __init__(self, movers: MoverSet, setting: GameSetting) -> None:
        self._movers = movers
        self._setting = setting

    def __call__(self, numbered: Numbered) -> Played:
        number, job = numbered
        try:
            return number, self._movers.play(job, self._setting)
        except ParlourError as error:
            return number, error


def _broken(numbered: Numbered, detail: str) -> Played:
    number, job = numbered
    return number, ParlourError(f"{job.label} cannot be played: {detail}; what was printed says why")


def get_ready() -> None:
    """Load what is compiled, once and here: the workers inherit it."""
    compile_turns()
    writer()
