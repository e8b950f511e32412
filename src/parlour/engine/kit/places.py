"""Where things lie in a picture, as points and boxes."""

from __future__ import annotations

from typing import NamedTuple

from parlour.engine.picture import tag


class Point(NamedTuple):
    x: float
    y: float


class Box(NamedTuple):
    """A part of the picture: its upper left corner, and how large it is."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def inset(self, by: float) -> Box:
        """The box within, so far from every edge; around it, where that is below 0."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def row(self, count: int, gap: float) -> list[Box]:
        """So many boxes side by side, with gaps between them."""
        width = (self.width - (count - 1) * gap) / count
        return [self._replace(x=self.x + place * (width + gap), width=width) for place in range(count)]

    def drawn(self, **attributes: object) -> str:
        """The box as a rectangle."""
        return tag("rect", **self._asdict(), **attributes)

    def spot(self, name: str, words: str, **attributes: object) -> str:
        """The box as something that can be picked: its name, and what a screen reader says of it."""
        return self.drawn(fill="transparent", data_spot=name, aria_label=words, **attributes)


def around(middle: tuple[float, float], width: float, height: float) -> Box:
    """The box of that size around a point."""
    return Box(middle[0] - width / 2, middle[1] - height / 2, width, height)
