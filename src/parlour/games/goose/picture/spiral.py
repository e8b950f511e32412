"""The shape of the board: a spiral that winds inwards from the start, which is at the bottom left.

╭─────────────╮
│ ╭─────────╮ │    The middle of the path keeps a distance from a rectangle in the middle of the board, round
│ │ ╭─────╮ │ │    whose corners it bends. Each turn round the rectangle brings it nearer by the width of the path,
│ │ │     │ │ │    so that the rounds of the spiral touch. How far along the path something is, is told in turns;
│ │ ╰ 63  │ │ │    positions and sizes are in units of the picture.
│ ╰───────╯ │ │
╰───────────╯ │
0 ────────────╯
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import accumulate, pairwise
from math import cos, dist, pi, sin

from parlour.games.goose.state.spaces import END, HAZARDS, START

Point = tuple[float, float]

MIDDLE = (471.0, 559.0)
HALF_WIDTH, HALF_HEIGHT = 84.0, 145.0  # of the rectangle in the middle
WIDTH = 112.0  # of the path
OUTSIDE = 395.0  # from the rectangle to the middle of the path where space 1 begins
BEND = 0.62 * OUTSIDE * pi / 2  # what a corner counts beside the straight sides: as much as in the second round
FIRST, LAST = 0.12, 2.88  # turns where space 1 begins, and where 62 ends
START_LENGTH = 0.17  # turns that the start takes
GOAL, PODIUM = (497.0, 586.0), (497.0, 694.0)  # the middle of 63, and where a piece stands there
STEPS = 3000  # in which the path is measured
HAZARD_LENGTH = 1.1  # of another space's


def nearest(turns: float) -> tuple[Point, float]:
    """The point of the rectangle that is nearest to the path, and the angle outwards from there."""
    x, y, angle = -HALF_WIDTH, HALF_HEIGHT, pi / 2
    along = turns % 1.0 * (4 * (HALF_WIDTH + HALF_HEIGHT) + 4 * BEND)
    for side in (2 * HALF_WIDTH, 2 * HALF_HEIGHT) * 2:
        straight, bent = min(along, side), min(max(along - side, 0), BEND)
        x, y, angle = x + sin(angle) * straight, y - cos(angle) * straight, angle - bent / BEND * pi / 2
        along -= straight + bent
        if not along:
            break
    return (x, y), angle


def at(turns: float, out: float = 0.0) -> Point:
    """The point that far along the path, and that far outwards from its middle."""
    (x, y), angle = nearest(turns)
    distance = OUTSIDE - WIDTH * turns + out
    return MIDDLE[0] + x + cos(angle) * distance, MIDDLE[1] + y + sin(angle) * distance


def heading(turns: float) -> float:
    """The angle in which the path goes there."""
    return nearest(turns)[1] - pi / 2


def line(first: float, last: float, out: float = 0.0) -> list[Point]:
    """A line along the path, that far outwards from its middle; from ``first`` to ``last``, either way."""
    count = max(2, round(abs(last - first) * 130))
    return [at(first + (last - first) * step / count, out) for step in range(count + 1)]


def along(turns: float, length: float) -> float:
    """Turns a little way on, or back, from there."""
    return turns + length * 1e-4 / dist(at(turns), at(turns + 1e-4 if length > 0 else turns - 1e-4))


def outline(space: int, inset: float) -> list[Point]:
    """The border of a space of the path, drawn in by so much."""
    first, last = extent(space)
    first, last, half = along(first, inset), along(last, -inset), WIDTH / 2 - inset
    return line(first, last, half) + line(last, first, -half)


def goal_outline(inset: float) -> list[Point]:
    """The border of 63: all that the last round of the path leaves free; the end of 62 is open towards it."""
    return [*line(LAST - 1, LAST, -WIDTH / 2 - inset), at(LAST, WIDTH / 2 - inset)]


def split(first: float, last: float, shares: list[float]) -> tuple[float, ...]:
    """Turns at which the path from ``first`` to ``last`` is to be cut, so that its lengths are as the shares."""
    turns = [first + (last - first) * step / STEPS for step in range(STEPS + 1)]
    lengths = list(accumulate((dist(at(one), at(other)) for one, other in pairwise(turns)), initial=0.0))
    cuts = list(accumulate(shares, initial=0.0))
    return tuple(turns[bisect_left(lengths, lengths[-1] * cut / cuts[-1] - 1e-6)] for cut in cuts)


@cache
def halves() -> tuple[float, ...]:
    """Turns where each space from 1 to 62 begins and where its middle is, in turn; and where 62 ends."""
    return split(FIRST, LAST, [HAZARD_LENGTH if space in HAZARDS else 1.0 for space in range(1, END) for _ in range(2)])


def extent(space: int) -> tuple[float, float]:
    """Turns where a space of the path begins and ends."""
    if space == START:
        return FIRST - START_LENGTH, FIRST
    return halves()[2 * space - 2], halves()[2 * space]


def middle(space: int) -> float:
    """Turns in the middle of a space of the path."""
    return FIRST - START_LENGTH / 2 if space == START else halves()[2 * space - 1]


def lean(space: int) -> float:
    """How far a space is turned from level or upright: 0 is not at all, 1 is halfway between."""
    return abs(sin(2 * heading(middle(space))))


@cache
def centre(space: int) -> Point:
    """The middle of a space: further out where the path bends, for there it is wider outside."""
    if space == END:
        return PODIUM
    turns = middle(space)
    return at(turns, lean(space) * WIDTH**2 / 12 / (OUTSIDE - WIDTH * turns))


@cache
def starting_places() -> tuple[Point, ...]:
    """Where the pieces stand on the start, the foremost first."""
    first, last = extent(START)
    return tuple(at(turns) for turns in split(first, last, [0.55, 1, 1, 1, 0.65])[4:0:-1])
