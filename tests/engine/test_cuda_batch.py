"""A batch on a GPU does what the batch on the CPU does, row by row. Where there is no GPU, see ``simulated_gpu``."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from parlour import Batch
from parlour.engine import replay
from parlour.engine.cuda.device import missing
from parlour.engine.errors import IllegalAction

pytestmark = [
    pytest.mark.xdist_group("cuda"),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]

GAMES = [
    ("connect_four", 2, {}),
    ("goose", 4, {"stakes": 1}),
    ("verfuchst", 3, {}),
    ("choccer", 2, {}),
    ("mazerunner", 4, {"rounds": 2}),
    ("game17", 3, {"edge": 4, "rounds": 3}),
]


def both(name: str, rows: int, seats: int, **given: Any) -> tuple[Batch, Any]:
    """The same batch on the CPU and on the GPU."""
    return Batch(name, rows, seats, 7, **given), Batch(name, rows, seats, 7, device="cuda", **given)


def any_actions(batch: Batch, generator: np.random.Generator) -> Any:
    offsets, actions = batch.legal_list()
    counts = np.diff(offsets)
    places = (generator.random(len(batch)) * counts).astype(np.int64)
    chosen = np.zeros(len(batch), np.int64)
    chosen[counts > 0] = actions[(offsets[:-1] + places)[counts > 0]]
    return chosen


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
@pytest.mark.parametrize("auto_reset", [False, True])
def test_every_row_is_that_of_the_cpu(name: str, seats: int, options: dict[str, int], auto_reset: bool) -> None:
    cpu, gpu = both(name, 300, seats, auto_reset=auto_reset, **options)
    generator = np.random.default_rng(1)
    for _ in range(60):
        for mine, theirs in zip(gpu.legal_list(), cpu.legal_list(), strict=True):
            assert (mine.numpy() == theirs).all()
        chosen = any_actions(cpu, generator)
        cpu.step(chosen)
        gpu.step(chosen)
        for field in cpu.states.dtype.names or ():
            assert (gpu.states[field].numpy() == cpu.states[field]).all(), field
        for verb in ("over", "cut", "rewards", "scores", "winners", "to_move", "observe"):
            assert (getattr(gpu, verb)().numpy() == getattr(cpu, verb)()).all(), verb
        if cpu.game.action_space <= 2**16:
            assert (gpu.legal_mask().numpy() == cpu.legal_mask()).all()
    assert (gpu.observe(seats - 1).numpy() == cpu.observe(seats - 1)).all()


def test_rows_begin_anew() -> None:
    cpu, gpu = both("goose", 10, 2)
    for rows in ([3, 4], np.arange(10) > 7, None):
        cpu.reset(rows)
        gpu.reset(rows)
        assert (gpu.states["to_move"].numpy() == cpu.states["to_move"]).all()
    cpu.reset(seed=9)
    gpu.reset(seed=9)
    assert (gpu.states["to_move"].numpy() == cpu.states["to_move"]).all()


def test_rows_are_chosen_and_copied() -> None:
    cpu, gpu = both("verfuchst", 12, 2, auto_reset=True)
    cpu, gpu = cpu[[1, 5, 6, 11]], gpu[[1, 5, 6, 11]]
    generator = np.random.default_rng(3)
    for step in range(150):
        if step in (20, 90):
            cpu.copy_row(0, [2, 3], with_chance=step > 20)
            gpu.copy_row(0, [2, 3], with_chance=step > 20)
        chosen = any_actions(cpu, generator)
        cpu.step(chosen)
        gpu.step(chosen)
        assert [gpu.state(row) for row in range(4)] == [cpu.state(row) for row in range(4)]


def test_rows_are_matches_and_can_be_sent_to_other_processes() -> None:
    cpu, gpu = both("choccer", 12, 2, record=True)
    generator = np.random.default_rng(3)
    for step in range(120):
        if step == 90:
            gpu = pickle.loads(pickle.dumps(gpu))[:]
        chosen = any_actions(cpu, generator)
        cpu.step(chosen)
        gpu.step(chosen)
    for row in range(12):
        assert replay.dumps(gpu.match(row)) == replay.dumps(cpu.match(row))
    assert int(cpu.states["ply"].max()) > 64, "there was room for fewer plies at first"


def test_lists_go_into_buffers() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    cpu, gpu = both("choccer", 30, 2)
    offsets, actions = cpu.legal_list()
    mine = (
        torch.empty(31, dtype=torch.int64, device="cuda"),
        torch.empty(len(actions) + 9, dtype=torch.int32, device="cuda"),
    )
    found = gpu.legal_list(out=mine)
    assert found[0] is mine[0]
    assert mine[0].tolist() == offsets.tolist()
    assert mine[1][: len(actions)].tolist() == found[1].numpy().tolist() == actions.tolist()


def test_rows_are_named_by_arrays_of_the_device() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    cpu, gpu = both("goose", 10, 2)
    cpu.reset([3, 4])
    gpu.reset(torch.tensor([3, 4], device="cuda"))
    assert (gpu.states["to_move"].numpy() == cpu.states["to_move"]).all()


def test_what_is_illegal_is_refused_and_nothing_is_played() -> None:
    _, gpu = both("connect_four", 4, 2)
    with pytest.raises(IllegalAction, match="row 2"):
        gpu.step([0, 1, 7, 2])
    assert gpu.states["ply"].numpy().tolist() == [0, 0, 0, 0]
    with pytest.raises(TypeError, match="whole numbers"):
        gpu.step([0.5, 1, 2, 3])
    with pytest.raises(ValueError, match="4 actions"):
        gpu.step([0, 1])


def test_pytorch_shares_the_arrays() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    _, gpu = both("connect_four", 64, 2)
    mask = torch.empty((64, 7), dtype=torch.bool, device="cuda")
    assert gpu.legal_mask(out=mask) is mask
    assert mask.all()
    ply = torch.as_tensor(gpu.states["ply"], device="cuda")
    heights = torch.from_dlpack(gpu.states["height"])
    gpu.step(torch.full((64,), 3, device="cuda"))
    torch.cuda.synchronize()
    assert ply.tolist() == [1] * 64, "the same memory, and no copy"
    assert heights[:, 3].tolist() == [1] * 64
    assert heights.sum().item() == 64


def test_jax_shares_the_arrays() -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    _, gpu = both("connect_four", 64, 2)
    gpu.step(np.full(64, 3))
    assert jax.dlpack.from_dlpack(gpu.states["ply"]).tolist() == [1] * 64


def test_a_vector_of_matches_gives_tensors() -> None:
    torch, rl = pytest.importorskip("torch"), pytest.importorskip("parlour.rl")
    pytest.importorskip("gymnasium")
    cpu, gpu = (rl.vector("connect_four", 64, device=device) for device in ("cpu", "cuda"))
    (seen, info), (theirs, told) = cpu.reset(seed=3), gpu.reset(seed=3)
    for _ in range(60):
        assert theirs.is_cuda
        assert (theirs.cpu().numpy() == seen).all()
        assert (told["action_mask"].cpu().numpy() == info["action_mask"]).all()
        actions = np.argmax(info["action_mask"], axis=1)
        seen, rewards, over, _, info = cpu.step(actions)
        theirs, gained, ended, _, told = gpu.step(torch.as_tensor(actions, device="cuda"))
        assert (gained.cpu().numpy() == rewards).all()
        assert (ended.cpu().numpy() == over).all()
