"""The pieces of the Goose: a goose for each seat, with its letter and a hat of its own; and what holds them up."""

from __future__ import annotations

from functools import cache
from typing import Any

from parlour.engine.kit.shapes import circle, ellipse, line, path, placed, rimmed, text
from parlour.games.goose.picture.drawings import ORANGE, art
from parlour.games.goose.seats import INKS, LETTERS, OUTLINES
from parlour.games.goose.state.spaces import HOTEL, PRISON, WELL

BODY = (
    "M-40-8C-34-2-29-4-19-8C-9-12 1-12 6-17C11-22 8-30 8-35C8-46 16-51 24-50C32-49 35-42 31-36"
    "C26-31 26-26 28-18C33-2 31 14 21 24C11 33-13 33-25 24C-35 16-42 4-40-8Z"
)
BEAK = "M30-47Q40-46 46-39Q38-35 30-37Z"


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
        + art(f"hat-{seat}", 0, 0)
        + text(LETTERS[seat], -5, 9, 40, INKS[seat], **rimmed(RIMS[seat], 7))
    )


RIMS = (*OUTLINES[:3], "#ffe48a")  # around the letters, so that they stand out from the feathers
PLIGHTS = {WELL: "down-the-well", PRISON: "behind-bars", HOTEL: "asleep"}


@cache
def figure(seat: int, waits_on: int, scale: float, *, is_up: bool) -> str:
    """A seat's goose, with what it waits in: the Well, the Prison, the Hotel, or nothing (0). Light, if it is up."""
    light = ellipse(-2, 40, 46, 13, "#fff4a8", stroke="#d9890f", stroke_width=4) if is_up else ""
    plight = art(PLIGHTS[waits_on], 0, 0) if waits_on else ""
    return placed(0, 0, light, goose(seat), plight, scale=scale)
