"""What the picture of game17 is drawn with: its colours and its shapes."""

from __future__ import annotations

import colorsys
from bisect import bisect
from functools import cache

from parlour.engine.picture import tag
from parlour.games.game17.seats import SEAT_COLOURS

BLACK, LEGIBLE = "#000000", 4.5  # the contrast that WCAG asks for
INK, PAPER, PALE, GOLD, PANEL = "#131a2c", "#ffffff", "#d8deeb", "#ffd866", "#1a2238"
WEAKER = "#86efac"  # whom the seat to move could take
ZOMBIE = "#3d4660"  # the land of zombies, where somebody plays: what is bright and striped is a player's

# One square is 1 by 1. Six shapes, so that seats next to each other in number differ in more than colour.
TOKENS = (
    "M.17 .5a.33 .33 0 1 0 .66 0a.33 .33 0 1 0-.66 0z",
    "M.29 .2h.42q.09 0 .09 .09v.42q0 .09-.09 .09h-.42q-.09 0-.09-.09v-.42q0-.09 .09-.09z",
    "M.5 .07L.93 .5L.5 .93L.07 .5z",
    "M.31 .18h.38L.88 .5L.69 .82h-.38L.12 .5z",
    "M.19 .19Q.36 .21 .5 .12Q.64 .21 .81 .19V.5C.81 .7 .66 .81 .5 .89C.34 .81 .19 .7 .19 .5z",
    "M.33 .33A.19 .19 0 1 1 .67 .33A.19 .19 0 1 1 .67 .67A.19 .19 0 1 1 .33 .67A.19 .19 0 1 1 .33 .33z",
)
# What is drawn on the land of a seat, by its shape: in whichever colours one sees, land with stripes is told from land
# with dots, and both from that of zombies, which is plain.
PATTERNS = (
    tag("path", d="M-.1 .35L.35-.1M-.1 .85L.85-.1M.15 1.1L1.1 .15M.65 1.1L1.1 .65", stroke_width=0.1),
    "".join(tag("circle", cx=x, cy=y, r=0.075, fill=INK, stroke="none") for x in (0.25, 0.75) for y in (0.25, 0.75)),
    tag("path", d="M-.1 .65L.35 1.1M-.1 .15L.85 1.1M.15-.1L1.1 .85M.65-.1L1.1 .35", stroke_width=0.1),
    tag("path", d="M0 .125H1M0 .375H1M0 .625H1M0 .875H1", stroke_width=0.08),
    tag("path", d="M.25 0V1M.75 0V1M0 .25H1M0 .75H1", stroke_width=0.06),
    tag("path", d="M0 .35L.25 .1L.5 .35L.75 .1L1 .35M0 .85L.25 .6L.5 .85L.75 .6L1 .85", stroke_width=0.08),
)
STRENGTHS = (4, 8, 16)  # from so many pieces on, their figure is a size larger
FIGURES = (0.66, 0.82, 0.98, 1.12)  # how large the figures of players are, by strength
# Orders, around the middle of the border they cross: north, south, east, west.
ARROWS = (
    "M0-.34L.25-.13V.2Q.25 .24 .21 .24H-.21Q-.25 .24-.25 .2V-.13z",
    "M0 .34L.25 .13V-.2Q.25-.24 .21-.24H-.21Q-.25-.24-.25-.2V.13z",
    "M.36 0L.17 .21H-.23Q-.27 .21-.27 .17V-.17Q-.27-.21-.23-.21H.17z",
    "M-.36 0L-.17 .21H.23Q.27 .21 .27 .17V-.17Q.27-.21 .23-.21H-.17z",
)
SHADES = (1.0, 0.72, 1.15, 0.85)  # how light the colours of the first dozen seats are, of the second, and so on
CROWD = 26  # with more seats than letters, squares carry letters in place of shapes and patterns
MUTED = 12  # tones that zombies share; borders tell neighbours of one tone apart


@cache
def colour(owner: int, seats: int) -> str:
    """Bright for a seat, and muted for zombies. Where nobody plays, zombies next to each other in number differ."""
    if owner < seats:
        return shaded(SEAT_COLOURS[owner % len(SEAT_COLOURS)], owner // len(SEAT_COLOURS))
    if seats:
        return ZOMBIE
    tone = owner % MUTED
    return _hex(colorsys.hls_to_rgb(0.618 * tone % 1, 0.26 + 0.045 * (tone * 5 % 4), 0.16))


def shaded(bright: str, level: int) -> str:
    """The colour as it is, paler or deeper: seats that share a hue can still be told apart."""
    red, green, blue = (int(bright[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    return _hex(colorsys.hls_to_rgb(hue, light * SHADES[level % len(SHADES)], strength))


@cache
def ink(ground: str) -> str:
    """What can be read on a colour: dark, or light where the colour itself is dark."""
    return max((INK, BLACK, PAPER), key=lambda letter: (contrast(letter, ground) >= LEGIBLE, letter == INK))


def contrast(one: str, other: str) -> float:
    """How well one colour is told from another, by WCAG's definition: from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * min(part, 1)):02x}" for part in parts)


@cache
def strength(pieces: int) -> int:
    """How large the figure of so many pieces is, from 0 up."""
    return bisect(STRENGTHS, pieces)


def shape(seat: int) -> int:
    """The shape of a seat's figures, and the pattern of its land. No two of the first 72 share it and the colour."""
    return (seat + seat // len(SEAT_COLOURS)) % len(TOKENS)


@cache
def token_id(seat: int) -> str:
    return f"game17-token-{shape(seat)}"


@cache
def land(owner: int, seats: int) -> str:
    """What fills the squares of an owner: a colour, for seats with a pattern, unless they are a crowd with letters."""
    return f"url(#game17-land-{owner})" if owner < seats <= CROWD else colour(owner, seats)
