"""Which worker a table belongs to, where several serve on one machine.

Each worker has a place, a number from 0. A table belongs to the worker to whose place its id leads, and connections for
it are handed over to that worker (see ``handover``), so that those who play together meet in one process. This only
saves work: a worker that is asked for a table of another answers as well.
"""

from __future__ import annotations

import sys
import zlib
from functools import cache
from pathlib import Path
from typing import IO

from parlour.server.tokens import new_id

if sys.platform != "win32":
    import fcntl


class Placement:
    """The place of this process among the workers of a server."""

    def __init__(self, workers: int = 1, folder: Path | None = None) -> None:
        self.workers = workers
        self.folder = folder
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
