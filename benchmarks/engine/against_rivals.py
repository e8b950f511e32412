"""Connect Four, compiled from its rules, beside other engines."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.engine.report import Line
from benchmarks.engine.rivals import RIVALS, Contender, is_installed
from benchmarks.engine.timing import Timed, in_turns, one_core, repeated

from parlour.engine import Game, ParlourError, registry
from parlour.lab.simulate import simulate

SECTION = "Connect Four beside other engines"
NOT_INSTALLED = "not installed (pip install 'parlour[bench]')"


def measure(seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Games per second of Parlour over those of each rival that is installed, on one core."""
    if "connect_four" not in registry.names():
        return [Line(SECTION, "Parlour", None, "games/s", note="not installed (pip install examples/connect_four)")]
    game = registry.get("connect_four")
    lines = []
    for name in RIVALS:
        on_progress(f"Connect Four beside {name}")
        lines += _beside(name, game, seconds)
    return lines


def _beside(name: str, game: Game, seconds: float) -> list[Line]:
    _, _, title, at_least = RIVALS[name]
    ratio_name = f"Parlour / {title}"
    if not is_installed(name):
        return [Line(SECTION, ratio_name, None, "×", at_least=at_least, note=NOT_INSTALLED)]
    try:
        with one_core(), Contender(name) as rival:
            rival.rate(0.0)  # it is ready when it has answered once
            ratio = in_turns(_ours(game), rival.rate, seconds)
    except ParlourError as error:
        return [Line(SECTION, ratio_name, None, "×", at_least=at_least, note=str(error))]
    return [
        Line(SECTION, f"Parlour, in turns with {title}", ratio.ours, "games/s"),
        Line(SECTION, title, ratio.theirs, "games/s"),
        Line(SECTION, ratio_name, ratio.times, "×", at_least=at_least),
    ]


def _ours(game: Game) -> Timed:
    return repeated(lambda games: simulate(game, games, cores=1))
