"""The things of Verfuchst as vector shapes, drawn once and then used by name: tiles, pieces, foxes, the die."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.engine.kit.art import drawings
from parlour.engine.kit.colours import filled, gradient
from parlour.engine.kit.dice import die
from parlour.engine.kit.shapes import ellipse, fitted, placed, rimmed, text
from parlour.engine.picture import group, label, number, tag
from parlour.games.verfuchst.picture.layout import SMALL, TILE
from parlour.games.verfuchst.seats import COLOURS, LETTERS
from parlour.games.verfuchst.state.names import signed
from parlour.games.verfuchst.state.tiles import GOAL, VALUE, is_lucky

HEADS = (  # round, square, pointed, a diamond: seats can be told apart without colours
    "M0 -34a13.5 13.5 0 1 1 -.1 0z",
    "M-10 -33h20q3 0 3 3v20q0 3 -3 3h-20q-3 0 -3 -3v-20q0 -3 3 -3z",
    "M0 -37q2 0 3 2l13 24q1.5 4 -3 4h-26q-4.5 0 -3 -4l13 -24q1 -2 3 -2z",
    "M0 -38q2 0 3.5 1.5l13 14q1.5 1.5 0 3l-13 14q-3.5 3 -7 0l-13 -14q-1.5 -1.5 0 -3l13 -14q1.5 -1.5 3.5 -1.5z",
)
BODY = "M-20 29Q-22 3 -8 -9L8 -9Q22 3 20 29Q0 37 -20 29Z"

SHADOW = "#10241b"
PALE, DEEP = {-1: (251, 232, 219), 1: (236, 246, 218)}, {-1: (222, 117, 93), 1: (132, 196, 116)}
EDGE = {-1: "#9a3c2a", 0: "#a9790f", 1: "#3f7a3a"}
INK = {-1: "#5a160c", 0: "#6e4c04", 1: "#15421a"}
GOLD = "#fbe08a"
# Of tiles on the path and in a hand: how large, how thick, and their corners by kind.
SLABS = {"large": (TILE, 6, {-1: 24, 0: 14, 1: 32}), "small": (SMALL, 3, {-1: 11, 0: 8, 1: 16})}


def definitions() -> str:
    """All that the picture uses by name."""
    return tag("defs", drawings(__package__, "art.svg"), *pieces(), *dice(), *moulds(), *tiles())


def use(name: str, **attributes: object) -> str:
    return tag("use", href=f"#verfuchst-{name}", **attributes)


def item(name: str, x: float, y: float, *drawn: str) -> str:
    """Something that moves, at its place."""
    return placed(x, y, *drawn, id=f"verfuchst-{name}")


def fill(name: str) -> str:
    return filled(f"verfuchst-{name}")


def pieces() -> Iterator[str]:
    """Each seat's piece, with its letter and, for those that stand behind another, without."""
    for seat, (light, dark, edge, ink) in enumerate(COLOURS):
        yield gradient(f"verfuchst-seat-{seat}", light, dark)
        solid = {"fill": fill(f"seat-{seat}"), "stroke": edge, "stroke_width": 2.5, "stroke_linejoin": "round"}
        figure = (
            ellipse(4, 29, 22, 7, SHADOW, opacity=0.35),
            tag("path", d=BODY, **solid),
            tag("path", d=HEADS[seat], **solid),
            ellipse(-4, -26, 3.5, 2.5, "#ffffff", opacity=0.7),
        )
        yield group(figure, id=f"verfuchst-figure-{seat}")
        letter = text(LETTERS[seat], 0, 13, 33, ink, **rimmed(dark if ink == "#ffffff" else light, 6))
        yield group((use(f"figure-{seat}"), letter), id=f"verfuchst-pawn-{seat}")


def dice() -> Iterator[str]:
    for value in range(1, 7):
        yield group((die(value, fill("ivory")),), id=f"verfuchst-die-{value}")


def tiles() -> Iterator[str]:
    """Each tile as it lies on the path, as it lies in a hand, and as a lucky tile turns it there."""
    for tile in range(1, GOAL):
        yield on_path(tile)
        yield in_hand(tile)
        if VALUE[tile] < 0:
            yield turned(tile)


def kind_of(tile: int) -> int:
    """−1, 0 and 1 for negative, lucky and positive tiles."""
    value = VALUE[tile]
    return (value > 0) - (value < 0)


def outline(kind: int, width: float, height: float, corner: float) -> str:
    """Negative tiles have cut corners, positive ones round corners, and lucky ones corners that were punched out."""
    across, down = width - 2 * corner, height - 2 * corner
    bend = "l" if kind == -1 else f"a{number(corner)} {number(corner)} 0 0 {kind} "
    corners = [f"{bend}{number(x * corner)} {number(y * corner)}" for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    start = f"M{number(-across / 2)} {number(-height / 2)}h{number(across)}"
    rest = f"v{number(down)}{corners[1]}h{number(-across)}{corners[2]}v{number(-down)}{corners[3]}z"
    return f"{start}{corners[0]}{rest}"


def face_colour(value: int) -> str:
    """The further from zero, the deeper."""
    sign = 1 if value > 0 else -1
    deep = (abs(value) - 1) / 9
    mixed = (round(a + (b - a) * deep) for a, b in zip(PALE[sign], DEEP[sign], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def moulds() -> Iterator[str]:
    """What all tiles of a kind and size share: below its face a bed with a shadow, and a sheen over it."""
    for size, ((width, height), thick, corners) in SLABS.items():
        for kind, corner in corners.items():
            shape = outline(kind, width, height, corner)
            shadow = tag("path", d=shape, transform=f"translate({thick / 2} {2 * thick})", fill=SHADOW, opacity=0.3)
            bed = tag("path", d=shape, transform=f"translate(0 {thick})", fill=EDGE[kind])
            yield group((shadow, bed), id=f"verfuchst-bed-{size}{kind}")
            yield tag("path", d=shape, stroke=EDGE[kind], stroke_width=thick / 2, id=f"verfuchst-face-{size}{kind}")
            inner = outline(kind, width - 8, height - 8, corner * 0.9)
            yield tag("path", d=inner, fill=fill("sheen"), id=f"verfuchst-sheen-{size}{kind}")


def slab(kind: int, colour: str, size: str) -> str:
    """A tile without what is written on it."""
    name = f"{size}{kind}"
    return use(f"bed-{name}") + use(f"face-{name}", fill=colour) + use(f"sheen-{name}")


def on_path(tile: int) -> str:
    kind, lean = kind_of(tile), (-2.5, 1.5, -1, 2.5, 0.5)[tile % 5]
    colour = GOLD if is_lucky(tile) else face_colour(VALUE[tile])
    if is_lucky(tile):
        sign = use("clover", transform="translate(-27 -25) scale(.92)")
    else:
        size = 44 if VALUE[tile] > -10 else 38
        sign = value_label(VALUE[tile], x=-52, y=-29, font_size=size, text_anchor="start")
    count = label(tile, x=52, y=1, font_size=23, text_anchor="end", fill=INK[kind])
    return group((slab(kind, colour, "large"), sign, count), id=f"verfuchst-large-{tile}", transform=f"rotate({lean})")


def value_label(value: int, **attributes: object) -> str:
    ink = INK[(value > 0) - (value < 0)]
    return label(signed(value), font_weight="bold", fill=ink, **attributes)


def in_hand(tile: int) -> str:
    colour = GOLD if is_lucky(tile) else face_colour(VALUE[tile])
    sign = use("clover", transform="scale(.72)") if is_lucky(tile) else small_label(VALUE[tile])
    return group((slab(kind_of(tile), colour, "small"), sign), id=f"verfuchst-small-{tile}")


def turned(tile: int) -> str:
    """A negative tile that a lucky one has turned: positive, on gold, with a clover in its corner."""
    value = -VALUE[tile]
    mark = use("clover", transform="translate(26 -18) scale(.4)")
    return group((slab(1, GOLD, "small"), small_label(value), mark), id=f"verfuchst-turned-{tile}")


def small_label(value: int) -> str:
    return value_label(value, x=0, y=1, font_size=33, **fitted(signed(value), 2, 52))
