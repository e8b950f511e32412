"""Rounds of play and of learning on a GPU: many thousand tables at once, a few plies each, then a pass of learning.

At every ply, all actions of all tables are tried at once, each in a copy of its table, and judged together. Tables go
on in the next round, so that nothing waits for long matches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from parlour.engine.cuda.arrays import Array
from parlour.engine.cuda.batch import CudaBatch, observe_unchecked
from parlour.engine.cuda.batch_rows import copy_positions
from parlour.engine.cuda.device import check_device, is_simulated, launch
from parlour.engine.cuda.judging import LineJudge, on_device
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import Weights
from parlour.lab.train import gpu_kernels as kernels
from parlour.lab.train.network import MOMENTUM, SPREAD, Network
from parlour.lab.train.plan import Nature, Plan
from parlour.lab.train.rounds import Round
from parlour.lab.train.self_play import Habits

THREADS = 128
TABLES = 65_536  # at most
PLIES = 32  # of a round
SEEN_BYTES = 8 << 30  # of the positions of a round
TRIAL_BYTES = 2 << 30  # of what is seen in all trials of a time
MOST_TRIALS = 1 << 19
BATCH = 4096


class Sizes:
    """How much fits on the device: tables, trials at a time, and plies of a round."""

    def __init__(self, game: Game, seats: int) -> None:
        line = game.observation_size * np.dtype(game.observation_type).itemsize
        looks = 1 if seats <= 2 else seats
        if is_simulated():
            self.tables, self.trials, self.plies = 2, 4, 3
        else:
            self.tables = max(min(TABLES, SEEN_BYTES // (PLIES * looks * line)) // 256 * 256, 256)
            self.trials = max(min(MOST_TRIALS, TRIAL_BYTES // line) // 256 * 256, 256)
            self.plies = PLIES
        self.looks = looks


def run(kernel: Any, count: int, *arguments: Any) -> None:
    """Let a kernel work with a thread for each of so many items."""
    launch(kernel, -(-count // THREADS), min(THREADS, count), *arguments)


class Hall:
    """Tables with the same number of seats, and what is needed to play at them."""

    def __init__(self, plan: Plan, seats: int, judged: LineJudge, seed: int) -> None:
        game, sizes = plan.game, Sizes(plan.game, seats)
        options: dict[str, Any] = dict(plan.options)
        self.game, self.seats, self.sizes, self._judged = game, seats, sizes, judged
        self.learnt = 0  # positions
        self.tables = CudaBatch(game, sizes.tables, seats, seed, auto_reset=True, **options)
        self.trials = CudaBatch(game, sizes.trials, seats, seed + 1, **options)
        lines, size, kind = sizes.plies * sizes.looks, game.observation_size, game.observation_type
        self.seen = cuda.device_array(lines * sizes.tables * size, kind)
        self.targets = cuda.to_device(np.zeros(lines * sizes.tables, np.float32))
        self._trial_seen = Array.new((sizes.trials, size), kind)
        self._sources, self._chosen, self._movers, self._views = (self._whole(sizes.trials) for _ in range(4))
        self._found = cuda.device_array(sizes.trials, np.int32)
        self._played = self._whole(sizes.tables)
        self._begun = cuda.to_device(np.zeros(sizes.tables, np.int32))
        self._table_views = self._whole(lines * sizes.tables)
        self._table_found = cuda.device_array(sizes.looks * sizes.tables, np.int32)
        course = sizes.plies * sizes.tables
        self._worths = cuda.device_array(course * seats, np.float32)
        self._lasts, self._random = (cuda.device_array(course, np.bool_) for _ in range(2))

    def _whole(self, count: int) -> Any:
        return cuda.to_device(np.zeros(count, np.int64))

    def play(self, weights: Weights, habits: Habits, seed: int, counts: Any) -> None:
        """A round: ``seen`` and ``targets`` are then what to learn from. Targets below 0 are not known."""
        tables = self.sizes.tables
        for ply in range(self.sizes.plies):
            here = slice(ply * tables, (ply + 1) * tables)
            offsets, actions = self.tables.legal_list()
            worths = self._try_all(offsets, actions, weights, habits.throws)
            plies, ends = self.tables.states["ply"].flat, offsets.flat
            given = (ends, actions.flat, worths, habits.throws, plies, self._begun, (seed + ply) & 0xFFFFFFFF)
            manner = (habits.early, habits.slips, habits.temperature)
            run(kernels.choose, tables, *given, *manner, self._played, self._random[here])
            self.tables.step(Array(self._played, (tables,)), check=False)
            self._look(ply, weights, counts)
        course = (self._worths, self._lasts, self._random, self._table_views, tables, self.seats, seed)
        run(kernels.set_targets, tables, *course, habits.decay, self.targets)

    def _try_all(self, offsets: Array, actions: Array, weights: Weights, throws: int) -> Any:
        """What every action is worth to the seat to move, for each of several throws of dice."""
        total, size = len(actions) * throws, self.sizes.trials
        owners, worths = cuda.device_array(len(actions), np.int32), cuda.device_array(total, np.float32)
        run(kernels.set_owners, self.sizes.tables, offsets.flat, owners)
        to_move = self.tables.states["to_move"].flat
        for first in range(0, total, size):
            tried = (owners, actions.flat, first, throws, to_move, self._sources, self._chosen, self._movers)
            run(kernels.set_trials, size, *tried)
            copy_positions(self.tables, self._sources, self.trials)
            self.trials.step(Array(self._chosen, (size,)), check=False)
            views = self._movers
            if self.seats == 2:
                views = self._views
                run(kernels.set_views, size, self.trials.states["to_move"].flat, -1, views)
            over, wins = self.trials.over().flat, self.trials.winners().flat
            observe_unchecked(self.trials, views, self._trial_seen)
            self._judged(self._trial_seen.flat, over, weights, self._found[: min(size, total - first)])
            run(kernels.set_worths, size, over, wins, self.seats, views, self._movers, self._found, first, worths)
        return worths

    def _look(self, ply: int, weights: Weights, counts: Any) -> None:
        """See the positions after a ply from every view that is learnt from, and what they are worth."""
        rows, looks, size = self.sizes.tables, self.sizes.looks, self.game.observation_size
        over = self.tables.over().flat
        for look in range(looks):
            line = (ply * looks + look) * rows
            views = self._table_views[line : line + rows]
            run(kernels.set_views, rows, self.tables.states["to_move"].flat, -1 if looks == 1 else look, views)
            seen = self.seen[line * size : (line + rows) * size]
            observe_unchecked(self.tables, views, Array(seen, (rows, size)))
            self._judged(seen, over, weights, self._table_found[look * rows : (look + 1) * rows])
        here = slice(ply * rows, (ply + 1) * rows)
        ended = (over, self.tables.cut().flat, self.tables.winners().flat, self.seats)
        seen_by = self._table_views[ply * looks * rows : (ply + 1) * looks * rows]
        worths = self._worths[ply * rows * self.seats : (ply + 1) * rows * self.seats]
        kept = (worths, self._lasts[here], self._begun, counts)
        run(kernels.note_worths, rows, *ended, seen_by, self._table_found, *kept)


class GpuRounds:
    """Rounds on a GPU. The network on the host is brought up to date after each."""

    def __init__(self, plan: Plan, network: Network, nature: Nature) -> None:
        check_device()
        self.plan, self.network, self.nature = plan, network, nature
        judged = LineJudge(plan.game.name, plan.game.observation_size, plan.units)
        self._halls = [Hall(plan, seats, judged, plan.seed) for seats in plan.seats]
        self._prepare()

    def _prepare(self) -> None:
        """The network on the device, in fractions to learn with and in whole numbers to play with."""
        network = self.network
        self._learn = kernels.make_learning(self.plan.game.observation_size, self.plan.units)
        parts = (network.values, network.mean, network.square)
        self._net, self._mean, self._square = (cuda.to_device(part) for part in parts)
        self._gradient = cuda.to_device(np.zeros(len(network.values), np.int64))
        self._weights = on_device(network.judge({}))

    def play(self, number: int, done: float) -> Round:
        """Play, then learn from it. The fewer seats a match has, the more of its positions are learnt from."""
        hall = min(self._halls, key=lambda hall: hall.learnt * hall.seats)
        counts = cuda.to_device(np.zeros(2, np.int64))
        seed = (self.plan.seed * 1_000_003 + number * 4096) & 0xFFFFFFFF
        hall.play(self._weights, self.nature.habits(done, hall.seats), seed, counts)
        order = self._order(hall, number)
        loss = self._learn_from(hall, order, self.plan.rate(done))
        hall.learnt += len(order)
        self._bring_back()
        found = counts.copy_to_host()
        return Round(games=int(found[kernels.GAMES]), cut=int(found[kernels.CUT]), loss=loss)

    def _order(self, hall: Hall, number: int) -> Any:
        """All positions whose worth is known, shuffled."""
        known = np.flatnonzero(hall.targets.copy_to_host() >= 0)
        return np.random.default_rng([self.plan.seed % 2**64, number]).permutation(known)

    def _learn_from(self, hall: Hall, order: Any, rate: float) -> float:
        losses, sent = cuda.to_device(np.zeros(1, np.int64)), cuda.to_device(order)
        for first in range(0, len(order), BATCH):
            count = min(BATCH, len(order) - first)
            learnt = (hall.seen, hall.targets, sent, first, self._weights, self._net, self._gradient, losses)
            launch(self._learn, count, self.plan.units, *learnt)
            self.network.steps += 1
            along, across = 1 - MOMENTUM**self.network.steps, 1 - SPREAD**self.network.steps
            memory = (self._net, self._gradient, self._mean, self._square)
            run(kernels.descend, len(self.network.values), *memory, count, rate, along, across)
        return float(losses.copy_to_host()[0]) / kernels.FINE / max(len(order), 1)

    def _bring_back(self) -> None:
        network = self.network
        for part, found in ((network.values, self._net), (network.mean, self._mean), (network.square, self._square)):
            found.copy_to_host(part)
        fresh = network.judge({}).weights
        for name in ("hidden", "bias", "output", "final"):
            getattr(self._weights, name).copy_to_device(getattr(fresh, name))
