"""A round of a training: play, then learn from it. Here on the cores of the CPU; ``on_gpu`` does the same on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from parlour.engine.cores import available_cores
from parlour.engine.errors import ParlourError
from parlour.lab.simulate import CPU, CUDA
from parlour.lab.train.network import Network
from parlour.lab.train.plan import Nature, Plan
from parlour.lab.train.self_play import CUT, GAMES, Player, Samples, compiled_self_play

CHUNKS = 4  # of a round; each is played by one core
QUOTA = 4096  # positions of a chunk
BATCH = 1024
PASSES = 2  # how often each position is learnt from


@dataclass(frozen=True)
class Round:
    """What a round did: games that ended, games that were too long, and the loss of the positions learnt from."""

    games: int
    cut: int
    loss: float


class Rounds(Protocol):
    """Where a training plays and learns."""

    def play(self, number: int, done: float) -> Round:
        """The round of that number, when so much of the training is done. It changes the network."""


class CpuRounds:
    """Rounds on so many cores. What one plays and learns depends on its number alone, never on the cores."""

    def __init__(self, plan: Plan, network: Network, nature: Nature, pool: ThreadPoolExecutor) -> None:
        self.plan, self.network, self.nature, self._pool = plan, network, nature, pool
        self._play = compiled_self_play(plan.game, plan.units)
        self._players = [Player(plan.game, plan.units, QUOTA, max(plan.seats)) for _ in range(CHUNKS)]
        self._openings = [opening_of(plan, seats) for seats in plan.seats]

    def play(self, number: int, done: float) -> Round:
        weights = self.network.judge({}).weights

        def chunk(place: int) -> Samples:
            stream = number * CHUNKS + place
            which = stream % len(self._openings)
            habits = self.nature.habits(done, self.plan.seats[which])
            return self._players[place].play(self._play, self._openings[which], weights, self.plan.seed, stream, habits)

        parts = list(self._pool.map(chunk, range(CHUNKS)))
        samples = Samples(*map(np.concatenate, zip(*parts, strict=True)))
        batches, rate = self._batches(len(samples.targets), number), self.plan.rate(done)
        losses = [self.network.learn(samples, batch, rate, self._pool) for batch in batches]
        counts = np.sum([player.counts for player in self._players], axis=0)
        return Round(int(counts[GAMES]), int(counts[CUT]), float(np.mean(losses)))

    def _batches(self, size: int, number: int) -> list[Any]:
        random = np.random.default_rng([self.plan.seed % 2**64, number])
        orders = [random.permutation(size) for _ in range(PASSES)]
        return [batch for order in orders for batch in np.array_split(order, max(1, size // BATCH))]


def usual_device() -> str:
    """The GPU where there is one, else the CPU."""
    from parlour.engine.cuda.device import is_simulated, missing

    return CPU if missing() or is_simulated() else CUDA


def check_device(device: str) -> None:
    """An error unless a training can run there."""
    if device not in (CPU, CUDA):
        raise ParlourError(f"the device is {CPU} or {CUDA}, not {device!r}")
    if device == CUDA:
        from parlour.engine.cuda import device as gpu

        gpu.check_device()


@contextmanager
def rounds_on(device: str, plan: Plan, network: Network, nature: Nature, cores: int | None) -> Iterator[Rounds]:
    """Rounds on this device: "cpu" or "cuda"."""
    if device == CUDA:
        from parlour.lab.train.on_gpu import GpuRounds

        yield GpuRounds(plan, network, nature)
        return
    with ThreadPoolExecutor(cores or len(available_cores())) as pool:
        yield CpuRounds(plan, network, nature, pool)


def opening_of(plan: Plan, seats: int) -> Any:
    """A state before anything has happened, as the one row of an array."""
    opening = plan.game.layout.rows(1)
    plan.game.layout.write(plan.game.blank(seats, **plan.options), opening, 0)
    return opening
