"""Colours by name: CSS's (``tomato``), hexadecimal (``#ff6347``), the letters bgrcmykw, matplotlib's ``xkcd:``."""

from __future__ import annotations

import webcolors

from parlour.engine.errors import ParlourError, nearest

Rgb = tuple[int, int, int]

LETTERS = {
    "b": "blue",
    "g": "green",
    "r": "red",
    "c": "cyan",
    "m": "magenta",
    "y": "yellow",
    "k": "black",
    "w": "white",
}
ZOMBIES: Rgb = (116, 116, 232)
T800S: Rgb = (53, 6, 62)
T800_NAME = "xkcd:dark purple"
PALETTE = ("tomato", "limegreen", "gold", "orchid", "darkorange", "turquoise", "hotpink", "yellowgreen", "sandybrown")


class UnknownColour(ParlourError):
    """A colour by a name that nobody knows."""


def rgb(name: str) -> Rgb:
    """Red, green and blue, 0 to 255 each."""
    plain = name.strip().lower()
    if plain == T800_NAME:
        return T800S
    if plain.startswith(("xkcd:", "tab:")):
        return _ask_matplotlib(name, plain)
    try:
        if plain.startswith("#"):
            return tuple(webcolors.hex_to_rgb(plain))
        return tuple(webcolors.name_to_rgb(LETTERS.get(plain, plain)))
    except ValueError:
        close = nearest(plain, webcolors.names())
        raise UnknownColour(f"{name!r} is not a colour; names are CSS's, or like #ff6347{close}") from None


def _ask_matplotlib(name: str, plain: str) -> Rgb:
    """The long lists of names are matplotlib's; where it is not installed, they are not known."""
    try:
        from matplotlib import colors
    except ImportError:
        raise UnknownColour(f"{name!r} is a colour of matplotlib's, which is not installed") from None
    try:
        red, green, blue = colors.to_rgb(plain)
    except ValueError:
        raise UnknownColour(f"{name!r} is not a colour that matplotlib knows") from None
    return round(red * 255), round(green * 255), round(blue * 255)


def ink(background: Rgb) -> Rgb:
    """Black or white, whichever can be read on the background."""
    red, green, blue = background
    return (0, 0, 0) if 299 * red + 587 * green + 114 * blue > 128_000 else (255, 255, 255)
