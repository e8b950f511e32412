"""Shapes and text. Coordinates come first, then the colour; whatever else SVG knows is given by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from parlour.engine.picture import group, label, number, tag


def path(d: str, fill: str = "none", **attributes: object) -> str:
    return tag("path", d=d, fill=fill, **attributes)


def line(d: str, colour: str, width: float, **attributes: object) -> str:
    """A line along a path, with round ends and corners."""
    round_ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return tag("path", d=d, fill="none", stroke=colour, stroke_width=width, **round_ends | attributes)


def circle(x: float, y: float, r: float, fill: str, **attributes: object) -> str:
    return tag("circle", cx=x, cy=y, r=r, fill=fill, **attributes)


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, **attributes: object) -> str:
    return tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **attributes)


def box(x: float, y: float, width: float, height: float, fill: str, **attributes: object) -> str:
    """A rectangle; ``rx`` makes its corners round."""
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def closed(corners: Iterable[tuple[float, float]]) -> str:
    """The path through some points and back to the first."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def at(x: float, y: float) -> str:
    """The transform that moves a drawing to a point."""
    return f"translate({number(x)} {number(y)})"


def placed(x: float, y: float, *children: str, scale: float = 1.0, flip: bool = False, **attributes: object) -> str:
    """A drawing put in its place, larger or smaller, looking the other way."""
    grown = f" scale({number(-scale if flip else scale)} {number(scale)})" if flip or scale != 1 else ""
    return group(children, **attributes, transform=at(x, y) + grown)


def text(content: object, x: float, y: float, size: float, fill: str, **attributes: object) -> str:
    """Bold text around a point."""
    return label(content, x=x, y=y, font_size=size, fill=fill, **{"font_weight": "bold", **attributes})


def rimmed(colour: str, width: float = 8) -> dict[str, Any]:
    """For a text over something motley: a rim around its letters, which they stand out from wherever they are."""
    return {"stroke": colour, "stroke_width": width, "stroke_linejoin": "round", "paint_order": "stroke"}


def fitted(words: str, letters: int, width: float) -> dict[str, Any]:
    """How a text that is longer than so many letters keeps to a width, however wide the page's letters are."""
    return {"textLength": number(width), "lengthAdjust": "spacingAndGlyphs"} if len(words) > letters else {}
