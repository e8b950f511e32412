"""Where things lie in the picture, and the names that its parts share.

+----------------------+-----------+
| the maze around      | all of it |      the maze: 9 by 9 of its 25 by 25 blocks, the runner among them
| the runner           +-----------+      all of it: the whole maze in small, and the decks
|                      | the turn  |      the turn: dice, powers, cards to choose from
+------+------+------+-+----+------+
| a sheet for every runner         |
+----------+-----------+-----------+
| the shop                         |
+----------+-----------+-----------+

Where the picture stands upright, the maze stays as large as it is, with what the dice gave and the sheets below it. All
else is in a drawer, which opens over the maze.
"""

from __future__ import annotations

from parlour.engine.kit.places import Box
from parlour.engine.kit.shapes import text
from parlour.engine.picture import number, upright

SIZE = (1000.0, 1200.0)


MAZE = Box(12, 12, 676, 676)
MINIMAP = Box(728, 12, 232, 232)
DECKS = Box(700, 254, 288, 48)
TURN = Box(700, 312, 288, 376)
SHEETS = Box(12, 700, 976, 258)
SHOP = Box(12, 970, 976, 218)
GAP = 12

VIEW = 9  # blocks of the maze in view, each way
SHOWN = 72  # how large a block is
MARGIN = 28  # for the names of columns and rows

UPRIGHT = (700.0, 940.0)
SHRUNK = (UPRIGHT[0] - 24) / SHEETS.width  # what is as wide as the lying picture
DRAWER = Box(12, 240, 676, 456)

SMALL = 33  # no text that matters is smaller: 12 pixels on a phone of 360
LIGHT = "#f6ecd4"
MUTED = "#c8cfe2"
INK = "#3b2a1c"
DICE_COLOURS = ("#d8483f", "#2f7fd6", "#e0ac2f")


def row(box: Box, count: int) -> tuple[Box, ...]:
    """The box cut into so many beside each other."""
    return tuple(box.row(count, GAP))


def panel(box: Box, fill: str, **attributes: object) -> str:
    """A rounded panel with its shadow."""
    shadow = box._replace(y=box.y + 4).drawn(rx=18, fill="#0b0e18", opacity=0.45)
    return shadow + box.drawn(rx=18, fill=fill, **attributes)


def art(name: str, x: float, y: float, scale: float = 1) -> str:
    """A drawing of the backdrop's, centred on the point."""
    size = f" scale({number(scale)})" if scale != 1 else ""
    return f'<use href="#mazerunner-{name}" transform="translate({number(x)} {number(y)}){size}"/>'


def words(content: object, x: float, y: float, size: float = SMALL, fill: str = LIGHT, **attributes: object) -> str:
    return text(content, x, y, size, fill, **attributes)


def moved(box: Box, x: float, y: float, scale: float = 1) -> str:
    """For ``data_upright``: so large, with the upper left corner of the box at that point."""
    return upright(transform=f"translate({x - box.x * scale:.2f} {y - box.y * scale:.2f})scale({scale:.4f})")


def standing(box: Box, x: float, y: float, *drawn: str, scale: float = 1) -> list[str]:
    """Parts of a scene that lie elsewhere where the picture stands upright."""
    return [f'<g data-upright="{moved(box, x, y, scale)}">', *drawn, "</g>"]
