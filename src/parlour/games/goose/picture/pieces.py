"""The pieces of the Goose: a goose for each seat, with its letter and a hat of its own; and what holds them up."""

from __future__ import annotations

from functools import cache
from typing import Any

from parlour.engine.kit.shapes import box, circle, ellipse, line, path, placed, text
from parlour.games.goose.picture.drawings import DARK_LEAF, DARK_STONE, GOLD, LEAF, ORANGE
from parlour.games.goose.seats import INKS, LETTERS, OUTLINES
from parlour.games.goose.state.spaces import HOTEL, PRISON, WELL

BODY = (
    "M-40-8C-34-2-29-4-19-8C-9-12 1-12 6-17C11-22 8-30 8-35C8-46 16-51 24-50C32-49 35-42 31-36"
    "C26-31 26-26 28-18C33-2 31 14 21 24C11 33-13 33-25 24C-35 16-42 4-40-8Z"
)
BEAK = "M30-47Q40-46 46-39Q38-35 30-37Z"


def bobble_cap() -> str:
    cap = path("M7-46Q8-64 22-63Q34-60 34-48Q20-54 7-46Z", "#fff", stroke="#b9a9a0", stroke_width=1.5)
    return cap + circle(21, -65, 5.5, "#c62f2b") + line("M8-47Q20-54 34-48", "#c62f2b", 4.5)


def top_hat() -> str:
    return (
        path("M10-50L7-70Q18-76 30-70L32-50Z", "#2b2733")
        + line("M3-48Q20-55 40-49", "#2b2733", 5)
        + line("M10-55L31-55", GOLD, 3.5)
    )


def hunting_hat() -> str:
    feather = line("M14-52Q4-62 0-76Q10-70 17-55", "#fff3d6", 3)
    return feather + path("M2-47Q10-66 24-62Q30-58 44-50Q24-52 2-47Z", LEAF, stroke=DARK_LEAF, stroke_width=1.8)


def flower_wreath() -> str:
    blooms = ((9, -47, "#e2557a"), (17, -53, "#fff"), (26, -53, "#e2557a"), (33, -47, "#fff"))
    return "".join(
        circle(x, y, 6, fill, stroke="#8a5a3a", stroke_width=1) + circle(x, y, 2.2, GOLD) for x, y, fill in blooms
    )


HATS = (bobble_cap, top_hat, hunting_hat, flower_wreath)


def goose(seat: int) -> str:
    """A seat's goose."""
    rim: dict[str, Any] = {"stroke": "#fff", "stroke_width": 8, "stroke_linejoin": "round"}
    return (
        ellipse(-2, 40, 36, 8, "#2a1a0c", opacity=0.35)
        + line("M-12 28V37M10 28V37M-19 40L-12 36L-4 40M3 40L10 36L18 40", "#fff", 9)
        + path(BODY, "#fff", **rim)
        + line("M-12 28V37M10 28V37M-19 40L-12 36L-4 40M3 40L10 36L18 40", ORANGE, 4.5)
        + path(BODY, f"url(#goose-seat-{seat})", stroke=OUTLINES[seat], stroke_width=2.6)
        + path(BEAK, ORANGE, stroke="#a8500f", stroke_width=1.4)
        + circle(24, -41, 3.4, "#fff")
        + circle(25, -41, 2.2, "#1d1410")
        + HATS[seat]()
        + text(LETTERS[seat], -5, 9, 40, INKS[seat])
    )


def down_the_well() -> str:
    """Stones before a goose that sits in the well."""
    wall = path("M-46 20V37Q0 54 46 37V20Q0 36-46 20Z", "url(#goose-stone)", stroke=DARK_STONE, stroke_width=2.4)
    return wall + line("M-45 30Q0 46 45 30M-24 28V35M4 32V39M28 27V34M-10 40V46M18 39V45", DARK_STONE, 2)


def behind_bars() -> str:
    bars = "".join(box(x, -50, 6, 96, "#4d5160", rx=3) for x in (-46, -28, 12, 30, 46))
    return bars + box(-50, -54, 106, 9, "#4d5160", rx=4) + box(-50, 40, 106, 9, "#4d5160", rx=4)


def asleep() -> str:
    """A dream beside a goose at the hotel."""
    return circle(42, -8, 19, "#fff", stroke="#54498a", stroke_width=3) + text("z", 42, -11, 36, "#54498a")


PLIGHTS = {0: lambda: "", WELL: down_the_well, PRISON: behind_bars, HOTEL: asleep}


@cache
def figure(seat: int, waits_on: int, scale: float, *, is_up: bool) -> str:
    """A seat's goose, with what it waits in: the Well, the Prison, the Hotel, or nothing (0). Light, if it is up."""
    light = ellipse(-2, 40, 46, 13, "#fff4a8", stroke="#d9890f", stroke_width=4) if is_up else ""
    return placed(0, 0, light, goose(seat), PLIGHTS[waits_on](), scale=scale)
