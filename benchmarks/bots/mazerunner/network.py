"""Fit the network of the runner: ``python -m benchmarks.bots.mazerunner.network --minutes 30 --out network.npy``.

Runners play matches against each other, most in the tuned style and some in others, and now and then an action is
random. Of some turns it is noted how everybody stands. The network learns from that who won in the end.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks.bots.mazerunner.matches import Matches
from benchmarks.bots.mazerunner.numbers import STEPS, flat, style_of
from numpy.typing import NDArray

from parlour.engine.cores import available_cores
from parlour.games.mazerunner.bots.features import FEATURES
from parlour.games.mazerunner.bots.network import OUTPUT_BITS, SUM_BITS
from parlour.games.mazerunner.bots.style import TUNED

Floats = NDArray[np.float32]

UNITS = 32
KEPT = {2: 180, 3: 150, 4: 120}  # of a thousand turns, how many are noted, by seats
SLIPS = 10  # of a thousand actions
SPREAD = 0.7  # steps by which the numbers of another style differ
CHUNK = 250  # matches that a core plays before it hands them over
BATCH = 8192
RATE, LAST_RATE = 4e-3, 1e-5
MOMENTUM, SPEED, TINY = 0.9, 0.999, 1e-8  # Adam's
HELD_OUT = 30  # one position in so many is not learnt from


class Positions(NamedTuple):
    """What the network sees of every seat, who was alive, and each seat's share of the win."""

    seen: NDArray[np.int8]
    living: NDArray[np.bool_]
    shares: Floats

    def at(self, chosen: Any) -> Positions:
        """Some of them."""
        return Positions(self.seen[chosen], self.living[chosen], self.shares[chosen])


def positions(seats: int, seed: int) -> Positions:
    """The positions of some matches."""
    random, matches, tuned = np.random.default_rng([seed, seats]), Matches(seats), flat(TUNED)
    seen, living, shares = [], [], []
    for number in range(CHUNK):
        other = style_of(tuned + SPREAD * flat(STEPS) * random.choice([-1.0, 0.0, 1.0], len(tuned)))
        who = (random.random(seats) < 0.6).astype(np.int64)
        won, noted, alive = matches.play(TUNED, other, who, seed, number, KEPT[seats], SLIPS)
        seen.append(noted)
        living.append(alive)
        shares.append(np.tile(won.astype(np.float32), (len(noted), 1)))
    return Positions(np.concatenate(seen), np.concatenate(living), np.concatenate(shares))


def joined(parts: list[Positions]) -> Positions:
    seen, living, shares = ([part[column] for part in parts] for column in range(3))
    return Positions(np.concatenate(seen), np.concatenate(living), np.concatenate(shares))


def gather(minutes: float, seed: int) -> dict[int, Positions]:
    """Positions of matches with 2, 3 and 4 seats, as many as fit into the time."""
    found: dict[int, list[Positions]] = {seats: [] for seats in KEPT}
    Matches(2)  # which compiles them
    began, number = time.monotonic(), 0
    with ThreadPoolExecutor(len(available_cores())) as pool:
        while time.monotonic() - began < 60 * minutes or not number:
            jobs = [
                (seats, pool.submit(positions, seats, seed + number + n)) for n, seats in enumerate((2, 4, 3, 2, 4))
            ]
            number += len(jobs)
            for seats, job in jobs:
                found[seats].append(job.result())
    return {seats: joined(parts) for seats, parts in found.items()}


class Network:
    """The numbers that are learnt, in fractions. The first unit is not cut off, and counts once."""

    def __init__(self, scale: Floats, units: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        hidden = random.normal(0, 0.25, (len(scale), units))
        hidden[:, 0] = 0
        self.scale = scale  # of the features, so that all of them vary about as much
        self.values: list[Any] = [hidden, np.zeros(units), random.normal(0, 0.1, units - 1)]
        self.values = [value.astype(np.float32) for value in self.values]
        self._means = [np.zeros_like(value) for value in self.values]
        self._squares = [np.zeros_like(value) for value in self.values]
        self._steps = 0

    def look(self, batch: Positions) -> tuple[Floats, Floats, Floats, Floats]:
        """The features scaled, the sums, each seat's chance, and the loss of every position."""
        hidden, bias, output = self.values
        inputs = batch.seen * self.scale
        sums = inputs @ hidden + bias
        totals = sums[..., 0] + np.maximum(sums[..., 1:], 0) @ output
        totals = np.where(batch.living, totals, -np.inf)
        odds = np.exp(totals - totals.max(-1, keepdims=True))
        chances = odds / odds.sum(-1, keepdims=True)
        loss = -(batch.shares * np.log(np.maximum(chances, 1e-9))).sum(-1)
        return inputs, sums, chances, loss

    def learn(self, batch: Positions, rate: float) -> float:
        """One step along the gradient; the loss before it."""
        inputs, sums, chances, loss = self.look(batch)
        error = (chances - batch.shares) * batch.living / len(loss)
        output = self.values[2]
        back = np.concatenate([error[..., None], error[..., None] * output * (sums[..., 1:] > 0)], -1)
        flat_back = back.reshape(-1, back.shape[-1])
        slopes = [
            inputs.reshape(len(flat_back), -1).T @ flat_back,
            flat_back.sum(0),
            (error[..., None] * np.maximum(sums[..., 1:], 0)).sum((0, 1)),
        ]
        self._steps += 1
        along, across = 1 - MOMENTUM**self._steps, 1 - SPEED**self._steps
        for value, mean, square, slope in zip(self.values, self._means, self._squares, slopes, strict=True):
            mean += (1 - MOMENTUM) * (slope - mean)
            square += (1 - SPEED) * (slope * slope - square)
            value -= rate * (mean / along) / (np.sqrt(square / across) + TINY)
        return float(loss.mean())

    def whole(self) -> NDArray[np.int32]:
        """The network in whole numbers, as the game has it. There, a total higher by one means twice the odds."""
        hidden, bias, output = self.values
        counts = np.concatenate([[1.0], output]) / np.log(2)
        rows = [hidden * self.scale[:, None] * (1 << SUM_BITS), bias[None] * (1 << SUM_BITS)]
        return np.asarray(np.rint(np.concatenate([*rows, counts[None] * (1 << OUTPUT_BITS)])), np.int32)


def fit(data: dict[int, Positions], minutes: float, seed: int, units: int = UNITS) -> tuple[Network, dict[int, float]]:
    """A network that tells who wins; and its loss over positions that it did not learn from, by seats."""
    spread = np.concatenate([each.seen.reshape(-1, FEATURES)[:200_000] for each in data.values()]).std(0)
    network = Network((1 / np.maximum(spread, 0.1)).astype(np.float32), units, seed)
    random, began, done = np.random.default_rng(seed), time.monotonic(), 0.0
    while done < 1:
        seats = int(random.choice(list(data)))
        each = data[seats]
        chosen = random.integers(len(each.seen) // HELD_OUT, len(each.seen), BATCH * 2 // seats)
        network.learn(each.at(chosen), RATE * (1 - done) + LAST_RATE)
        done = (time.monotonic() - began) / (60 * minutes)
    held_out = {seats: each.at(slice(len(each.seen) // HELD_OUT)) for seats, each in data.items()}
    return network, {seats: float(network.look(each)[3].mean()) for seats, each in held_out.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="half of it to play, half of it to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("network.npy"))
    given = parser.parse_args()
    data = gather(given.minutes / 2, given.seed)
    print("positions:", {seats: len(each.seen) for seats, each in data.items()})
    network, losses = fit(data, given.minutes / 2, given.seed)
    print("loss of positions that it did not see:", {seats: round(loss, 4) for seats, loss in losses.items()})
    np.save(given.out, network.whole())
