"""Whether what a judge says comes true: of all positions that it calls 70%, about 70% should be won."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from parlour.engine.compiled.judging import chances_seen
from parlour.engine.judge.arithmetic import FARTHEST, ONE, WHOLE
from parlour.engine.judge.curve import POINTS, STRAIGHT, Curve
from parlour.engine.judge.file import Judge
from parlour.lab.train.plan import make_plan, nature_of
from parlour.lab.train.self_play import GAMES, Player, compiled_self_play

QUOTA = 8192
NEWTON_STEPS = 12
BENDS = 1e-3  # the penalty on bends of a curve, for each position
LEAST = ONE // 16  # by which a curve rises from point to point
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

    @property
    def off(self) -> float:
        """The difference on average over all positions, tenth by tenth."""
        positions = sum(tenth.positions for tenth in self.tenths)
        return sum(tenth.positions * abs(tenth.said - tenth.won) for tenth in self.tenths) / max(positions, 1)


def calibrate(judge: Judge, positions: int, seed: int) -> Calibration:
    """Play the judge against itself, and compare what it says of each position with the result."""
    said, won, matches = results(judge, positions, seed)
    return Calibration(matches, _tenths(said, won))


def corrected(judge: Judge, positions: int, seed: int) -> Judge:
    """The same judge with a curve by which what it says fits what is won, where that makes it better.

    The curve is made from matches that the judge plays without it. With it, the judge prefers the same actions, but
    plays them more or less firmly, and so other things happen: the curve may fit these no more. Hence both play other
    matches, and the curve is kept only if what the judge says comes truer with it. The record tells.
    """
    plain = dataclasses.replace(judge, curve=STRAIGHT)
    said, won, _ = results(plain, positions // 2, seed)
    curved = dataclasses.replace(plain, curve=_rising(_fitting(_log_odds(said), won)))
    without, with_it = (calibrate(tried, positions // 4, seed + 1) for tried in (plain, curved))
    kept = with_it.off < without.off and with_it.worst <= without.worst
    told = {"kept": kept, "worst_with": round(with_it.worst, 4), "worst_without": round(without.worst, 4)}
    return dataclasses.replace(curved if kept else plain, record={**judge.record, "corrected": told})


def _log_odds(said: Any) -> Any:
    said = np.clip(said, 1e-6, 1 - 1e-6)
    return np.clip(np.log(said / (1 - said)), -FARTHEST, FARTHEST)


def _fitting(odds: Any, won: Any) -> Any:
    """The points of the curve that fits the results best: a logistic regression, with a penalty on bends.

    Between two points the curve is straight. Where there are hardly any results, it goes straight on.
    """
    at = (odds + FARTHEST) * (POINTS - 1) / (2 * FARTHEST)
    point = np.minimum(at.astype(np.int64), POINTS - 2)
    part = at - point
    bends = np.diff(np.eye(POINTS), 2, axis=0)
    penalty = BENDS * len(won) * bends.T @ bends
    curve = np.linspace(-FARTHEST, FARTHEST, POINTS)
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-(curve[point] * (1 - part) + curve[point + 1] * part)))
        error, weight = chance - won, chance * (1 - chance)
        slope, matrix = penalty @ curve, penalty + 1e-9 * np.eye(POINTS)
        for here, share in ((point, 1 - part), (point + 1, part)):
            slope += np.bincount(here, share * error, POINTS)
            matrix += np.diag(np.bincount(here, share * share * weight, POINTS))
        both = np.bincount(point, part * (1 - part) * weight, POINTS - 1)
        matrix += np.diag(both, 1) + np.diag(both, -1)
        curve = np.clip(curve - np.linalg.solve(matrix, slope), -FARTHEST, FARTHEST)
    return curve


def _rising(points: Any) -> Curve:
    """The points in whole numbers, each at least LEAST above the one before, and all within the farthest."""
    steps, rising = LEAST * np.arange(POINTS), np.rint(points * ONE).astype(np.int64)
    rising = np.maximum.accumulate(rising - steps) + steps
    low, high = -FARTHEST * ONE + steps, FARTHEST * ONE - steps[::-1]
    return tuple(np.clip(rising, low, high).tolist())


def results(judge: Judge, positions: int, seed: int) -> tuple[Any, Any, int]:
    """What the judge says of positions of its own matches, what was won, and how many matches there were."""
    game = judge.game
    plan = make_plan(game, seats=tuple(judge.seats), options=judge.record["options"], seed=seed, minutes=1)
    nature = nature_of(plan)
    play, player = compiled_self_play(game, judge.units), Player(game, judge.units, QUOTA, max(plan.seats))
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
    return np.concatenate(said), np.concatenate(won), matches


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
