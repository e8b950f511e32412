"""Matches on a Ray cluster: every job is a task, and Ray plays it again when a machine is lost."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any, Self

from parlour.arena.process_pool import TRIES
from parlour.arena.results import PlayedMatch
from parlour.arena.running import MatchJob, broken, play
from parlour.engine.errors import ParlourError

AHEAD = 2  # tasks under way for every core, so that none waits for us
KNOCK = 10.0  # seconds


class RayCluster:
    """A cluster at an address, or without one a cluster of this machine alone, started and stopped here."""

    def __init__(self, address: str | None = None, cores: int | None = None) -> None:
        self.address = address
        self.cores = cores
        self._ray = _ray()

    def __enter__(self) -> Self:
        quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            if self.address:
                _knock(self.address)
                self._ray.init(address=self.address, **quiet)
            else:
                self._start(quiet)
        except (OSError, ValueError, RuntimeError) as error:
            place = f"at {self.address}" if self.address else "on this machine"
            raise ParlourError(f"no Ray cluster {place}: {error}") from error
        return self

    def _start(self, quiet: dict[str, Any]) -> None:
        """A cluster that nobody else can reach."""
        self._ray.init(
            address="local",
            num_cpus=self.cores,
            include_dashboard=False,
            _node_ip_address="127.0.0.1",
            **quiet,
        )

    def __exit__(self, *reason: object) -> None:
        self._ray.shutdown()

    def run(self, jobs: Iterable[MatchJob]) -> Iterator[PlayedMatch]:
        ray, coming = self._ray, iter(jobs)
        task = ray.remote(num_cpus=1, max_retries=TRIES - 1)(play)
        waiting: dict[Any, MatchJob] = {}
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        try:
            while True:
                for job in islice(coming, most - len(waiting)):
                    waiting[task.remote(job)] = job
                if not waiting:
                    return
                done, _ = ray.wait(list(waiting), num_returns=1)
                for reference in done:
                    yield self._result(reference, waiting.pop(reference))
        finally:  # whoever asked may have heard enough
            for reference in waiting:
                ray.cancel(reference, force=True)

    def _result(self, reference: Any, job: MatchJob) -> PlayedMatch:
        try:
            played: PlayedMatch = self._ray.get(reference)
            return played
        except self._ray.exceptions.RayError as error:
            return broken(job, f"Ray could not play it: {type(error).__name__}")


def _knock(address: str) -> None:
    """Whether anybody answers there: Ray itself would go on trying for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError("an address is HOST:PORT")
    socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK).close()


def _ray() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise ParlourError("--on ray needs Ray, which is not installed: pip install 'parlour[ray]'") from error
    module: ModuleType = ray
    return module
