"""Where everything lies in the picture of Choccer: a scoreboard above the pitch, two trays below it."""

from __future__ import annotations

from parlour.games.choccer.state import BLACK, COLUMNS, ROWS, WHITE

WIDTH, HEIGHT = 1000, 946
CELL = 84
LEFT, TOP = 38, 140  # of the pitch
RIGHT, BOTTOM = LEFT + COLUMNS * CELL, TOP + ROWS * CELL

# The scoreboard: each seat's name and points stand on its own side of the pitch.
SCORE_TOP, SCORE_HEIGHT = 14, 84
SCORE_LINE = SCORE_TOP + SCORE_HEIGHT / 2  # the middle of its words
NAME_MIDDLES = {WHITE: 128.0, BLACK: WIDTH - 128.0}
NAME_WIDTH = 168
NAME_SIZE, NAME_ROOM = 42, 224  # of the letters; their size times their number is no more than the room
POINTS_MIDDLES = {WHITE: 268.0, BLACK: WIDTH - 268.0}

# What a seat has won lies below its own half: White's on the left.
TRAY_TOP, TRAY_WIDTH, TRAY_HEIGHT = BOTTOM + 18, 452, 182
TRAY_LEFT = {WHITE: LEFT - 6, BLACK: RIGHT + 6 - TRAY_WIDTH}
SLOT = 61
SLOT_SCALE = 0.72
SLOTS = (
    ("triangle",) * 4 + ("circle",) * 3,
    ("star",) * 2 + ("clover",) * 2 + ("blue gem",) * 2 + ("red gem",),
)


def middle(square: int) -> tuple[float, float]:
    """The middle of a square."""
    return LEFT + (square % COLUMNS + 0.5) * CELL, TOP + (square // COLUMNS + 0.5) * CELL


def slots(seat: int, name: str) -> list[tuple[float, float]]:
    """Where the circles lie, say, or the blue gems, that the seat has won."""
    return [
        (TRAY_LEFT[seat] + TRAY_WIDTH / 2 + (place - 3) * SLOT, TRAY_TOP + 80 + row * SLOT)
        for row, names in enumerate(SLOTS)
        for place, lying in enumerate(names)
        if lying == name
    ]
