"""The position of a Verfuchst match. Tiles are numbered along the path: 0 is the start, 33 the goal."""

from parlour.engine import i8, i16, i64

MAX_SEATS = 4
PIECES = 3  # of each seat
TILES = 34  # start, 32 score tiles, goal

FIELDS = {
    "die": i8,  # what the seat to move has rolled
    "pieces": i8[MAX_SEATS * PIECES],  # the tile of each piece, seat by seat; within a seat the hindmost first
    "pieces_on": i8[TILES],  # how many pieces stand on each tile
    "guardians_on": i8[TILES],  # how many guardians stand on each tile
    "meetings": i64,  # the tiles where a guardian stands beside a piece: bit n (the bit worth 2 ** n) is 1 for tile n
    "path": i64,  # the tiles that nobody has taken, in the same way
    "taken_by": i8[TILES],  # 0: on the path; else the seat that took the tile, plus 1
    "face_value": i16[MAX_SEATS],  # the sum of each seat's tiles, before lucky tiles turn any
    "lucky": i8[MAX_SEATS],  # how many lucky tiles each seat holds
    "best": i16,  # the highest score, once the match is over
}
