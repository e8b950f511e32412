"""Where everything lies in the picture of Verfuchst: the winding path, who stands where on a tile, the hands.

The path winds in six rows of six; the start and the goal are as wide as two tiles.

    start──┐  1  2  3  4
    10  9  8  7  6  5
    11 12 13 14 15 16
    22 21 20 19 18 17
    23 24 25 26 27 28
    goal──┐ 32 31 30 29
"""

from __future__ import annotations

from functools import cache
from math import ceil, sin

from parlour.engine.kit.places import Box, Point
from parlour.games.verfuchst.state.tiles import GOAL, START

SIZE = (1000, 1172)

PER_ROW = 6
LEFT, TOP = 120, 98  # the middle of the first place
ACROSS, DOWN = 152, 134  # from place to place
TILE = (118, 108)
PAD = (266, 116)  # the start and the goal
GOAL_BELOW = 14  # how far the goal lies below its row
HILLS = 8  # how far the path swings up and down within a row

PIECES_BELOW = 31  # how far below the middle of a tile its pieces stand
PIECE_STEP, SEAT_STEP = 13, 40  # from piece to piece of one seat, and from one seat's to the next
ROOM = 102  # between the first and the last piece on a tile
PAD_ROOM = 222

HANDS_TOP, HAND_HEIGHT, HANDS_MARGIN, HAND_GAP = 878, 272, 22, 14
HAND_HEAD = 68  # the upper part of a hand: whose it is, what it is worth, the die
SMALL = (62, 43)  # a tile in a hand
SMALL_STEP = (67, 49)
HAND_ROWS = 4
HAND_INSET = 13


def _cell(tile: int) -> tuple[int, int]:
    """The row of a tile, and its column as if all rows went to the right; the start takes two columns."""
    return divmod(0 if tile == START else tile + 1, PER_ROW)


def _place(tile: int) -> Point:
    row, column = _cell(tile)
    if tile in (START, GOAL):
        return Point(LEFT + ACROSS / 2, TOP + row * DOWN + (GOAL_BELOW if tile == GOAL else 0))
    along = column if row % 2 == 0 else PER_ROW - 1 - column
    return Point(LEFT + along * ACROSS, round(TOP + row * DOWN + HILLS * sin(tile * 1.15)))


PLACES = tuple(_place(tile) for tile in range(GOAL + 1))


def is_end(tile: int) -> bool:
    return tile in (START, GOAL)


@cache
def standing(counts: tuple[int, ...], *, wide: bool) -> tuple[tuple[int, int, float, float], ...]:
    """For so many pieces of each seat on one tile: the seat, which of its pieces, and how far from the middle.

    Of one seat's pieces the last stands foremost and to the right; it is the one that leaves first.
    """
    found: list[tuple[int, int, float, float]] = []
    x = 0.0
    for seat, count in enumerate(counts):
        for piece in range(count):
            x += (PIECE_STEP if piece else SEAT_STEP) if found else 0
            found.append((seat, piece, x, PIECES_BELOW - 5 * (count - 1 - piece)))
    squeeze = min(1.0, (PAD_ROOM if wide else ROOM) / x) if x else 1.0
    return tuple((seat, piece, round((at - x / 2) * squeeze, 1), y) for seat, piece, at, y in found)


@cache
def guardian_point(tile: int, number: int) -> Point:
    """Guardians sit on the upper right corner of a tile, two by two; on the goal they sit in a row."""
    x, y = PLACES[tile]
    if is_end(tile):
        return Point(x + 100 - 26 * number, y - 4)
    back, aside = divmod(number, 2)
    return Point(x + 44 - 21 * aside, y - 42 - 10 * aside + 15 * back)


@cache
def hand_box(seat: int, seats: int) -> Box:
    """Where a seat's tiles lie: side by side below the path."""
    table = Box(HANDS_MARGIN, HANDS_TOP, SIZE[0] - 2 * HANDS_MARGIN, HAND_HEIGHT)
    return table.row(seats, HAND_GAP)[seat]


@cache
def die_point(seat: int, seats: int) -> Point:
    """In the upper right corner of the seat's hand."""
    box = hand_box(seat, seats)
    return Point(box.x + box.width - 42, box.y + 36)


@cache
def hand_points(seat: int, seats: int, count: int) -> tuple[Point, ...]:
    """Where each of so many tiles lies in a hand; they overlap when there are many."""
    box = hand_box(seat, seats)
    inside = box.width - 2 * HAND_INSET
    per_row = max(int((inside - SMALL[0]) // SMALL_STEP[0]) + 1, ceil(count / HAND_ROWS))
    step = min(SMALL_STEP[0], (inside - SMALL[0]) / (per_row - 1))
    left, top = box.x + HAND_INSET + SMALL[0] / 2, box.y + HAND_HEAD + SMALL[1] / 2
    return tuple(
        Point(round(left + number % per_row * step, 1), round(top + number // per_row * SMALL_STEP[1], 1))
        for number in range(count)
    )
