"""What never changes: the ground, the panels, and the drawings that the scene uses by name."""

from __future__ import annotations

from functools import cache

from parlour.engine.kit.art import drawings
from parlour.engine.kit.places import Box
from parlour.engine.kit.shapes import at, ellipse
from parlour.engine.picture import group, number, tag, upright
from parlour.games.mazerunner.picture.layout import (
    MARGIN,
    MAZE,
    MINIMAP,
    SHEETS,
    SHOWN,
    SHRUNK,
    SIZE,
    TURN,
    UPRIGHT,
    VIEW,
    moved,
    panel,
    row,
    words,
)
from parlour.games.mazerunner.seats import COLOURS, INKS, LETTERS, NAMES

# One outline for each seat, so that nobody needs the colours: round, square, three and four corners.
SEAT_SHAPES = (
    '<circle r="21"',
    '<rect x="-20" y="-20" width="40" height="40" rx="8"',
    '<path d="M0 -25L24 18H-24Z" stroke-linejoin="round"',
    '<path d="M0 -26L26 0L0 26L-26 0Z" stroke-linejoin="round"',
)


@cache
def draw(seats: int) -> str:
    boxes = row(SHEETS, seats)
    sheets = [panel(box, "url(#mazerunner-panel)", data_what=f"sheet-{seat}") for seat, box in enumerate(boxes)]
    ground = upright(width=UPRIGHT[0], height=UPRIGHT[1])
    return "".join(
        (
            tag("defs", drawings(__package__, "art.svg"), view(), *map(seat_sign, range(len(NAMES)))),
            tag("rect", width=SIZE[0], height=SIZE[1], rx=28, fill="url(#mazerunner-ground)", data_upright=ground),
            panel(MAZE, "url(#mazerunner-fog)", data_what="fog"),
            clouds(),
            group(
                (panel(MINIMAP, "#161b2b", data_what="map"), panel(TURN, "url(#mazerunner-panel)", data_what="turn")),
                data_upright=upright(display="none"),
            ),
            group(sheets, data_upright=moved(SHEETS, 12, 748, SHRUNK)),
        )
    )


def view() -> str:
    """What of the maze is shown."""
    return tag("clipPath", Box(MAZE.x + 20, MAZE.y + 20, 656, 656).drawn(rx=8), id="mazerunner-view")


def seat_sign(seat: int) -> str:
    """The seat's outline and letter, with a shadow below and a shine above."""
    shape, colour = SEAT_SHAPES[seat], COLOURS[seat]
    middle = 6 if seat == 2 else 1
    return (
        f'<g id="mazerunner-seat-{seat}"><g transform="translate(0 4)">{shape} fill="#000" opacity=".4"/></g>'
        f'{shape} fill="{colour}" stroke="#fff" stroke-width="4"/>{shape} fill="url(#mazerunner-shine)"/>'
        + words(LETTERS[seat], 0, middle, 27, INKS[seat])
        + "</g>"
    )


def clouds() -> str:
    """Soft banks of fog, a compass rose behind them, and a faint dot at every corner of a block."""
    banks = ((150, 130, 150), (560, 150, 170), (330, 300, 210), (110, 480, 160), (570, 420, 150), (380, 610, 180))
    fog = [ellipse(x, y, width, width * 0.45, "url(#mazerunner-bank)") for x, y, width in banks]
    dots = "".join(
        f"M{number(MAZE.x + MARGIN + column * SHOWN)} {number(MAZE.y + MARGIN + line * SHOWN)}h.1"
        for column in range(VIEW + 1)
        for line in range(VIEW + 1)
    )
    grid = f'<path d="{dots}" stroke="#8b97bd" stroke-opacity=".5" stroke-width="4" stroke-linecap="round"/>'
    rose = tag("use", href="#mazerunner-rose", transform=at(588, 588), opacity=0.22)
    return rose + "".join(fog) + grid
