"""The seats: their names, and the letters and colours of their pieces."""

from typing import NamedTuple

NAMES = ("Red", "Blue", "Green", "Yellow")
LETTERS = tuple(name[0] for name in NAMES)


class Colours(NamedTuple):
    """Of a seat's pieces in the picture."""

    light: str
    dark: str
    edge: str
    ink: str  # of the letter on them


COLOURS = (
    Colours("#ee6a5c", "#b8322b", "#6b1512", "#ffffff"),
    Colours("#5c9bea", "#2a62b4", "#143564", "#ffffff"),
    Colours("#62bd6a", "#287537", "#11461d", "#ffffff"),
    Colours("#ffdc63", "#e2a91b", "#6e4c04", "#4a3200"),
)
