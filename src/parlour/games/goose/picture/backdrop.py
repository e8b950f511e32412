"""What never changes in a picture of the Goose: the meadow, the path with what its spaces show, and the goal."""

from __future__ import annotations

from math import cos, degrees, pi, sin
from typing import Any

from parlour.engine.kit.art import drawings as read_art
from parlour.engine.kit.colours import gradient
from parlour.engine.kit.shapes import box, circle, closed, ellipse, fitted, line, path, placed, rimmed, text
from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, number, tag
from parlour.games.goose import GAME
from parlour.games.goose.picture import spiral
from parlour.games.goose.picture.drawings import CREAM, DARK_GOLD, INK, art, ribbon
from parlour.games.goose.seats import FEATHERS
from parlour.games.goose.state import spaces
from parlour.games.goose.state.spaces import END, HAZARDS, START, is_goose, is_hazard

SIZE = (1000, 1170)
PLAIN = ("#fdf4da", "#f8e9c4")  # in turn
MEADOW, POND, DUSK, DARK_WOOD = "#d3e5a6", "#b5dfe9", "#54498a", "#6d4423"
HAZARD_GROUNDS = {
    spaces.BRIDGE: "#cfe6b5",
    spaces.HOTEL: DUSK,
    spaces.WELL: "#dcebb9",
    spaces.MAZE: "#dfe9b4",
    spaces.PRISON: "#d8cfc6",
    spaces.DEATH: "#5a4a6b",
    spaces.DRINK: "#f7d9a3",
}
HAZARD_DRAWINGS = {
    spaces.BRIDGE: "bridge",
    spaces.HOTEL: "hotel",
    spaces.WELL: "well",
    spaces.MAZE: "maze",
    spaces.PRISON: "prison",
    spaces.DEATH: "death",
    spaces.DRINK: "drink",
}


def definitions() -> str:
    return tag(
        "defs",
        read_art(__package__, "art.svg"),
        *(gradient(f"goose-seat-{seat}", *colours) for seat, colours in enumerate(FEATHERS)),
        tag("clipPath", path(closed(spiral.goal_outline(6))), id="goose-goal"),
    )


def meadow() -> str:
    """What lies around and under the path."""
    width, height = SIZE
    tufts = "".join(art("grass", x, y) for x, y in ((120, 42), (38, 150), (880, 44), (966, 190), (962, 1010)))
    return (
        box(0, 0, width, height, "url(#goose-meadow)", rx=36)
        + box(9, 9, width - 18, height - 18, "none", rx=28, stroke="#e9c46a", stroke_width=3, opacity=0.75)
        + tufts
    )


def corners(*, stakes: bool) -> str:
    """What grows in the corners. The upper ones are left to the balances where there are stakes."""
    pond = art("pond", 906, 1112)
    if stakes:
        return pond
    bloom = ((34, 170), (176, 34), (820, 32), (968, 168))
    return (
        pond
        + art("green-tree", 70, 74, scale=1.1)
        + art("golden-tree", 932, 76, scale=1.1)
        + "".join(art(f"flower-{index}", x, y) for index, (x, y) in enumerate(bloom))
    )


def path_bed() -> str:
    """The wood that the spaces lie on, and its shadow."""
    first, last = spiral.extent(START)[0], spiral.LAST
    band = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in spiral.line(first, last))
    wide: dict[str, Any] = {"stroke_width": spiral.WIDTH + 12, "stroke_linejoin": "round"}
    return (
        path(band, stroke="#12322a", opacity=0.45, transform="translate(0 10)", **wide)
        + path(band, stroke="#5d3a1d", **wide)
        + path(closed(spiral.goal_outline(0)), "#5d3a1d", stroke="#5d3a1d", stroke_width=8)
    )


def tile(space: int, colour: str) -> str:
    """The ground of a space, with round corners and a light edge."""
    ground = {"stroke": colour, "stroke_width": 16, "stroke_linejoin": "round", "data_what": space}
    return path(closed(spiral.outline(space, 10.5)), colour, **ground) + path(
        closed(spiral.outline(space, 8)), stroke="#fff", stroke_width=2.4, opacity=0.4, stroke_linejoin="round"
    )


def is_going_left(space: int) -> bool:
    return cos(spiral.heading(spiral.middle(space))) < -0.6


def plain_space(space: int) -> str:
    x, y = spiral.centre(space)
    angle = degrees(spiral.heading(spiral.middle(space))) + 90
    lean = spiral.lean(space)
    return art("footprints", x + 12 * (1 - lean), y + 17, turn=angle) + text(space, x - 10, y - 22 - 3 * lean, 37, INK)


def goose_space(space: int) -> str:
    x, y = spiral.centre(space)
    side = -1 if is_going_left(space) else 1
    lean = spiral.lean(space)
    return art("swimming-goose", x + side * 4 * lean, y + 18, scale=1 - 0.16 * lean, flip=side < 0) + text(
        space, x - side * (16 - 4 * lean), y - 27 - 5 * lean, 37, "#1d5064", **rimmed("#d8f0f5")
    )


def hazard_space(space: int) -> str:
    x, y = spiral.centre(space)
    return (
        art(HAZARD_DRAWINGS[space], x + 8, y - 14, scale=0.92)
        + circle(x - 37, y - 33, 24, CREAM, stroke=DARK_GOLD, stroke_width=3)
        + text(space, x - 37, y - 32, 33, INK, **fitted(str(space), 1, 36))
        + name_ribbon(GAME.said(HAZARDS[space].name), x, y + 34)
    )


def name_ribbon(name: str, x: float, y: float) -> str:
    """The name of a hazard. Where it is long, its ribbon grows towards the middle of the board: there is room."""
    more = 12 * max(0, len(name) - 6)
    inwards = 1 if x < spiral.GOAL[0] else -1
    return placed(x + inwards * more / 2, y, ribbon(name, 106 + more))


def start_sign() -> str:
    """Where the start is: a sign in the corner outside it."""
    sign = (
        line("M-40 10V62M40 10V62", DARK_WOOD, 9)
        + box(-72, -26, 144, 54, "#3d2511", rx=9)
        + box(-72, -30, 144, 54, "url(#goose-wood)", rx=9, stroke=DARK_WOOD, stroke_width=3)
        + text(GAME.said("START"), 0, -2, 38, CREAM, **rimmed("#6b3f1c", 10))
    )
    first, last = spiral.extent(START)
    growing = []
    for index in range(7):
        x, y = spiral.at(first + (last - first) * (0.1 + 0.13 * index), 30 if index % 2 else -26)
        growing.append(art("grass" if index % 2 else f"flower-{index // 2}", x, y))
    return "".join(growing) + group((placed(96, 1088, sign),), data_what=START)


def rays() -> str:
    """Light that goes out from the goal."""
    beam = "M0 0L{} {}L{} {}Z"
    far, count = 320, 18
    ends = [(far * cos(turn * pi / count), far * sin(turn * pi / count)) for turn in range(2 * count)]
    beams = "".join(beam.format(*map(number, ends[turn] + ends[turn + 1])) for turn in range(0, 2 * count, 2))
    return path(beams, "#fff", opacity=0.32)


def goal() -> str:
    """Space 63, in the middle."""
    x, y = spiral.GOAL
    podium = (
        ellipse(0, 58, 112, 24, DARK_GOLD, opacity=0.45)
        + path("M-106 28V48Q0 76 106 48V28Z", "#c98a25")
        + ellipse(0, 28, 106, 24, "url(#goose-gold)", stroke=DARK_GOLD, stroke_width=2)
    )
    return (
        path(
            closed(spiral.goal_outline(10)),
            "url(#goose-sun)",
            stroke="#f3c65e",
            stroke_width=12,
            stroke_linejoin="round",
            data_what=END,
        )
        + group((placed(x, y - 60, rays()),), clip_path="url(#goose-goal)")
        + art("laurel", x, y - 60, scale=0.96)
        + art("golden-goose", x - 10, y - 62, scale=1.5)
        + placed(*spiral.centre(END), podium)
        + placed(x, y + 30, ribbon(str(END), 84), scale=1.3)
    )


@cache_spoken
def draw(*, drink: bool, stakes: bool) -> str:
    """All of it, as the options want it. What stands on a space may reach over its border, names most of all."""
    hazards = [space for space in HAZARDS if is_hazard(space, drink)]
    geese = [space for space in range(1, END) if is_goose(space)]
    plain = [space for space in range(1, END) if space not in hazards and space not in geese]
    grounds = {START: MEADOW, **HAZARD_GROUNDS, **dict.fromkeys(geese, POND)}
    grounds |= {space: PLAIN[space % 2] for space in plain}
    return (
        definitions()
        + meadow()
        + path_bed()
        + corners(stakes=stakes)
        + "".join(tile(space, colour) for space, colour in grounds.items())
        + start_sign()
        + goal()
        + "".join(map(plain_space, plain))
        + "".join(map(goose_space, geese))
        + "".join(map(hazard_space, hazards))
    )
