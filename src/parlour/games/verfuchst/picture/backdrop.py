"""What never changes in the picture of Verfuchst: the meadow, the trail, the start, the goal, empty hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, label, number, tag
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.picture.drawings import SHADOW, definitions, fill, use
from parlour.games.verfuchst.picture.layout import (
    HAND_HEAD,
    HAND_INSET,
    HANDS_TOP,
    PAD,
    PLACES,
    SIZE,
    TILE,
    hand_box,
)
from parlour.games.verfuchst.seats import COLOURS
from parlour.games.verfuchst.state.tiles import GOAL, START

BEND = 78  # how far the trail swings out where it turns
PINES = (
    (40, 186, 1.0),
    (962, 316, 1.0),
    (40, 452, 0.9),
    (962, 586, 1.0),
    (40, 722, 1.0),
    (966, 846, 0.7),
    (34, 860, 0.6),
)
TUFTS = ((348, 166), (652, 298), (196, 298), (804, 432), (500, 434), (272, 566), (652, 567), (424, 702), (800, 700))
MUSHROOMS = ((500, 168), (350, 432), (728, 566), (576, 702))
FLOWERS = ((730, 164), (424, 300), (196, 434), (880, 166), (500, 568), (120, 566), (652, 704))


@cache_spoken
def draw(seats: int) -> str:
    """The board with nothing on it."""
    return definitions() + "".join((meadow(), trail(), start(), goal(), *hollows(), *hands(seats)))


def meadow() -> str:
    width, height = SIZE
    hills = (
        tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill="#8fbf7a", opacity=0.16)
        for x, y, rx, ry in ((220, 190, 330, 130), (800, 420, 300, 150), (240, 660, 340, 120), (760, 800, 260, 90))
    )
    things = (
        *(tuft(*place) for place in TUFTS),
        *(flower(*place) for place in FLOWERS),
        *(mushroom(*place) for place in MUSHROOMS),
        *(pine(*place) for place in PINES),
    )
    board = tag("rect", x=0, y=0, width=width, height=height, rx=38, fill=fill("meadow"))
    return board + group(hills) + trail_bed() + group(things)


@cache
def trail_line() -> str:
    """The line of the trail through all places, turning at the ends of the rows."""
    x, y = PLACES[START]
    line = f"M{number(x)} {number(y)}"
    for tile in range(START + 1, GOAL + 1):
        before, place = PLACES[tile - 1], PLACES[tile]
        if before.x == place.x:
            out = place.x + (BEND if place.x > SIZE[0] / 2 else -BEND)
            line += f"C{number(out)} {before.y} {number(out)} {place.y} {place.x} {place.y}"
        else:
            middle = number((before.x + place.x) / 2)
            line += f"C{middle} {number(before.y)} {middle} {number(place.y)} {number(place.x)} {number(place.y)}"
    return line


def trail_bed() -> str:
    """The dark edge of the trail, below whatever grows beside it."""
    return tag(
        "path", d=trail_line(), fill="none", stroke="#23452f", stroke_width=74, stroke_linejoin="round", opacity=0.55
    )


def trail() -> str:
    def stroke(colour: str, width: float, **more: object) -> str:
        return tag("path", d=trail_line(), fill="none", stroke=colour, stroke_width=width, **more)

    return (
        stroke("#a07f4e", 60, stroke_linejoin="round")
        + stroke("#dcc08d", 52, stroke_linejoin="round")
        + group(
            arrows(), fill="none", stroke="#94703c", stroke_width=5, stroke_linecap="round", stroke_linejoin="round"
        )
    )


def arrows() -> Iterator[str]:
    """Between any two tiles, which way the trail goes."""
    for before, place in pairwise(PLACES):
        x, y, turn = (before.x + place.x) / 2, (before.y + place.y) / 2, 0 if place.x > before.x else 180
        if before.x == place.x:
            x, turn = x + 0.75 * (BEND if x > SIZE[0] / 2 else -BEND), 90
        yield tag("path", d="M-5 -9L5 0L-5 9", transform=f"translate({number(x)} {number(y)}) rotate({turn})")


def hollows() -> Iterator[str]:
    """What a taken tile leaves behind: its print in the sand, with its number."""
    width, height = TILE
    for tile in range(START + 1, GOAL):
        x, y = PLACES[tile]
        yield group(
            (
                tag(
                    "rect",
                    x=10 - width / 2,
                    y=10 - height / 2,
                    width=width - 20,
                    height=height - 20,
                    rx=24,
                    fill="#b7945c",
                    stroke="#8d6c3a",
                    stroke_width=3,
                    stroke_dasharray="9 8",
                ),
                label(tile, x=0, y=1, font_size=34, fill="#7a5b2c"),
            ),
            transform=f"translate({number(x)} {number(y)})",
            opacity=0.75,
            data_what=tile,
        )


def pad(tile: int, *things: str) -> str:
    """The start or the goal: a clearing as wide as two tiles."""
    width, height = PAD
    box = {"x": -width / 2, "y": -height / 2, "width": width, "height": height, "rx": 46}
    return group(
        (
            tag("rect", **box, transform="translate(3 9)", fill=SHADOW, opacity=0.35),
            tag("rect", **box, fill=fill("sand"), stroke="#8d6c3a", stroke_width=4),
            *things,
        ),
        transform=f"translate({number(PLACES[tile].x)} {number(PLACES[tile].y)})",
    )


def start() -> str:
    """A clearing with a signpost that points along the trail."""
    post = tag("rect", x=-7, y=-60, width=10, height=66, rx=4, fill="#7a4f2a")
    board = "M-70 -70h118l22 20l-22 20h-118q-6 0 -6 -6v-28q0 -6 6 -6z"
    sign = (
        tag("path", d=board, transform="translate(3 5)", fill=SHADOW, opacity=0.35),
        tag("path", d=board, fill="#b67a43", stroke="#6b4220", stroke_width=3, stroke_linejoin="round"),
        tag("path", d="M-66 -62h108M-66 -38h108", stroke="#94602f", stroke_width=2),
    )
    return pad(
        START, post, *sign, label(GAME.said("START"), x=-10, y=-49, font_size=33, font_weight="bold", fill="#fff3d8")
    )


def goal() -> str:
    """A clearing before a house in a hill, with a round door."""
    hill = "M-126 40Q-118 -68 0 -72Q118 -68 126 40Z"
    house = (
        tag("path", d=hill, transform="translate(3 7)", fill=SHADOW, opacity=0.3),
        tag("path", d=hill, fill="#6fa75f", stroke="#2f6238", stroke_width=4),
        tag(
            "path", d="M-104 -16Q-84 -54 -22 -60", fill="none", stroke="#a6d18c", stroke_width=6, stroke_linecap="round"
        ),
        tag("circle", cx=-74, cy=-10, r=31, fill="#8a5a2f", stroke="#5b3718", stroke_width=5),
        tag("path", d="M-74 -39v58M-92 -34v48M-56 -34v48", stroke="#6d431f", stroke_width=3),
        tag("circle", cx=-55, cy=-10, r=4, fill="#ffd34d"),
    )
    return pad(GOAL, *house, label(GAME.said("GOAL"), x=16, y=-48, font_size=34, font_weight="bold", fill="#f6ffe8"))


def hands(seats: int) -> Iterator[str]:
    """The lower edge of the table, a place for the tiles of each seat."""
    width, height = SIZE
    shelf = f"M0 {HANDS_TOP - 14}h{width}V{height - 38}q0 38 -38 38H38q-38 0 -38 -38z"
    yield tag("path", d=shelf, fill="#1d3a2c")
    yield tag("rect", x=0, y=HANDS_TOP - 14, width=width, height=5, fill="#ffffff", opacity=0.12)
    for seat in range(seats):
        box = hand_box(seat, seats)
        yield tag("rect", **box._asdict(), rx=22, fill=fill("hand"), stroke=COLOURS[seat].dark, stroke_width=4)
        middle = f"translate({number(box.x + box.width / 2)} {number(box.y + 176)}) scale(2.4)"
        yield use(f"pawn-{seat}", transform=middle, opacity=0.1)
        yield tag(
            "rect",
            x=box.x + HAND_INSET,
            y=box.y + HAND_HEAD - 7,
            width=box.width - 2 * HAND_INSET,
            height=3,
            rx=1.5,
            fill=COLOURS[seat].light,
            opacity=0.5,
        )


def pine(x: float, y: float, scale: float) -> str:
    layers = (
        tag("path", d=f"M0 {top}L{reach} {top + 46}Q0 {top + 54} {-reach} {top + 46}Z", fill=colour)
        for top, reach, colour in ((-42, 36, "#1f4d38"), (-66, 29, "#27603f"), (-88, 21, "#31744a"))
    )
    shade = tag("ellipse", cx=4, cy=16, rx=24, ry=7, fill=SHADOW, opacity=0.35)
    trunk = tag("rect", x=-6, y=0, width=12, height=18, rx=3, fill="#6b4423")
    return group((shade, trunk, *layers), transform=f"translate({x} {y}) scale({scale})")


def tuft(x: float, y: float) -> str:
    blades = "M-14 8Q-12 -6 -18 -14Q-6 -6 -5 8ZM-6 8Q-4 -12 0 -22Q5 -8 6 8ZM5 8Q8 -6 18 -13Q13 -2 15 8Z"
    return tag("path", d=blades, transform=f"translate({x} {y})", fill="#86bd6b")


def mushroom(x: float, y: float) -> str:
    parts = (
        tag("path", d="M-6 -2h12l2 16q-8 5 -16 0z", fill="#f4e6cf"),
        tag("path", d="M-19 0Q-17 -20 0 -20Q17 -20 19 0Q0 6 -19 0Z", fill="#cf3f31"),
        *(
            tag("circle", cx=dx, cy=dy, r=r, fill="#fff4e6")
            for dx, dy, r in ((-9, -7, 3.2), (1, -13, 3), (10, -6, 2.6))
        ),
    )
    return group(parts, transform=f"translate({x} {y})")


def flower(x: float, y: float) -> str:
    petals = (tag("circle", cx=dx, cy=dy, r=4.6) for dx, dy in ((0, -6), (6, -1.5), (3.5, 5), (-3.5, 5), (-6, -1.5)))
    parts = (group(petals, fill="#fbe9f2"), tag("circle", cx=0, cy=0, r=3.6, fill="#f4bf3a"))
    return group(parts, transform=f"translate({x} {y})")
