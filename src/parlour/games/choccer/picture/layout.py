"""Where everything lies in the picture of Choccer: a scoreboard above the pitch, two trays below it.

Where the picture stands upright, White's side is on top. The pitch is turned, and what each seat has won lies in strips
on both sides of its own half. Names of lines are in the squares along two edges.
"""

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


# Where the picture stands upright.
UPRIGHT = UPRIGHT_WIDTH, UPRIGHT_HEIGHT = 712, 1022
UPRIGHT_LEFT, UPRIGHT_TOP = 62, 84  # of the pitch
UPRIGHT_BOTTOM = UPRIGHT_TOP + COLUMNS * CELL
SCORE_SCALE = (UPRIGHT_WIDTH - 16) / (RIGHT - LEFT + 12)
UPRIGHT_SCORE = (
    f"translate({8 - (LEFT - 6) * SCORE_SCALE:.2f} {10 - SCORE_TOP * SCORE_SCALE:.2f})scale({SCORE_SCALE:.4f})"
)
UPRIGHT_PITCH = f"translate({UPRIGHT_LEFT + ROWS * CELL + TOP} {UPRIGHT_TOP - LEFT})rotate(90)"
STRIP_LEFT, STRIP_WIDTH, STRIP_HEIGHT = (6, UPRIGHT_WIDTH - 54), 48, 464
STRIP_TOP = {WHITE: UPRIGHT_TOP - 6, BLACK: UPRIGHT_BOTTOM + 6 - STRIP_HEIGHT}
STRIP_NAME = 28  # from its top to the middle of its seat's letter
STRIP_SLOT, STRIP_SCALE = 59, 0.64


def upright_middle(square: int) -> tuple[float, float]:
    """The middle of a square where the picture stands upright."""
    row, column = divmod(square, COLUMNS)
    return UPRIGHT_LEFT + (ROWS - row - 0.5) * CELL, UPRIGHT_TOP + (column + 0.5) * CELL


def upright_slots(seat: int, name: str) -> list[tuple[float, float]]:
    """Where the same things lie then: each row is a strip."""
    return [
        (STRIP_LEFT[row] + STRIP_WIDTH / 2, STRIP_TOP[seat] + STRIP_NAME + 50 + place * STRIP_SLOT)
        for row, names in enumerate(SLOTS)
        for place, lying in enumerate(names)
        if lying == name
    ]
