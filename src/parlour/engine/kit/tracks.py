"""Tracks on which something goes on step by step, and counters that say how much there is.

spaces = along([(40, 200), (400, 200), (400, 60)], 20)      so many points along a line, evenly apart
spaces = spiral((300, 300), 63, first=40, last=260, turns=3)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, dist, pi, sin

from parlour.engine.kit.places import Box, Point
from parlour.engine.kit.shapes import box, fitted, line, placed, text
from parlour.engine.picture import number

LETTERS = 0.55  # of its size, which a letter is wide


def along(line: Sequence[tuple[float, float]], count: int) -> list[Point]:
    """So many points along a line with corners, evenly apart from its beginning to its end."""
    lengths = [dist(*ends) for ends in pairwise(line)]
    found, side, before = [], 0, 0.0
    for place in range(count):
        way = sum(lengths) * place / max(count - 1, 1)
        while side < len(lengths) - 1 and way > before + lengths[side]:
            before += lengths[side]
            side += 1
        part = (way - before) / (lengths[side] or 1)
        (x1, y1), (x2, y2) = line[side], line[side + 1]
        found.append(Point(x1 + part * (x2 - x1), y1 + part * (y2 - y1)))
    return found


def spiral(middle: tuple[float, float], count: int, *, first: float, last: float, turns: float) -> list[Point]:
    """So many points on a spiral round a point, from one distance to another, evenly apart."""
    steps = 60 * count
    rounds = [(first + (last - first) * step / steps, 2 * pi * turns * step / steps) for step in range(steps + 1)]
    return along([(middle[0] + far * cos(angle), middle[1] + far * sin(angle)) for far, angle in rounds], count)


def road(points: Iterable[tuple[float, float]], colour: str, width: float) -> str:
    """The road through these points."""
    d = "".join(f"{'L' if place else 'M'}{number(x)} {number(y)}" for place, (x, y) in enumerate(points))
    return line(d, colour, width)


def counter(where: Box, words: str, count: object, *, icon: str = "", name: str = "", ink: str = "#3a2a1e") -> str:
    """How much there is of something: a drawing about 60 wide, what it is, and the number. Words keep to their room."""
    size = where.height * 0.42
    left = where.x + (where.height if icon else where.height * 0.3)
    room = where.x + where.width - left - where.height * 0.9
    drawn = [
        box(*where, "#fffaf0", rx=where.height * 0.25, stroke=ink, stroke_width=1.5, data_what=name or None),
        placed(where.x + where.height / 2, where.middle.y, icon, scale=where.height / 84) if icon else "",
        text(
            words,
            left,
            where.middle.y,
            size,
            ink,
            text_anchor="start",
            **fitted(words, int(room / size / LETTERS), room),
        ),
        text(count, where.x + where.width - where.height * 0.45, where.middle.y, size * 1.2, ink),
    ]
    return "".join(drawn)


def market(
    where: Box, cards: Sequence[str], names: Sequence[str], words: Sequence[str], *, wide: float, gap: float = 12
) -> str:
    """A row of open cards, each drawn around (0, 0) and ``wide`` units wide, that can be picked by these names."""
    drawn = []
    for room, card, name, said in zip(where.row(len(cards), gap), cards, names, words, strict=True):
        drawn += [
            placed(*room.middle, card, scale=min(room.width / wide, where.height / (1.4 * wide))),
            room.spot(name, said),
        ]
    return "".join(drawn)
