"""What is illustrated on the board of the Goose: geese, hazards, trees. Each drawing is centred on a point of its own.

All of it fits between -50 and 50 both ways, unless it says otherwise.
"""

from __future__ import annotations

from math import cos, pi, sin

from parlour.engine.kit.shapes import box, circle, ellipse, fitted, line, path, text
from parlour.engine.picture import group, number

INK, CREAM, PAPER = "#4a2f1b", "#fff6df", "#fbeecb"
GOLD, DARK_GOLD, PALE_GOLD = "#f0b53a", "#a86f14", "#ffe39a"
STONE, DARK_STONE, WOOD, DARK_WOOD = "#b9b2a6", "#7d756b", "#a9713f", "#6d4423"
LEAF, DARK_LEAF, WATER, DARK_WATER = "#6fae4e", "#3f7d3a", "#9bd3e0", "#5aa7bd"
ORANGE, NIGHT = "#f0892f", "#3b3562"

SWIMMING = (
    "M-36-4C-30 2-24 0-14-3C-4-6 6-5 11-10C15-15 12-22 12-28C12-38 20-43 27-41C34-39 35-32 30-29"
    "C25-26 24-21 26-14C29-2 27 10 19 17C10 25-10 25-20 19C-30 13-36 4-36-4Z"
)


def bird(feathers: str, wing: str, outline: str) -> str:
    """A goose that looks to the right."""
    return (
        path(SWIMMING, feathers, stroke=outline, stroke_width=2)
        + path("M-23 3C-12-4 3-3 9 3C5 14-7 18-17 13C-24 11-26 6-23 3Z", wing)
        + line("M-14 13C-6 13 0 10 3 6M-20 9C-13 10-7 8-3 5", outline, 1.6)
        + path("M31-39Q40-38 46-32Q38-28 30-30Z", ORANGE, stroke="#b85c14", stroke_width=1.2)
        + circle(26, -35, 2.8, "#2d2018")
    )


def swimming_goose() -> str:
    """The goose of the spaces that carry on."""
    ripples = line("M-44 23Q-34 17-24 23T-4 23T16 23T38 22", "#fff", 3.4, opacity=0.9)
    return ellipse(-2, 21, 42, 8, DARK_WATER, opacity=0.45) + bird("#fff", "#dbe6ee", "#8aa0b0") + ripples


def golden_goose() -> str:
    """The goose of the end, with its crown."""
    crown = path("M13-43L10-59L19-52L25-63L31-51L40-56L37-41Q25-46 13-43Z", GOLD, stroke=DARK_GOLD, stroke_width=1.6)
    jewels = circle(19, -47, 2.2, "#c62f2b") + circle(25, -49, 2.6, "#2f6fc4") + circle(31, -47, 2.2, "#c62f2b")
    return bird("url(#goose-gold)", "#ffd970", DARK_GOLD) + crown + jewels


def bridge() -> str:
    arch = "M-48 14V-4Q0-44 48-4V14H32Q30-12 0-14Q-30-12-32 14Z"
    return (
        path("M-44 24Q-20 2 0-12Q20 2 44 24Z", WATER)
        + line("M-18 16Q-10 11-2 16T14 16M-8 5Q-2 1 4 5T14 5", "#fff", 2.6, opacity=0.9)
        + path(arch, "url(#goose-stone)", stroke=DARK_STONE, stroke_width=2)
        + line("M-46-15Q0-54 46-15M-30-24V-14M-11-33V-23M11-33V-23M30-24V-14", DARK_WOOD, 3.4)
        + line("M-40 2L-32-2M40 2L32-2M-20-16L-15-9M20-16L15-9M0-22V-15", DARK_STONE, 1.6)
    )


def hotel() -> str:
    window = "".join(box(x, y, 13, 13, "#ffd45e", rx=2) for x in (-27, 14) for y in (-14, 5))
    return (
        path("M-24-46A14 14 0 1 0-14-26A16 16 0 0 1-24-46Z", "#fff2b8")
        + box(-36, -20, 72, 44, "#e9d3ab", stroke=DARK_WOOD, stroke_width=2)
        + path("M-44-18L0-48L44-18Z", "#b2453a", stroke="#74261f", stroke_width=2, stroke_linejoin="round")
        + window
        + path("M-9 24V6Q0-4 9 6V24Z", DARK_WOOD)
        + circle(0, -27, 6, "#ffd45e")
        + circle(5, 15, 1.8, GOLD)
    )


def well() -> str:
    return (
        line("M-26 2V-28M26 2V-28", DARK_WOOD, 5)
        + path("M-40-24L0-48L40-24Z", "#b2453a", stroke="#74261f", stroke_width=2, stroke_linejoin="round")
        + line("M0-24V-8", INK, 2)
        + path("M-8-10H8L6 4H-6Z", WOOD, stroke=DARK_WOOD, stroke_width=1.6)
        + path("M-34 0V20Q0 34 34 20V0Z", "url(#goose-stone)", stroke=DARK_STONE, stroke_width=2)
        + ellipse(0, 1, 34, 9, DARK_STONE)
        + ellipse(0, 2, 27, 6, "#2f5f78")
        + line("M-32 14Q0 24 32 14M-16 10V18M10 10V19M-4 20V27M22 17V24M-26 16V22", DARK_STONE, 1.6)
    )


def maze() -> str:
    hedges = "M-4 22H-38V-38H38V22H14M-22 22V-22H22V6H-6V-6H6"
    return box(-44, -44, 88, 72, "#f6ecc4", rx=6) + line(hedges, DARK_LEAF, 10) + line(hedges, LEAF, 5)


def prison() -> str:
    bars = "".join(box(x, -34, 5, 56, "#5c5f6b", rx=2) for x in (-21, -8.5, 4, 16.5))
    return (
        box(-42, -46, 84, 72, "url(#goose-stone)", rx=5, stroke=DARK_STONE, stroke_width=2)
        + line(
            "M-42-28H-28M-42-8H-28M-42 10H-28M28-28H42M28-8H42M28 10H42M-34-46V-28M34-28V-8M-35-8V10M35 10V26",
            DARK_STONE,
            1.6,
        )
        + path("M-27 22V-20Q0-52 27-20V22Z", "#2c2a3a")
        + bars
        + box(-28, -12, 56, 5, "#74777f", rx=2)
    )


def death() -> str:
    bone = line("M-36-2L34 22M36-2L-34 22", "#efe6d2", 7) + "".join(
        circle(x, y, 5.5, "#efe6d2")
        for x, y in ((-38, -6), (-40, 1), (38, -6), (40, 1), (36, 19), (34, 26), (-36, 19), (-34, 26))
    )
    return (
        bone
        + path(
            "M-26-16C-26-38-14-46 0-46C14-46 26-38 26-16C26-6 20-2 15 1V14Q0 20-15 14V1C-20-2-26-6-26-16Z",
            "#fbf5e6",
            stroke="#8d8095",
            stroke_width=2,
        )
        + ellipse(-11, -16, 7.5, 8.5, NIGHT)
        + ellipse(11, -16, 7.5, 8.5, NIGHT)
        + path("M0-8L5 1H-5Z", NIGHT)
        + line("M-7 7V15M0 7V16M7 7V15", NIGHT, 2)
    )


def drink() -> str:
    return (
        line("M22-18H36Q40-18 40-12V4Q40 12 32 12H22", "#d8e6ea", 6)
        + path("M-26-26H24L21 24Q-1 30-23 24Z", "url(#goose-gold)", stroke=DARK_GOLD, stroke_width=2)
        + line("M-12-10L-10 14M-1-10V16M11-10L9 14", PALE_GOLD, 4)
        + "".join(circle(x, y, r, "#fffaf0") for x, y, r in ((-21, -30, 9), (-8, -36, 11), (7, -35, 11), (20, -29, 9)))
        + box(-27, -31, 53, 10, "#fffaf0", rx=5)
    )


def footprints(angle: float) -> str:
    """Two webbed feet, one before the other, in the direction of the path."""
    foot = "M0 13Q-3 4-13-5L-6-4L-5-12L0-7L5-12L6-4L13-5Q3 4 0 13Z"
    feet = (path(foot, "#dcbd88", transform=f"translate({place})") for place in ("-13 12", "12 -10"))
    return group(feet, transform=f"rotate({number(angle)})")


def tree(crown: str, dark: str) -> str:
    return (
        ellipse(4, 46, 30, 8, "#17382c", opacity=0.5)
        + path("M-6 44L-4 8H4L7 44Z", DARK_WOOD)
        + circle(3, -6, 33, dark)
        + circle(-14, 4, 22, crown)
        + circle(15, 0, 24, crown)
        + circle(-1, -18, 25, crown)
        + circle(-8, -24, 9, "#fff", opacity=0.16)
    )


def flower(petals: str) -> str:
    ring = "".join(circle(6 * cos(turn * 2 * pi / 5), 6 * sin(turn * 2 * pi / 5), 4.6, petals) for turn in range(5))
    return line("M0 6V20M0 16Q7 14 9 8", DARK_LEAF, 2.4) + ring + circle(0, 0, 3.8, GOLD)


def grass() -> str:
    return line("M-9 0Q-10-8-14-13M-3 0Q-3-10-4-18M3 0Q4-9 9-15M8 0Q10-5 15-8", LEAF, 3, opacity=0.8)


def reeds() -> str:
    """Bulrushes at the water."""
    stems = line("M-18 44Q-18 0-22-30M0 46V-40M17 44Q18 4 24-22M-8 46Q-12 20-34 4M10 46Q16 24 38 8", DARK_LEAF, 4)
    heads = "".join(box(x, y, 11, 30, "#7a4a26", rx=5.5) for x, y in ((-28, -46), (-5.5, -56), (19, -40)))
    return stems + heads


def coin(x: float, y: float, size: float = 1.0) -> str:
    """A stake."""
    return (
        ellipse(x, y + 5 * size, 19 * size, 9 * size, DARK_GOLD)
        + ellipse(x, y, 19 * size, 9 * size, "url(#goose-gold)", stroke=DARK_GOLD, stroke_width=1.4)
        + ellipse(x, y, 11 * size, 4.6 * size, "none", stroke=PALE_GOLD, stroke_width=1.6)
    )


def ribbon(words: str, width: float, *, fill: str = "#a5322c", shade: str = "#6f1d1a") -> str:
    """A name on a band; its middle is the point of the drawing."""
    half = width / 2
    ends = (
        f"M{number(-half + 8)}-9H{number(-half - 6)}L{number(-half)} 7L{number(-half - 6)} 22H{number(-half + 8)}Z"
        f"M{number(half - 8)}-9H{number(half + 6)}L{number(half)} 7L{number(half + 6)} 22H{number(half - 8)}Z"
    )
    return (
        path(ends, shade)
        + box(-half, -18, width, 36, fill, rx=5)
        + box(-half, -18, width, 5, "#fff", rx=2.5, opacity=0.14)
        + text(words, 0, 1, 33, CREAM, **fitted(words, 5, width - 10))
    )
