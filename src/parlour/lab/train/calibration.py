"""Whether what a judge says comes true: of all positions that it calls 70%, about 70% should be won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from parlour.engine.compiled.judging import chances_seen
from parlour.engine.judge import WHOLE, Judge
from parlour.lab.train.plan import make_plan, nature_of
from parlour.lab.train.self_play import GAMES, Player, compiled_self_play

QUOTA = 8192
WIDTH, HEIGHT, LEFT, TOP, SIDE = 420, 400, 60, 20, 330


@dataclass(frozen=True)
class Tenth:
    """Positions whose chance is in this tenth: how many, what the judge said on average, and what was won."""

    positions: int
    said: float
    won: float


@dataclass(frozen=True)
class Calibration:
    matches: int
    tenths: list[Tenth]

    @property
    def worst(self) -> float:
        """The largest difference between what was said and what was won, of all tenths."""
        return max((abs(tenth.said - tenth.won) for tenth in self.tenths if tenth.positions), default=0.0)


def calibrate(judge: Judge, positions: int, seed: int) -> Calibration:
    """Play the judge against itself, and compare what it says of each position with the result."""
    game = judge.game
    plan = make_plan(game, seats=tuple(judge.seats), options=judge.record["options"], seed=seed, minutes=1)
    nature = nature_of(plan)
    play, player = compiled_self_play(game, judge.units), Player(game, judge.units, QUOTA)
    said, won, matches, number = [np.zeros(0)], [np.zeros(0)], 0, 0
    while sum(map(len, said)) < positions:
        seats = plan.seats[number % len(plan.seats)]
        opening = game.layout.rows(1)
        game.layout.write(game.blank(seats, **plan.options), opening, 0)
        habits = nature.habits(1.0, seats)._replace(decay=1.0, slips=0)  # so that a target is the result
        samples = player.play(play, opening, judge.weights, seed, number, habits)
        said.append(chances_seen(judge, samples.seen) / WHOLE)
        won.append(samples.targets)
        matches += int(player.counts[GAMES])
        number += 1
    return Calibration(matches, _tenths(np.concatenate(said), np.concatenate(won)))


def _tenths(said: Any, won: Any) -> list[Tenth]:
    place = np.minimum((said * 10).astype(np.int64), 9)
    found = []
    for tenth in range(10):
        here = place == tenth
        count = int(here.sum())
        found.append(Tenth(count, float(said[here].mean()), float(won[here].mean())) if count else Tenth(0, 0.0, 0.0))
    return found


def plot(title: str, tenths: Sequence[Tenth]) -> str:
    """What was said across, what was won upwards, as SVG. On the line, both are the same; the band is ± 3 points."""
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for tick in range(0, 11, 2):
        x, y = _at(tick / 10, tick / 10)
        parts += [_line(x, TOP, x, TOP + SIDE, "#dddddd"), _line(LEFT, y, LEFT + SIDE, y, "#dddddd")]
        parts += [_text(x, TOP + SIDE + 18, f"{10 * tick}%"), _text(LEFT - 24, y + 4, f"{10 * tick}%")]
    corners = [_at(0, 0.03), _at(0.97, 1), _at(1, 1), _at(1, 0.97), _at(0.03, 0), _at(0, 0)]
    band = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    parts.append(f'<polygon points="{band}" fill="#3b6fb6" fill-opacity="0.15"/>')
    parts.append(_line(*_at(0, 0), *_at(1, 1), "#3b6fb6"))
    for tenth in tenths:
        if tenth.positions:
            x, y = _at(tenth.said, tenth.won)
            told = f"said {tenth.said:.1%}, won {tenth.won:.1%}, {tenth.positions:,} positions"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#c8553d"><title>{told}</title></circle>')
    parts.append(_text(LEFT + SIDE / 2, HEIGHT - 10, "what the judge says"))
    parts.append(_text(LEFT + SIDE / 2, TOP - 6, f"{escape(title)}: what is won"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
    return head + f'font-family="sans-serif" font-size="13" aria-label="{escape(title)}">{"".join(parts)}</svg>\n'


def _at(across: float, up: float) -> tuple[float, float]:
    return LEFT + SIDE * across, TOP + SIDE * (1 - up)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="#333333">{words}</text>'
