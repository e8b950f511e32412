"""What never changes in the picture of Verfuchst: the meadow, the trail, the start, the goal, empty hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from parlour.engine.kit.places import Box, around
from parlour.engine.kit.shapes import at, box, ellipse, line, path, placed, rimmed, text
from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, number
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.picture.drawings import SHADOW, definitions, fill, use
from parlour.games.verfuchst.picture.layout import HAND_HEAD, HAND_INSET, HANDS_TOP, PAD, PLACES, SIZE, TILE, hand_box
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
GROWING = {"tuft": TUFTS, "flower": FLOWERS, "mushroom": MUSHROOMS}


@cache_spoken
def draw(seats: int) -> str:
    """The board with nothing on it."""
    return definitions() + "".join((meadow(), trail(), start(), goal(), *hollows(), *hands(seats)))


def meadow() -> str:
    width, height = SIZE
    hills = (
        ellipse(x, y, rx, ry, "#8fbf7a", opacity=0.16)
        for x, y, rx, ry in ((220, 190, 330, 130), (800, 420, 300, 150), (240, 660, 340, 120), (760, 800, 260, 90))
    )
    things = [use(name, transform=at(x, y)) for name, places in GROWING.items() for x, y in places]
    pines = [use("pine", transform=f"{at(x, y)} scale({scale})") for x, y, scale in PINES]
    board = box(0, 0, width, height, fill("meadow"), rx=38)
    return board + group(hills) + trail_bed() + group((*things, *pines))


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
    return path(trail_line(), stroke="#23452f", stroke_width=74, stroke_linejoin="round", opacity=0.55)


def trail() -> str:
    edge = path(trail_line(), stroke="#a07f4e", stroke_width=60, stroke_linejoin="round")
    sand = path(trail_line(), stroke="#dcc08d", stroke_width=52, stroke_linejoin="round")
    return edge + sand + "".join(arrows())


def arrows() -> Iterator[str]:
    """Between any two tiles, which way the trail goes."""
    for before, place in pairwise(PLACES):
        x, y, turn = (before.x + place.x) / 2, (before.y + place.y) / 2, 0 if place.x > before.x else 180
        if before.x == place.x:
            x, turn = x + 0.75 * (BEND if x > SIZE[0] / 2 else -BEND), 90
        yield line("M-5 -9L5 0L-5 9", "#94703c", 5, transform=f"{at(x, y)} rotate({turn})")


def hollows() -> Iterator[str]:
    """What a taken tile leaves behind: its print in the sand, with its number."""
    edge = {"stroke": "#8d6c3a", "stroke_width": 3, "stroke_dasharray": "9 8"}
    dent = around((0, 0), *TILE).inset(10).drawn(rx=24, fill="#b7945c", opacity=0.75, **edge)
    for tile in range(START + 1, GOAL):
        number = text(tile, 0, 1, 34, "#44300f", font_weight=None)
        yield placed(*PLACES[tile], dent, number, data_what=tile)


def pad(tile: int, *things: str) -> str:
    """The start or the goal: a clearing as wide as two tiles."""
    ground = around((0, 0), *PAD)
    return placed(
        *PLACES[tile],
        ground.drawn(rx=46, transform="translate(3 9)", fill=SHADOW, opacity=0.35),
        ground.drawn(rx=46, fill=fill("sand"), stroke="#8d6c3a", stroke_width=4),
        *things,
    )


def start() -> str:
    """A clearing with a signpost that points along the trail."""
    return pad(START, use("signpost"), text(GAME.said("START"), -10, -49, 33, "#fff3d8", **rimmed("#5b3714")))


def goal() -> str:
    """A clearing before a house in a hill, with a round door."""
    return pad(GOAL, use("house"), text(GAME.said("GOAL"), 16, -48, 34, "#f6ffe8", **rimmed("#285c2c")))


def hands(seats: int) -> Iterator[str]:
    """The lower edge of the table, a place for the tiles of each seat."""
    width, height = SIZE
    shelf = f"M0 {HANDS_TOP - 14}h{width}V{height - 38}q0 38 -38 38H38q-38 0 -38 -38z"
    yield path(shelf, "#1d3a2c")
    yield box(0, HANDS_TOP - 14, width, 5, "#ffffff", opacity=0.12)
    for seat in range(seats):
        hand = hand_box(seat, seats)
        yield hand.drawn(rx=22, fill=fill("hand"), stroke=COLOURS[seat].dark, stroke_width=4)
        yield use(f"pawn-{seat}", transform=f"{at(hand.middle.x, hand.y + 176)} scale(2.4)", opacity=0.1)
        rule = Box(hand.x + HAND_INSET, hand.y + HAND_HEAD - 7, hand.width - 2 * HAND_INSET, 3)
        yield rule.drawn(rx=1.5, fill=COLOURS[seat].light, opacity=0.5)
