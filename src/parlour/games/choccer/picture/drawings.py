"""Choccer's pieces and gems as shapes, drawn once as ``<defs>`` and put on the board by ``stamp``.

Black's pieces are dark with a square setting, White's ivory with a round one: nobody needs to see colours to tell them
apart. A gem sits in the setting of the piece that holds it; a blue one has six corners, the red one four.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from parlour.engine.kit.art import drawings
from parlour.engine.kit.colours import gradient
from parlour.engine.kit.shapes import closed, path
from parlour.engine.picture import group, number, tag
from parlour.games.choccer.seats import MATERIALS, NAMES
from parlour.games.choccer.state import BLACK, BLUE, CIRCLE, CLOVER, KIND_NAMES, RED, STAR, TRIANGLE, WHITE

GEM_COLOURS = {BLUE: "blue", RED: "red"}


def _star(outer: float, inner: float, middle: float) -> str:
    """Five points around (0, middle), the first of them on top."""
    turns = [(outer if corner % 2 == 0 else inner, corner * pi / 5) for corner in range(10)]
    return closed([(radius * sin(turn), middle - radius * cos(turn)) for radius, turn in turns])


# Around (0, 0), some 56 units wide before the rounded edge is added. A clover's leaves point where it goes.
SHAPES = {
    CIRCLE: "M0 -26A26 26 0 0 1 0 26A26 26 0 0 1 0 -26Z",
    TRIANGLE: closed([(0, -28), (29, 21), (-29, 21)]),
    CLOVER: "M-12 -12A13.5 13.5 0 1 1 12 -12A13.5 13.5 0 1 1 12 12A13.5 13.5 0 1 1 -12 12A13.5 13.5 0 1 1 -12 -12Z",
    STAR: _star(32, 17, 2),
}

GEM_SHAPES = {BLUE: "M-12 -21H12L24 0L12 21H-12L-24 0Z", RED: "M0 -29L27 0L0 29L-27 0Z"}


def piece_name(seat: int, kind: int) -> str:
    """What a piece's drawing is called in ``<defs>``."""
    return f"choccer-{NAMES[seat].lower()}-{KIND_NAMES[kind]}"


def gem_name(gem: int) -> str:
    """What a gem's drawing is called in ``<defs>``."""
    return f"choccer-{GEM_COLOURS[gem]}-gem"


def stamp(name: str, x: float = 0, y: float = 0, scale: float = 1, data_upright: str | None = None) -> str:
    """The drawing of that name, around a point."""
    return tag("use", href=f"#{name}", transform=moved(x, y, scale) or None, data_upright=data_upright)


def moved(x: float, y: float, scale: float = 1) -> str:
    """What moves a drawing to a point."""
    moved = f"translate({number(x)} {number(y)})" if x or y else ""
    return f"{moved}scale({number(scale)})" if scale != 1 else moved


def definitions() -> str:
    """All that is stamped, and the gradients that the picture needs."""
    faces = [
        gradient(f"choccer-{NAMES[seat].lower()}-face", *MATERIALS[seat].face, x1=0.2, x2=0.8)
        for seat in (BLACK, WHITE)
    ]
    pieces = [_piece(seat, kind) for seat in (BLACK, WHITE) for kind in SHAPES]
    return tag("defs", drawings(__package__, "art.svg"), *faces, *pieces)


def _piece(seat: int, kind: int) -> str:
    """From below: shadow, side, edge, face, a groove along the edge, and the setting for a gem."""
    material, shape = MATERIALS[seat], SHAPES[kind]
    face = f"url(#choccer-{NAMES[seat].lower()}-face)"

    def layer(fill: str, width: float, **attributes: object) -> str:
        return path(shape, fill, stroke=fill, stroke_width=width, stroke_linejoin="round", **attributes)

    edge: dict[str, Any] = {"stroke": material.groove, "stroke_width": 2.5, "stroke_linejoin": "round"}
    layers = (
        layer("#06180b", 10, transform="translate(4 9)", opacity=0.34),
        layer(material.side, 11, transform="translate(0 5)"),
        layer(material.edge, 11),
        layer(face, 6),
        path(shape, **edge, transform="scale(.8)"),
        path(material.setting, material.hollow, **edge),
    )
    return group(layers, id=piece_name(seat, kind), transform="scale(1.1)")
