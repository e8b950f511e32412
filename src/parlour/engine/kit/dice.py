"""Dice with pips, 56 units wide, around (0, 0)."""

from __future__ import annotations

from parlour.engine.kit.places import around
from parlour.engine.kit.shapes import circle

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die(value: int, face: str = "#ffffff", edge: str = "#a89f8a", ink: str = "#3a2a1e") -> str:
    """A die that shows so many pips, with its shadow. ``face`` is a colour or a gradient."""
    square = around((0, 0), 56, 56)
    return "".join(
        (
            square.drawn(rx=13, transform="translate(3 5)", fill="#000000", opacity=0.4),
            square.drawn(rx=13, fill=face, stroke=edge, stroke_width=2),
            *(circle(15 * x, 15 * y, 5.6, ink) for x, y in PIPS[value]),
        )
    )
