"""The seats: Black and White, and what their pieces are made of."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.games.choccer.state import BLACK, WHITE

NAMES = ("Black", "White")

# In the terminal, by seat: a piece, and the brackets around it.
PIECE_STYLES = ("bold #ffd166 on #101216", "bold #17202a on #f7f7f2")
BRACKET_STYLES = ("#7d6a3c on #101216", "#a5a79f on #f7f7f2")


@dataclass(frozen=True)
class Material:
    """What a side's pieces are made of in the picture."""

    face: tuple[str, str]  # from the lit corner to the dark one
    side: str
    edge: str
    groove: str
    setting: str  # its shape
    hollow: str


MATERIALS = {
    BLACK: Material(
        face=("#5a525f", "#17141b"),
        side="#060508",
        edge="#a5854a",
        groove="#c8a35a",
        setting="M-7 -7H7V7H-7Z",
        hollow="#0a080c",
    ),
    WHITE: Material(
        face=("#fffef9", "#e7d9b9"),
        side="#a58a5c",
        edge="#5b4628",
        groove="#b79a63",
        setting="M0 -8A8 8 0 0 1 0 8A8 8 0 0 1 0 -8Z",
        hollow="#c6ad7c",
    ),
}
