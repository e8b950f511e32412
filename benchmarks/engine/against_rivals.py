"""Connect Four and Leduc Poker, compiled from their rules, beside other engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.engine.report import Line
from benchmarks.engine.rivals import LEDUC_RIVALS, RIVALS, Contender, is_installed
from benchmarks.engine.timing import Timed, in_turns, one_core, repeated

from parlour.engine import Game, ParlourError, registry
from parlour.lab.simulate import simulate

NOT_INSTALLED = "not installed (pip install 'parlour[bench]')"


def measure(seconds: float, on_progress: Callable[[str], None]) -> list[Line]:
    """Games per second of Parlour over those of each rival that is installed, on one core."""
    both = (("connect_four", "Connect Four", RIVALS), ("leduc", "Leduc Poker", LEDUC_RIVALS))
    return [line for name, title, rivals in both for line in _game(name, title, rivals, seconds, on_progress)]


def _game(
    name: str, title: str, rivals: Mapping[str, Any], seconds: float, on_progress: Callable[[str], None]
) -> list[Line]:
    section = f"{title} beside other engines"
    if name not in registry.names():
        return [Line(section, "Parlour", None, "games/s", note=f"not installed (pip install examples/{name})")]
    lines = []
    for rival in rivals:
        on_progress(f"{title} beside {rival}")
        lines += _beside(section, rival, rivals[rival], registry.get(name), seconds)
    return lines


def _beside(section: str, name: str, rival_of: tuple[Any, str, str, float], game: Game, seconds: float) -> list[Line]:
    _, _, title, at_least = rival_of
    ratio_name = f"Parlour / {title}"
    if not is_installed(name):
        return [Line(section, ratio_name, None, "×", at_least=at_least, note=NOT_INSTALLED)]
    try:
        with one_core(), Contender(name) as rival:
            rival.rate(0.0)  # it is ready when it has answered once
            ratio = in_turns(_ours(game), rival.rate, seconds)
    except ParlourError as error:
        return [Line(section, ratio_name, None, "×", at_least=at_least, note=str(error))]
    return [
        Line(section, f"Parlour, in turns with {title}", ratio.ours, "games/s"),
        Line(section, title, ratio.theirs, "games/s"),
        Line(section, ratio_name, ratio.times, "×", at_least=at_least),
    ]


def _ours(game: Game) -> Timed:
    return repeated(lambda games: simulate(game, games, cores=1))
