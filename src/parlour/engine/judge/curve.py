"""The curve of a judge: what the logarithm of the odds that it works out really stands for.

A network learns which of two positions is better sooner than how much better it is. So every judge has a curve, which
is fitted at the end of its training: for log-odds of -8, -7.5 and so on up to 8, the log-odds that came true. It always
rises, so that what a judge prefers stays the same. ``chance_table`` is the one place where it is applied.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from itertools import pairwise

from parlour.engine.judge.arithmetic import FARTHEST, KNOTS, ONE, WHOLE

Curve = tuple[int, ...]

POINTS = 4 * FARTHEST + 1
EACH = KNOTS // (POINTS - 1)  # knots of the table from one point of the curve to the next
STRAIGHT: Curve = tuple(range(-FARTHEST * ONE, FARTHEST * ONE + 1, ONE // 2))
"""The curve that corrects nothing. ``ONE`` stands for 1 here too."""


def is_curve(points: object) -> bool:
    """Whether these are the points of a curve: so many whole numbers, each larger than the one before."""
    if not isinstance(points, list | tuple) or len(points) != POINTS or any(type(point) is not int for point in points):
        return False
    rises = all(low < high for low, high in pairwise(points))
    return rises and points[0] >= -FARTHEST * ONE and points[-1] <= FARTHEST * ONE


@cache
def chance_table(curve: Curve) -> tuple[int, ...]:
    """The chance at every knot. Decimals are the same on every machine, which a library's exponential need not be."""
    with localcontext() as context:
        context.prec = 30
        odds = (_between(curve, knot) for knot in range(KNOTS + 1))
        return tuple(round(WHOLE / (1 + (-each).exp())) for each in odds)


def _between(curve: Curve, knot: int) -> Decimal:
    """The curve at a knot of the table."""
    point, part = divmod(knot, EACH)
    following = curve[min(point + 1, POINTS - 1)]
    return Decimal(curve[point] * (EACH - part) + following * part) / (EACH * ONE)
