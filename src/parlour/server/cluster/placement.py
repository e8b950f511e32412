"""Which worker a table belongs to, where several serve on one machine.

Each worker has a place, a number from 0. A table belongs to the worker to whose place its id leads, and connections for
it are handed over to that worker (see ``handover``), so that those who play together meet in one process. This only
saves work: a worker that is asked for a table of another answers as well, and does so while the other stands still.
Each writes down a few times a second that it goes on.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
import zlib
from functools import cache
from pathlib import Path
from typing import IO

from parlour.server.people.tokens import new_id

if sys.platform != "win32":
    import fcntl


BEAT = 0.25  # seconds between two signs of life
LATE = (
    3 * BEAT
)  # seconds without one, after which nothing is handed to a worker: to answer it oneself costs little more
STILL = 2.0  # seconds without one, after which a worker is said to stand still: a busy one may be late
MOST = 256  # workers


class Beats:
    """When the worker at each place last went on, and which process it is; in memory that all workers share.

    By the system's own clock, which is the same for all of them and does not jump.
    """

    def __init__(self, folder: Path) -> None:
        descriptor = os.open(folder / "beats", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, 16 * MOST)
            memory = memoryview(mmap.mmap(descriptor, 16 * MOST))
        finally:
            os.close(descriptor)
        self._processes, self._times = memory[: 8 * MOST].cast("Q"), memory[8 * MOST :].cast("d")

    def note(self, place: int) -> None:
        """This process is at that place, and goes on."""
        self._processes[place], self._times[place] = os.getpid(), time.monotonic()

    def end(self, place: int) -> None:
        """Nothing is to be handed to this process any more, though it still goes on."""
        self._times[place] = 0.0

    def age(self, place: int) -> float:
        """Seconds since the worker at that place last went on."""
        return time.monotonic() - self._times[place]

    def last(self, process: int) -> float | None:
        """When a process last went on; None if it has not begun to serve, or ends."""
        return next((at for one, at in zip(self._processes, self._times, strict=True) if one == process and at), None)


class Placement:
    """The place of this process among the workers of a server."""

    def __init__(self, workers: int = 1, folder: Path | None = None) -> None:
        self.workers = workers
        self.folder = folder
        self.beats = Beats(folder) if folder is not None and workers > 1 else None
        self._held: tuple[int, IO[bytes]] | None = None  # the place, and the file whose lock keeps others out of it

    @property
    def place(self) -> int | None:
        """The place of this process; nothing while all are taken, as when workers are being replaced."""
        if self._held is None:
            self._held = self._claim()
        return self._held[0] if self._held else None

    def _claim(self) -> tuple[int, IO[bytes]] | None:
        """The first place that nobody has. A worker that dies leaves its place to the next."""
        if self.folder is None or sys.platform == "win32":
            return None
        for place in range(self.workers):
            file = (self.folder / f"place-{place}").open("ab")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
            else:
                return place, file
        return None

    def leave(self) -> None:
        """Let another process have the place."""
        if self._held is not None:
            self._held[1].close()
            self._held = None

    def beat(self) -> None:
        """This process goes on, and takes what is handed to it."""
        if self.beats is not None and self.place is not None:
            self.beats.note(self.place)

    def goes_on(self, place: int) -> bool:
        """Whether the worker at that place takes what is handed to it."""
        return self.beats is not None and self.beats.age(place) < LATE

    def standing_still(self) -> int:
        """How many places have no worker that goes on."""
        beats = self.beats
        return 0 if beats is None else sum(beats.age(place) > STILL for place in range(self.workers))

    def place_of(self, table_id: str) -> int:
        return zlib.crc32(table_id.encode()) % self.workers

    def new_id(self) -> str:
        """The name of a table that belongs to this process."""
        table_id = new_id()
        while self.workers > 1 and self.place not in (None, self.place_of(table_id)):
            table_id = new_id()
        return table_id


@cache
def placement(workers: int, folder: str) -> Placement:
    """The place of this process: the same for all who ask."""
    return Placement(workers, Path(folder))
