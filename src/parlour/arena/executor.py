"""Where matches are played: on this machine's cores, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, Self

from parlour.arena.on_ray import RayCluster
from parlour.arena.process_pool import ProcessPool
from parlour.arena.results import PlayedMatch
from parlour.arena.running import MatchJob, broken, play
from parlour.engine.errors import ParlourError


class Executor(Protocol):
    """Plays matches, many at a time."""

    def run(self, jobs: Iterable[MatchJob]) -> Iterator[PlayedMatch]:
        """Every job's match, in the order in which they finish."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *reason: object) -> None: ...


def make_executor(on: str | None, cores: int | None = None) -> Executor:
    """This machine, or Ray (``ray``, or ``ray:ADDRESS``)."""
    if cores is not None and not 1 <= cores <= 1024:
        raise ParlourError(f"--cores takes a whole number from 1 to 1024, not {cores}")
    if on is None or on == "here":
        return ProcessPool(play, broken, cores)
    name, _, address = on.partition(":")
    if name != "ray":
        raise ParlourError(f"--on takes here, ray or ray:ADDRESS, not {on!r}")
    return RayCluster(address or None, cores)
