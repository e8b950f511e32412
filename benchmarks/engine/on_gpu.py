"""The games on a GPU: whole random games, and Connect Four beside Pgx on the same GPU."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from benchmarks.engine.against_rivals import NOT_INSTALLED
from benchmarks.engine.report import Line
from benchmarks.engine.rivals import GPU_RIVALS, Contender, is_installed
from benchmarks.engine.timing import Timed, in_turns, repeated

from parlour.engine import Game, ParlourError

MEASURED_ON = "H200"  # the GPU that the targets are for
TARGETS = {
    "goose": 600e6,
    "connect_four": 1e9,
    "verfuchst": 90e6,
    "choccer": 2e6,
    "mazerunner": 1e6,
    "game17": 40e3,
}
ROWS = 1 << 22  # of the batch that a learner steps


def measure(games: list[Game], seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Everything that the GPU is measured at."""
    from parlour.engine.cuda.device import check_device

    check_device()
    from numba import cuda

    device = cuda.get_current_device().name
    name = device.decode() if isinstance(device, bytes) else str(device)
    lines, section = [], f"Random games on the GPU ({name})"
    for game in games:
        on_progress(f"{game.title} on the GPU")
        at_least = TARGETS.get(game.name) if MEASURED_ON in name else None
        try:
            lines.append(Line(section, game.title, _rate(game, seconds), "games/s", at_least=at_least))
        except ParlourError as error:
            lines.append(Line(section, game.title, None, "games/s", at_least=at_least, note=str(error)))
    found = [game for game in games if game.name == "connect_four"]
    return lines + [line for game in found for line in beside_pgx(game, seconds, on_progress)]


def timed(game: Game) -> Timed:
    """How many random games a second the GPU plays."""
    from parlour.engine.cuda.rollout import rollout

    options = game.resolve_options({})
    made = rollout(game, game.resolve_seats(None, options), options)
    return repeated(lambda count: made.play(count, 1), made.blocks * made.threads)


def _rate(game: Game, seconds: float) -> float:
    rate = timed(game)
    rate(seconds / 5)
    return median(rate(seconds / 5) for _ in range(3))


def beside_pgx(game: Game, seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Whole games beside Pgx's, and the steps of a loop in which PyTorch chooses beside those of Pgx's loop in JAX."""
    lines = []
    for name, ours, unit, at_least, needs in (
        ("pgx_games", timed, "games/s", 20.0, ""),
        ("pgx_steps", torch_steps, "steps/s", 2.0, "torch"),
    ):
        section = f"Connect Four beside Pgx on the GPU, {unit}"
        if not is_installed(name) or (needs and not _has(needs)):
            lines.append(Line(section, "Parlour / Pgx", None, "×", at_least=at_least, note=NOT_INSTALLED))
            continue
        on_progress(f"Connect Four beside Pgx on the GPU, {unit}")
        with Contender(name) as rival:
            mine = ours(game)
            mine(seconds / 10)
            rival.rate(seconds / 10)
            ratio = in_turns(mine, rival.rate, seconds, rounds=3)
        lines += [
            Line(section, "Parlour", ratio.ours, unit),
            Line(section, GPU_RIVALS[name][2], ratio.theirs, unit),
            Line(section, "Parlour / Pgx", ratio.times, "×", at_least=at_least),
        ]
    return lines


def _has(module: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(module) is not None


def torch_steps(game: Game) -> Timed:
    """Steps a second of the loop that training needs: mask, choice at random by PyTorch, step, reset, observation."""
    import torch

    from parlour.engine.batch import Batch

    batch = Batch(game, ROWS, seed=1, auto_reset=True, device="cuda")
    mask = torch.empty((ROWS, game.action_space), dtype=torch.bool, device="cuda")
    seen = torch.empty((ROWS, game.observation_size), dtype=torch.int8, device="cuda")

    def play(steps: int) -> None:
        for _ in range(-(-steps // ROWS)):
            batch.legal_mask(out=mask)
            luck = torch.rand(mask.shape, device="cuda")
            batch.step(torch.where(mask, luck, -1.0).argmax(dim=1), check=False)
            batch.observe(out=seen)
        torch.cuda.synchronize()

    play(2 * ROWS)
    return repeated(play, ROWS)
