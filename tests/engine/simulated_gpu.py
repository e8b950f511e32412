"""Runs in a process of its own, in which Numba's simulator plays the GPU: prints what it found as JSON."""

from __future__ import annotations

import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba import cuda
from numba.cuda.simulator import kernelapi

from judges import any_judge
from lab.nim_game import GAME
from parlour import rl
from parlour.engine import registry, replay
from parlour.engine.chance import Chance
from parlour.engine.cuda.arrays import Array
from parlour.engine.cuda.batch import CudaBatch as Batch
from parlour.engine.cuda.device import launch
from parlour.engine.cuda.judging import chances_seen
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.judge.arithmetic import chance_seen
from parlour.lab.simulate import simulate
from parlour.lab.train import gpu_kernels as kernels
from parlour.lab.train.network import Network
from parlour.lab.train.on_gpu import GpuRounds
from parlour.lab.train.plan import make_plan, nature_of
from parlour.lab.train.self_play import Samples

TIMED = ("seconds", "games_per_second", "plies_per_second")


def share_one_array() -> None:
    """Have all threads of a block share one array: of two that ask at once, the simulator may give each its own.

    As in the simulator, the line that asks tells arrays apart.
    """

    def array(shared: Any, shape: int, dtype: Any) -> Any:
        asks = sys._getframe(1)
        place = asks.f_code.co_filename, asks.f_lineno
        return shared._allocations.setdefault(place, np.empty(shape, dtype))  # in one step, whatever threads do

    kernelapi.FakeCUDAShared.array = array


def follow(name: str, seats: int, options: dict[str, Any], steps: int) -> None:
    """A batch, beside the same matches in plain Python."""
    game, rows = registry.get(name), 3
    batch = Batch(game, rows, seats, 5, auto_reset=True, **options)
    chances = [Chance.of_game(5, row) for row in range(rows)]
    states, numbers = [game.blank(seats, **options) for _ in range(rows)], list(range(rows))
    for state, chance in zip(states, chances, strict=True):
        game.open(state, chance)
    generator = np.random.default_rng(2)
    for _ in range(steps):
        legal = [game.legal_actions(state) for state in states]
        offsets, actions = (array.numpy() for array in batch.legal_list())
        assert np.split(actions, offsets[1:-1])[1].tolist() == legal[1]
        assert [batch.legal(row) for row in range(rows)] == legal
        if game.action_space < 10_000:
            assert [np.flatnonzero(line).tolist() for line in batch.legal_mask().numpy()] == legal
        chosen = [int(generator.choice(choices)) for choices in legal]
        batch.step(chosen)
        ended = []
        for row, (state, action) in enumerate(zip(states, chosen, strict=True)):
            game.play(state, action, chances[row])
            ended.append(bool(state.over))
            if state.over:
                assert batch.scores().numpy()[row].tolist() == game.scores(state)
                assert np.flatnonzero(batch.winners().numpy()[row]).tolist() == game.winners(state)
                numbers[row] += rows
                chances[row], states[row] = Chance.of_game(5, numbers[row]), game.blank(seats, **options)
                game.open(states[row], chances[row])
        assert batch.over().numpy().tolist() == ended
        assert [batch.state(row) for row in range(rows)] == states
        assert batch.observe().numpy().tolist() == [game.observed(state, state.to_move) for state in states]


def copy_rows() -> None:
    """Rows that are chosen, and copies with their chance, go on like the originals."""
    batch = Batch("goose", 5, 2, 5, auto_reset=True)
    for _ in range(4):
        batch.step([0] * 5)
    chosen = batch[[4, 2]]
    batch.copy_row(4, [0, 1], with_chance=True)
    for _ in range(60):
        batch.step([0] * 5)
        chosen.step([0, 0])
        if batch.over().numpy().any():
            break
        assert chosen.state(0) == batch.state(4) == batch.state(0) == batch.state(1)
        assert chosen.state(1) == batch.state(2) != batch.state(4)


def leave_finished_rows() -> None:
    """In a row whose match is over, any action does nothing, and is worth nothing."""
    batch = Batch("connect_four", 2, 2, 5)
    for column in (0, 1, 0, 1, 0, 1, 0):
        batch.step([column, column])
    assert batch.over().numpy().all()
    assert batch.rewards().numpy().tolist() == [[1.0, -1.0]] * 2
    batch.reset([1])
    before = batch.state(0)
    for action in (-1, -2, 3, 99, 1, 0):
        batch.step([action, batch.legal(1)[0]])
        assert batch.state(0) == before
        assert batch.rewards().numpy()[0].tolist() == [0.0, 0.0]
        assert batch.over().numpy()[0]


def refuse() -> None:
    """Nothing is played where one action is illegal."""
    batch = Batch("connect_four", 3, 2, 5)
    with pytest.raises(IllegalAction, match="row 1"):
        batch.step([1, 9, 2])
    assert batch.states["ply"].numpy().tolist() == [0, 0, 0]


def judge() -> None:
    """A judge says on the device what it says in plain Python."""
    for name, largest in (("connect_four", 300), ("verfuchst", 300), ("verfuchst", 32_767)):
        game = registry.get(name)
        made = any_judge(game, largest)
        batch = Batch(game, 4, 2, 5)
        for _ in range(6):
            batch.step([batch.legal(row)[-1] for row in range(4)])
        seen = batch.observe().numpy()
        size = game.observation_size
        plain = [chance_seen(line, made.plain, [0] * size, [0] * made.units) for line in seen.tolist()]
        assert chances_seen(made, seen).tolist() == plain, name


def learn() -> None:
    """A step of learning on the device leads to where the same step leads on the CPU."""
    game, units = registry.get("verfuchst").players.judged_game, 3
    batch = Batch(game, 4, 2, 5)
    for _ in range(6):
        batch.step([batch.legal(row)[-1] for row in range(4)])
    samples = Samples(batch.observe().numpy(), np.array([0.1, 0.9, 0.5, 1.0], np.float32))
    one, other = Network(game, units, 1), Network(game, units, 1)
    with ThreadPoolExecutor(1) as pool:
        loss = one.learn(samples, np.arange(4), 0.01, pool)
    rounds = object.__new__(GpuRounds)
    rounds.network, rounds.plan = other, make_plan(game, games=1, units=units)
    rounds._prepare()
    on_gpu: Any = SimpleNamespace(
        seen=cuda.to_device(samples.seen.reshape(-1)), targets=cuda.to_device(samples.targets)
    )
    assert rounds._learn_from(on_gpu, np.arange(4), 0.01) == pytest.approx(loss, abs=1e-4)
    rounds._bring_back()
    assert np.abs(one.values - other.values).max() < 1e-4
    assert np.abs(one.square - other.square).max() < 1e-6
    assert other.steps == 1


def train() -> None:
    """A round of training: the position after a ply is worth what came of it."""
    plan = make_plan(GAME, games=10, units=2, seed=5)
    network = Network(GAME, 2, 5)
    before = network.values.copy()
    rounds = GpuRounds(plan, network, nature_of(plan))
    for number in range(2):
        rounds.play(number, 0.5)
    assert (network.values != before).any()
    hall = rounds._halls[0]
    rows, plies = hall.sizes.tables, hall.sizes.plies
    worths = hall._worths.copy_to_host().reshape(plies, rows, 2)
    assert np.allclose(worths.sum(axis=2), 1, atol=1e-4)


def aim() -> None:
    """Targets of a course of four plies of one table: the second match begins after its second ply."""
    worths = np.array([[0.6, 0.4], [1.0, 0.0], [0.3, 0.7], [0.5, 0.5]], np.float32)
    lasts, slips = np.array([False, True, False, False]), np.array([False, False, False, False])
    targets = targets_of(worths, lasts, slips)
    assert targets == pytest.approx([1.0, -1, 0.5, -1])  # the end itself is no position, the last ply has no next one
    lasts[1] = False
    third = 0.3 + 0.7 * (0.5 - 0.3)  # what the ply before it is worth
    assert targets_of(worths, lasts, slips) == pytest.approx([1.0 + 0.7 * (third - 1.0), third, 0.5, -1])
    slips[1] = True
    assert targets_of(worths, lasts, slips)[0] == -1  # a random action says nothing of the position before it
    plies, seats = 60, 3
    course = [np.full(plies * seats, 0.4, np.float32), np.zeros(plies, np.bool_), np.zeros(plies, np.bool_)]
    found = cuda.to_device(np.zeros(plies * seats, np.float32))
    views = cuda.to_device(np.zeros(plies * seats, np.int64))
    launch(kernels.set_targets, 1, 1, *map(cuda.to_device, course), views, 1, seats, 9, 0.7, found)
    known = found.copy_to_host().reshape(plies, seats) >= 0
    assert known[:-1].sum(axis=1).tolist() == [1] * (plies - 1)  # of three views, one is learnt from
    assert known.sum(axis=0).min() > 5


def targets_of(worths: Any, lasts: Any, slips: Any) -> list[float]:
    """Of every ply, from the view of the first seat."""
    plies = len(lasts)
    found = cuda.to_device(np.zeros(plies, np.float32))
    views = cuda.to_device(np.zeros(plies, np.int64))
    course = (cuda.to_device(worths.reshape(-1)), cuda.to_device(lasts), cuda.to_device(slips), views)
    launch(kernels.set_targets, 1, 1, *course, 1, 2, 9, 0.7, found)
    targets: list[float] = found.copy_to_host().tolist()
    return targets


def remember() -> None:
    """Rows are matches and replay files, also where a match has more plies than there was room for at first."""
    batch = Batch("goose", 4, 2, 5, auto_reset=True, record=True)
    for _ in range(70):
        batch.step([0] * 4)
    batch.copy_row(3, [0], with_chance=True)
    batch.copy_row(3, [1])
    for row in (0, 2, 3):
        assert batch.match(row).state == batch.state(row)
    with pytest.raises(ParlourError, match="row 1 was copied without its chance"):
        batch.match(1)
    with TemporaryDirectory() as folder:
        batch.save(2, Path(folder) / "row.json")
        assert replay.load(Path(folder) / "row.json").state == batch.state(2)
    for twin in (pickle.loads(pickle.dumps(batch)), batch[:]):
        twin.step([0] * 4)
        assert twin.match(2).actions[:-1] == batch.match(2).actions
        twin.reset([1])
        assert twin.match(1).state == twin.state(1)
    with pytest.raises(ParlourError, match="record=True"):
        Batch("goose", 1).match(0)
    long = Batch("mazerunner", 1, 2, 5, record=True)
    while long.states["ply"].numpy()[0] < 70 and not long.over().numpy()[0]:
        long.step([long.legal(0)[0]])
    assert len(long.match(0).actions) > 64
    assert long.match(0).state == long.state(0)


def fill_buffers() -> None:
    batch = Batch("verfuchst", 3, 2, 5)
    offsets, actions = Array.new((4,), np.int64), Array.new((90,), np.int32)
    found = batch.legal_list(out=(offsets, actions))
    assert found[0] is offsets
    total = int(offsets.numpy()[-1])
    assert found[1].numpy().tolist() == actions.numpy()[:total].tolist() == batch.legal(0) * 3
    with pytest.raises(ValueError, match="a buffer for actions has the shape"):
        batch.legal_list(out=(offsets, Array.new((1,), np.int32)))
    assert Batch("verfuchst", 0).legal_list()[0].numpy().tolist() == [0]


class Tensor(Array):
    """What a tensor of PyTorch does here."""

    def __getitem__(self, places: Any) -> Any:
        return self.numpy()[tuple(np.asarray(place) for place in places)]

    def __or__(self, other: Array) -> Tensor:
        both = self.numpy() | other.numpy()
        return Tensor(cuda.to_device(both), both.shape)

    def any(self) -> Any:
        return self.numpy().any()


def make_a_vector() -> None:
    """With a stand-in for what it needs of PyTorch."""
    torch: Any = ModuleType("torch")
    torch.int8, torch.bool, torch.int64, torch.float32 = np.int8, np.bool_, np.int64, np.float32
    torch.empty = lambda shape, dtype, device: Tensor.new(shape, dtype)
    torch.arange = lambda rows, device: np.arange(rows)
    sys.modules["torch"] = torch
    env = rl.vector("connect_four", 3, device="cuda")
    _, info = env.reset(seed=3)
    ended = 0
    while not ended:
        _, reward, over, _, info = env.step(np.argmax(info["action_mask"].numpy(), axis=1))
        ended += int(over.numpy().sum())
        assert (reward == over.numpy()).all(), "whoever moves last wins"
    assert (info["_final_obs"].numpy() == over.numpy()).all()
    assert info["final_obs"].numpy().any(axis=1).all()
    assert (env.batch.states["ply"].numpy()[over.numpy()] == 0).all(), "and the next match has begun"


def main() -> None:
    share_one_array()
    summaries = []
    for name, games, seats, options in json.loads(sys.argv[1]):
        found = simulate(registry.get(name), games, seats, 5, device="cuda", options=options).to_json()
        summaries.append({field: value for field, value in found.items() if field not in TIMED})
    follow("connect_four", 2, {}, 30)
    follow("verfuchst", 3, {}, 12)
    follow("game17", 3, {"edge": 3, "rounds": 2}, 12)
    copy_rows()
    leave_finished_rows()
    refuse()
    judge()
    learn()
    aim()
    train()
    remember()
    fill_buffers()
    make_a_vector()
    attributes = sorted(name for name in vars(Batch("goose", 1)) if not name.startswith("_"))
    print(json.dumps({"summaries": summaries, "attributes": attributes}))


if __name__ == "__main__":
    main()
