"""The board and the position of Choccer.

A square is row * 11 + column; its name is the column's letter and the row's number, so A0 is 0 and K6 is 76.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.engine import i8

ROWS, COLUMNS = 7, 11
COLUMN_NAMES = "ABCDEFGHIJK"
SQUARES = ROWS * COLUMNS
BLACK, WHITE = 0, 1
PIECES = 11  # of each seat

CIRCLE, TRIANGLE, CLOVER, STAR = 1, 2, 3, 4  # Black's on the board; White's are the same below zero
BLUE, RED = 1, 2

KIND_NAMES = ("nothing", "circle", "triangle", "clover", "star")
GEM_NAMES = ("nothing", "blue gem", "red gem")
POINTS = (0, 1, 1, 2, 2)  # for a captured piece, by kind
GEM_POINTS = (0, 4, 10)  # for a scored gem

FIELDS = {
    # the piece on each square (row * 11 + column): 0 none, 1 circle, 2 triangle, 3 clover, 4 star; White's below zero
    "board": i8[SQUARES],
    "gem": i8[SQUARES],  # the gem on each square: 0 none, 1 blue, 2 red. If a piece stands there, it holds the gem
    "count": i8[2],  # pieces each seat has left
    "pieces": i8[2 * PIECES],  # their squares, ascending: Black's at 0 to 10, White's at 11 to 21; unused: 0
    "points": i8[2],  # points of each seat
}

# Capitals are Black's, small letters White's: O circle, T triangle, C clover, S star; b and r are the gems.
OPENING = """
   A  B  C  D  E  F  G  H  I  J  K
0  .  .  .  t  .  b  .  T  .  .  .
1  .  .  s  t  .  .  .  T  S  .  .
2  .  .  c  o  .  .  .  O  C  .  .
3  .  .  .  o  .  r  .  O  .  .  .
4  .  .  c  o  .  .  .  O  C  .  .
5  .  .  s  t  .  .  .  T  S  .  .
6  .  .  .  t  .  b  .  T  .  .  .
"""

# The scoring zones: W is White's, where Black scores; B is Black's, where White scores.
ZONES = """
   A  B  C  D  E  F  G  H  I  J  K
0  .  .  .  .  .  .  .  .  .  .  .
1  .  .  .  .  .  .  .  .  .  .  .
2  W  W  .  .  .  .  .  .  .  B  B
3  W  W  .  .  .  .  .  .  .  B  B
4  W  W  .  .  .  .  .  .  .  B  B
5  .  .  .  .  .  .  .  .  .  .  .
6  .  .  .  .  .  .  .  .  .  .  .
"""

PIECE_LETTERS = {0: ".", **dict(enumerate("OTCS", 1)), **{-kind: letter for kind, letter in enumerate("otcs", 1)}}
GEM_LETTERS = {0: "", BLUE: "b", RED: "r"}


def square_name(square: int) -> str:
    """``D3`` for the square in column D, row 3."""
    return f"{COLUMN_NAMES[square % COLUMNS]}{square // COLUMNS}"


def square_of(name: str) -> int:
    """The square of that name."""
    return int(name[1:]) * COLUMNS + COLUMN_NAMES.index(name[0])


def cells(picture: str) -> list[str]:
    """What a picture shows on each of the 77 squares."""
    rows = [line.split()[1:] for line in picture.strip().splitlines()[1:]]
    if [len(row) for row in rows] != [COLUMNS] * ROWS:
        raise ValueError(f"a picture of the board has {ROWS} rows of {COLUMNS} squares, not {[len(r) for r in rows]}")
    return [cell for row in rows for cell in row]


def read_picture(picture: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pieces and the gems that a picture shows. ``Tb`` is a black triangle that holds a blue gem."""
    piece_of = {letter: piece for piece, letter in PIECE_LETTERS.items()}
    gem_of = {letter: gem for gem, letter in GEM_LETTERS.items()}
    squares = [cell if cell[0] in piece_of else f".{cell}" for cell in cells(picture)]
    return tuple(piece_of[cell[0]] for cell in squares), tuple(gem_of[cell[1:]] for cell in squares)


def draw_picture(board: Sequence[int], gem: Sequence[int]) -> str:
    """The picture that ``read_picture`` reads."""
    lines = ["   " + "  ".join("ABCDEFGHIJK")]
    for row in range(ROWS):
        drawn = [
            (PIECE_LETTERS[board[square]] + GEM_LETTERS[gem[square]]).removeprefix("." if gem[square] else "")
            for square in range(row * COLUMNS, (row + 1) * COLUMNS)
        ]
        lines.append(f"{row}  " + "".join(f"{cell:<3}" for cell in drawn).rstrip())
    return "\n".join(lines)


OPENING_BOARD, OPENING_GEMS = read_picture(OPENING)
ZONE_OF = tuple({".": -1, "B": BLACK, "W": WHITE}[cell] for cell in cells(ZONES))
