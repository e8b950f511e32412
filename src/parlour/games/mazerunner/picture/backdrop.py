"""What never changes: the ground, the panels, and the drawings that the scene uses by name."""

from __future__ import annotations

from functools import cache

from parlour.engine.picture import group, number, tag, upright
from parlour.games.mazerunner.picture.drawings.items import CHANCE_ART, HEART_ART, ITEM_ART, MAP_ART, RESOURCE_ART
from parlour.games.mazerunner.picture.drawings.monsters import BEASTS
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
            tag("defs", gradients(), drawings()),
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


def fade(name: str, kind: str, stops: tuple[tuple[float, str, float], ...], **attributes: object) -> str:
    marks = [tag("stop", offset=offset, stop_color=colour, stop_opacity=opacity) for offset, colour, opacity in stops]
    return tag(f"{kind}Gradient", *marks, id=f"mazerunner-{name}", **attributes)


def gradients() -> str:
    """Colours that change over a shape. ``dusk`` has one for each side that a little light falls through."""
    down = {"x1": 0, "y1": 0, "x2": 0, "y2": 1}
    ways = ((0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))
    dusk = [
        fade(
            f"dusk-fill-{side}",
            "linear",
            ((0, "#cdb891", 0.85), (0.55, "#9d93a0", 0.45), (1, "#5b6484", 0.05)),
            **dict(zip(("x1", "y1", "x2", "y2"), way, strict=True)),
        )
        for side, way in enumerate(ways)
    ]
    return "".join(
        (
            fade("ground", "linear", ((0, "#343c58", 1), (1, "#1a1f30", 1)), **down),
            fade("panel", "linear", ((0, "#2c3450", 1), (1, "#232a41", 1)), **down),
            fade("fog", "radial", ((0, "#4d5878", 1), (0.7, "#333c59", 1), (1, "#262d46", 1)), cx=0.5, cy=0.5, r=0.75),
            fade("parchment", "linear", ((0, "#fbf1d8", 1), (1, "#e9d5a8", 1)), **down),
            fade("stone", "linear", ((0, "#ead8b1", 1), (1, "#d3bb8c", 1)), **down),
            fade("glow", "radial", ((0, "#ffdf8a", 0.75), (0.5, "#ffb347", 0.25), (1, "#ffb347", 0))),
            fade("shine", "radial", ((0, "#fff", 0.55), (1, "#fff", 0)), cx=0.35, cy=0.25, r=0.8),
            fade("bank", "radial", ((0, "#dfe7ff", 0.16), (0.6, "#dfe7ff", 0.06), (1, "#dfe7ff", 0))),
            *dusk,
            tag(
                "clipPath", tag("rect", x=MAZE.x + 20, y=MAZE.y + 20, width=656, height=656, rx=8), id="mazerunner-view"
            ),
        )
    )


def drawings() -> str:
    parts = {f"beast-{kind}": shapes for kind, shapes in enumerate(BEASTS)}
    parts |= {f"item-{kind}": shapes for kind, shapes in enumerate(ITEM_ART)}
    parts |= {f"resource-{kind}": shapes for kind, shapes in enumerate(RESOURCE_ART)}
    parts |= {f"chance-{kind}": shapes for kind, shapes in enumerate(CHANCE_ART)}
    parts |= {f"seat-{seat}": seat_sign(seat) for seat in range(len(NAMES))}
    parts |= {f"floor-{look}": stones(look) for look in range(4)}
    parts |= {f"dusk-{side}": _square(f"url(#mazerunner-dusk-fill-{side})") for side in range(4)}
    parts |= {"map": MAP_ART, "heart": HEART_ART, "camp": CAMP, "light": _LIGHT, "home": _HOME}
    parts |= {"alarm": _ALARM, "dot": _DOT, "awake-dot": _AWAKE_DOT}
    return "".join(tag("g", shapes, id=f"mazerunner-{name}") for name, shapes in parts.items())


def _square(fill: str) -> str:
    return tag("rect", x=-25, y=-25, width=50, height=50, fill=fill)


def seat_sign(seat: int) -> str:
    """The seat's outline and letter, with a shadow below and a shine above."""
    shape, colour = SEAT_SHAPES[seat], COLOURS[seat]
    middle = 6 if seat == 2 else 1
    return (
        f'<g transform="translate(0 4)">{shape} fill="#000" opacity=".4"/></g>'
        f'{shape} fill="{colour}" stroke="#fff" stroke-width="4"/>{shape} fill="url(#mazerunner-shine)"/>'
        + words(LETTERS[seat], 0, middle, 27, INKS[seat])
    )


def stones(look: int) -> str:
    """A block's floor: slabs, and on some a crack, moss or bones."""
    joints = ("M-25 -6H25M-4 -25V-6M9 -6V25", "M-25 4H25M6 -25V4M-9 4V25", "M-7 -25V25M-7 -3H25", "M5 -25V25M-25 6H5")
    extra = (
        '<path d="M-18 14L-12 9L-8 15" fill="none" stroke="#a88f63" stroke-width="1.5"/>',
        '<circle cx="15" cy="16" r="4" fill="#8fa05c" opacity=".5"/><circle cx="19" cy="12" r="2.5" fill="#8fa05c" '
        'opacity=".5"/>',
        "",
        '<path d="M12 -16L19 -11" stroke="#f6ead0" stroke-width="3" stroke-linecap="round" opacity=".8"/>',
    )
    lines = f'<path d="{joints[look]}" stroke="#bda477" stroke-width="1.6" opacity=".8"/>'
    return _square("url(#mazerunner-stone)") + lines + extra[look]


def clouds() -> str:
    """Soft banks of fog, a compass rose behind them, and a faint dot at every corner of a block."""
    banks = ((150, 130, 150), (560, 150, 170), (330, 300, 210), (110, 480, 160), (570, 420, 150), (380, 610, 180))
    fog = [tag("ellipse", cx=x, cy=y, rx=width, ry=width * 0.45, fill="url(#mazerunner-bank)") for x, y, width in banks]
    dots = "".join(
        f"M{number(MAZE.x + MARGIN + column * SHOWN)} {number(MAZE.y + MARGIN + line * SHOWN)}h.1"
        for column in range(VIEW + 1)
        for line in range(VIEW + 1)
    )
    grid = f'<path d="{dots}" stroke="#8b97bd" stroke-opacity=".5" stroke-width="4" stroke-linecap="round"/>'
    return tag("g", ROSE, transform="translate(588 588)", opacity=0.22) + "".join(fog) + grid


ROSE = (
    '<circle r="62" fill="none" stroke="#dfe7ff" stroke-width="2"/><circle r="54" fill="none" stroke="#dfe7ff"/>'
    '<path d="M0 -78L12 -12L78 0L12 12L0 78L-12 12L-78 0L-12 -12Z" fill="#dfe7ff"/>'
    '<path d="M30 -30L16 0L30 30L0 16L-30 30L-16 0L-30 -30L0 -16Z" fill="#aab6dc"/>'
    '<path d="M0 -78L12 -12L0 0ZM78 0L12 12L0 0ZM0 78L-12 12L0 0ZM-78 0L-12 -12L0 0Z" fill="#5b678c"/>'
)
CAMP = (
    '<circle r="95" fill="url(#mazerunner-glow)"/><rect x="-25" y="-25" width="50" height="50" fill="#b98d58"/>'
    '<rect x="-22" y="-22" width="44" height="44" rx="12" fill="#d8ac70" stroke="#8a6238" stroke-width="3"/>'
    '<path d="M-9 8L9 12M9 8L-9 12" stroke="#6b4426" stroke-width="4" stroke-linecap="round"/>'
    '<path d="M0 -13C9 -4 8 7 0 9C-8 7 -9 -4 0 -13Z" fill="#f08a2c"/>'
    '<path d="M0 -4C4 1 4 6 0 8C-4 6 -4 1 0 -4Z" fill="#ffe27a"/>'
)
_LIGHT = '<circle r="105" fill="url(#mazerunner-glow)" opacity=".8"/>'
_HOME = '<path d="M-9 9V-1L0 -9L9 -1V9Z" fill="#f08a2c" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>'
_ALARM = (
    '<circle r="25" fill="#ff3b3b" fill-opacity=".35" stroke="#ff3b3b" stroke-width="3.5"/>'
    '<g transform="translate(20 -20)"><circle r="10" fill="#fff" stroke="#c9202b" stroke-width="3"/>'
    '<path d="M0 -6V1" stroke="#c9202b" stroke-width="4" stroke-linecap="round"/>'
    '<circle cy="5.5" r="2" fill="#c9202b"/></g>'
)
_DOT = '<circle r="5" fill="#e5484d" stroke="#2a0d10" stroke-width="1.5"/>'
_AWAKE_DOT = '<circle r="6" fill="#ff3b3b" stroke="#fff" stroke-width="2.5"/>'
