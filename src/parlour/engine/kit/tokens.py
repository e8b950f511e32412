"""Tokens of seats, about 60 units wide, around (0, 0).

Each seat has a sign beside its colour, for those who cannot tell colours apart.

    placed(x, y, meeple(*LOOKS[seat]), scale=0.8, id=f"mygame-{seat}")
"""

from __future__ import annotations

from parlour.engine.kit.shapes import circle, closed, ellipse, path

# A colour, a darker one for edges, and a sign, for up to eight seats.
LOOKS: tuple[tuple[str, str, int], ...] = (
    ("#d64541", "#7d1f1c", 0),
    ("#3a7bd5", "#1b3f78", 1),
    ("#3fa356", "#1c5a2b", 2),
    ("#f0b429", "#8a6206", 3),
    ("#8e5bc7", "#4b2a74", 4),
    ("#e67e22", "#86430a", 5),
    ("#3bb3b3", "#146060", 6),
    ("#6b7280", "#2f343d", 7),
)
SIGNS = (
    "M-7 -7H7V7H-7Z",
    "M0 -9L9 7H-9Z",
    "M-9 0A9 9 0 1 1 9 0A9 9 0 1 1 -9 0Z",
    "M0 -10L10 0L0 10L-10 0Z",
    "M-3 -10H3V-3H10V3H3V10H-3V3H-10V-3H-3Z",
    "M0 -10L2.9 -3.1L10 -3.1L4.5 1.5L6.5 9L0 4.8L-6.5 9L-4.5 1.5L-10 -3.1L-2.9 -3.1Z",
    "M-10 -4H10V4H-10Z",
    "M-9 -6L0 9L9 -6H4L0 1L-4 -6Z",
)
PAPER = "#ffffff"


def sign(number: int, fill: str = PAPER, **attributes: object) -> str:
    """What tells a seat from the others without its colour, 20 units wide."""
    return path(SIGNS[number % len(SIGNS)], fill, **attributes)


def token(colour: str, edge: str, number: int) -> str:
    """A flat round token, with its shadow."""
    rim = circle(0, -3, 21, "none", stroke=PAPER, stroke_width=1.5, opacity=0.6)
    return (
        ellipse(2, 5, 28, 26, "#000000", opacity=0.25)
        + circle(0, 2, 28, edge)
        + circle(0, -3, 28, colour)
        + rim
        + sign(number, transform="translate(0 -3)")
    )


def pawn(colour: str, edge: str, number: int) -> str:
    """A pawn that stands: a head on a body that grows wider."""
    body = path("M-20 26C-22 18 -9 12 -8 -6H8C9 12 22 18 20 26Z", colour, stroke=edge, stroke_width=2.5)
    shadow, head = (
        ellipse(3, 27, 24, 7, "#000000", opacity=0.25),
        circle(0, -14, 13, colour, stroke=edge, stroke_width=2.5),
    )
    return shadow + body + head + sign(number, transform="translate(0 -14) scale(.55)")


def meeple(colour: str, edge: str, number: int) -> str:
    """A little person with spread arms."""
    right = [(9, -9), (28, -2), (28, 8), (14, 10), (24, 28), (6, 28), (0, 18)]
    outline = closed([*right, *((-x, y) for x, y in reversed(right[:-1]))])
    look = {"stroke": edge, "stroke_width": 2.5, "stroke_linejoin": "round"}
    body = path(outline, colour, **look) + circle(0, -17, 11, colour, **look)
    return ellipse(2, 29, 26, 6, "#000000", opacity=0.25) + body + sign(number, transform="translate(0 4) scale(.7)")


def cube(colour: str, edge: str) -> str:
    """A wooden cube, as goods and resources often are."""
    top = path("M0 -24L22 -13L0 -2L-22 -13Z", colour, stroke=edge, stroke_width=2, stroke_linejoin="round")
    left = path("M-22 -13L0 -2V24L-22 13Z", colour, stroke=edge, stroke_width=2, stroke_linejoin="round")
    right = path("M22 -13L0 -2V24L22 13Z", edge, stroke=edge, stroke_width=2, stroke_linejoin="round")
    return top + left + right
