"""The Game of the Goose in a terminal: the spiral, from outside to inside, with everyone's piece on it."""

from __future__ import annotations

from rich.text import Text

from parlour.engine import State

COLOURS = ("red", "blue", "green", "yellow")
LETTERS = "RBGY"
HAZARD_SIGNS = {6: "Bridge", 19: "Hotel", 31: "Well", 42: "Maze", 52: "Prison", 58: "Death", 61: "Drink"}
WIDTH = 7  # columns of a space
"""stub"""


def board(state: State, *, ascii: bool = False) -> Text:
    return Text(f"positions {state.position[: state.seats]}")
