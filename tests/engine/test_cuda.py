"""The GPU plays the very same games as the CPU.

Where there is no GPU, the kernels run in Numba's simulator, in a process of its own, and are compiled for a GPU that
is not there.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from parlour import Batch
from parlour.cli import run
from parlour.engine import ParlourError, registry
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.cuda.device import missing
from parlour.lab.simulate import simulate

HELPER = Path(__file__).with_name("simulated_gpu.py")

# Small, but with all that kernels tell apart: one seat and many, options, draws and shared wins.
PLAYED: list[tuple[str, int, int, dict[str, int]]] = [
    ("connect_four", 9, 2, {}),
    ("goose", 7, 3, {"stakes": 1, "maze": 30}),
    ("verfuchst", 5, 4, {}),
    ("choccer", 2, 2, {}),
    ("mazerunner", 1, 4, {"rounds": 3}),
    ("game17", 5, 2, {"edge": 4, "rounds": 4}),
    ("game17", 3, 9, {"edge": 3, "rounds": 3}),
]
TIMED = ("seconds", "games_per_second", "plies_per_second")

pytestmark = pytest.mark.xdist_group("cuda")  # one process, and so the simulator starts once
needs_gpu = pytest.mark.skipif(bool(missing()), reason=missing())


def played_on(device: str, name: str, games: int, seats: int, options: dict[str, int]) -> dict[str, Any]:
    found = simulate(registry.get(name), games, seats, 5, device=device, options=options).to_json()
    return {field: value for field, value in found.items() if field not in TIMED}


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    """What the simulator found, all in one process."""
    done = subprocess.run(
        [sys.executable, HELPER, json.dumps(PLAYED)],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(HELPER.parent.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("place", range(len(PLAYED)), ids=[f"{name}-{seats}" for name, _, seats, _ in PLAYED])
def test_the_simulated_device_plays_the_games_of_the_cpu(simulated: dict[str, Any], place: int) -> None:
    """Those of plain Python, which compiled ones are compared with elsewhere: so nothing is compiled for this."""
    name, games, seats, options = PLAYED[place]
    found, game = simulated["summaries"][place], registry.get(name)
    turns, scores, shares, by_order = 0, [0] * seats, [Fraction()] * seats, [Fraction()] * seats
    for number in range(games):
        chance, policy = Chance.of_game(5, number), Chance.of_game(5, number, POLICY_STREAM)
        state = game.blank(seats, **options)
        game.open(state, chance)
        while not state.over:
            legal = game.legal_actions(state)
            game.play(state, legal[0] if len(legal) == 1 else legal[policy.below(len(legal))], chance)
        turns += state.turns
        for seat, score in enumerate(game.scores(state)):
            scores[seat] += score
        for seat in game.winners(state):
            shares[seat] += Fraction(1, len(game.winners(state)))
            by_order[game.order(state, seat)] += Fraction(1, len(game.winners(state)))
    assert found["mean_turns"] == turns / games
    assert found["mean_scores"] == [score / games for score in scores]
    assert found["win_share"] == [float(share / games) for share in shares]
    assert found["win_share_by_order"] == [float(share / games) for share in by_order]
    assert sum(found["outcomes"].values()) == games


@needs_gpu
@pytest.mark.parametrize(
    ("name", "seats", "games", "options"),
    [
        ("connect_four", 2, 100_000, {}),
        ("goose", 4, 100_000, {}),
        ("goose", 3, 20_000, {"stakes": 1, "drink": 1}),
        ("verfuchst", 4, 50_000, {}),
        ("choccer", 2, 10_000, {}),
        ("mazerunner", 4, 5_000, {}),
        ("game17", 2, 300, {}),
        ("game17", 20, 100, {"edge": 5}),
    ],
)
def test_the_gpu_plays_the_games_of_the_cpu(name: str, seats: int, games: int, options: dict[str, int]) -> None:
    assert played_on("cuda", name, games, seats, options) == played_on("cpu", name, games, seats, options)


def test_kernels_compile_for_a_gpu_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their types, and the translation of rules: none of it runs in the simulator."""
    if not missing():
        pytest.skip("there is a GPU, and kernels are compiled for it")
    cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is not installed")
    nvvm = pytest.importorskip("numba.cuda.cudadrv.nvvm", reason="numba-cuda is not installed")
    try:
        nvvm.NVVM()
    except Exception as error:
        pytest.skip(f"there is no compiler for GPUs: {error}")
    from numba.cuda import dispatcher, types

    from parlour.engine.cuda import parts as kernel_parts
    from parlour.engine.cuda.judging import make_judge_lines
    from parlour.engine.cuda.kernels import make_rollout
    from parlour.engine.judge.arithmetic import Weights
    from parlour.lab.train.gpu_kernels import choose, make_learning

    class Device:
        compute_capability = (9, 0)

    monkeypatch.setattr(dispatcher, "get_current_device", Device)
    game = registry.get("verfuchst")  # it has sets of bits, tables, small arrays and large ones
    kernel = make_rollout(kernel_parts.compiled(game, {"seats": 4}, 128), 4, game.ply_limit).py_func
    arrays, numbers = [types.int64[::1]] * 4, [types.int64] * 2
    ptx, _ = cuda.compile_ptx(kernel, (arrays[0], *numbers, arrays[0], *numbers, *arrays), cc=(9, 0))
    assert ".entry" in ptx
    assert "brx.idx" not in ptx, "a table became branches"
    flags, numbers, parts = types.boolean[::1], types.int64[::1], types.float32[::1]
    columns = [*[types.int32[::1]] * 8, types.int16[:, ::1], types.int16[::1], *[types.int32[::1]] * 3]
    seen, weights, number = types.int8[::1], types.NamedTuple(columns, Weights), types.int64
    kernel = make_judge_lines(game.observation_size, 8).py_func
    assert ".entry" in cuda.compile_ptx(kernel, (seen, flags, weights, types.int32[::1]), cc=(9, 0))[0]
    kernel = make_learning(game.observation_size, 8).py_func
    given = (seen, parts, numbers, number, weights, parts, numbers, numbers)
    assert ".entry" in cuda.compile_ptx(kernel, given, cc=(9, 0))[0]
    words, actions, fraction = (number, numbers, types.int32[::1], number), types.int32[::1], types.float64
    chosen = (numbers, actions, parts, *words, number, number, fraction, numbers, flags)
    assert ".entry" in cuda.compile_ptx(choose.py_func, chosen, cc=(9, 0))[0]


def test_a_kernel_is_kept_on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And found there only for the same game, types, options and kind of GPU; what is damaged is compiled again."""
    from numba import cuda
    from numba.cuda import codegen, dispatcher, types

    from parlour.engine.compiled.course import Results
    from parlour.engine.cuda import batch_parts, cache
    from parlour.engine.cuda.batch_kernels import make_kernels

    capability = (9, 0)

    class Device:
        compute_capability = capability

    monkeypatch.setattr(dispatcher, "get_current_device", Device)
    monkeypatch.setattr(cuda, "get_current_device", Device)
    monkeypatch.setattr(codegen.CUDACodeLibrary, "_ensure_cc", lambda library, cc: cc or capability)
    monkeypatch.setattr(dispatcher._Kernel, "bind", lambda kernel: kernel._codelibrary.get_cubin(cc=capability))
    game = registry.get("connect_four")
    made = make_kernels(batch_parts.compiled(game, {"seats": 2}), game, 2).play_rows
    words, flags, number = types.int64[::1], types.boolean[::1], types.int64
    course = (types.uint32[::1], words, words, number)
    results = types.NamedTuple((flags, flags, types.float32[::1], words, flags), Results)
    settings = (words, types.float32[::1], types.boolean, types.int32[::1])
    taken = (types.uint8[::1], number, number, words, types.boolean, *course, results, *settings)
    context = made.targetctx
    kept = cache.KernelCache(tmp_path / "cuda", "play_rows", {"seats": 2})
    assert not kept.has_any()
    assert kept.load_overload(taken, context) is None
    made._cache = kept
    compiled = made.compile(taken)
    assert cache.KernelCache(tmp_path / "cuda", "play_rows", {"seats": 2}).has_any()
    again = kept.load_overload(taken, context)
    assert again.entry_name == compiled.entry_name
    assert again._codelibrary.get_asm_str() == compiled._codelibrary.get_asm_str()
    assert kept.load_overload((*taken, types.int64), context) is None
    assert cache.KernelCache(tmp_path / "cuda", "play_rows", {"seats": 3}).load_overload(taken, context) is None
    assert cache.KernelCache(tmp_path / "cuda", "list_rows", {"seats": 2}).load_overload(taken, context) is None
    monkeypatch.setattr(Device, "compute_capability", (8, 0))
    assert kept.load_overload(taken, context) is None
    monkeypatch.setattr(Device, "compute_capability", capability)
    kept.path(taken).write_bytes(b"damaged")
    assert kept.load_overload(taken, context) is None
    assert not kept.has_any()


def source(part: Any) -> str:
    return inspect.getsource(part) if inspect.isfunction(part) else ""


def test_both_batches_have_the_same_names(simulated: dict[str, Any]) -> None:
    """What is written for one runs on the other: all verbs are those of ``Batch``."""
    from parlour.engine.compiled.batch import CpuBatch
    from parlour.engine.cuda.batch import CudaBatch

    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert issubclass(CudaBatch, Batch)
    assert type(Batch("goose", 1)) is CpuBatch
    assert public(CudaBatch) == public(CpuBatch) == public(Batch)
    waiting = {name for name, part in vars(Batch).items() if "raise NotImplementedError" in source(part)}
    assert {name for name in waiting if getattr(CudaBatch, name) is getattr(Batch, name)} == set()
    assert {name for name in waiting if getattr(CpuBatch, name) is getattr(Batch, name)} == set()
    assert "legal" in waiting
    assert simulated["attributes"] == sorted(name for name in vars(Batch("goose", 1)) if not name.startswith("_"))


def test_what_is_missing_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    if not missing():
        pytest.skip("nothing is missing: there is a GPU")
    assert run(["simulate", "goose", "--games", "10", "--device", "cuda"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "GPU" in said


def test_a_batch_and_the_benchmark_say_what_is_missing_too(capsys: pytest.CaptureFixture[str]) -> None:
    if not missing():
        pytest.skip("nothing is missing: there is a GPU")
    with pytest.raises(ParlourError, match="no GPU"):
        Batch("goose", 3, device="cuda")
    with pytest.raises(ParlourError, match="cpu or cuda, not 'tpu'"):
        Batch("goose", 3, device="tpu")
    assert run(["bench", "--device", "cuda"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_the_extra_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ParlourError, match=r"pip install 'parlour\[cuda\]'"):
        simulate(registry.get("goose"), 10, device="cuda")


def test_another_device_is_no_device() -> None:
    with pytest.raises(ParlourError, match="the device is cpu or cuda, not 'tpu'"):
        simulate(registry.get("goose"), 10, device="tpu")
