"""The position of a match of game17.

A square is row * edge + column. An owner is a seat, or, from ``seats`` up, a zombie.
"""

from parlour.engine import i16
from parlour.games.game17.state.squares import DIRECTIONS

MAX_EDGE = 24
MAX_SQUARES = MAX_EDGE * MAX_EDGE  # and as many owners, each of whom begins with one square
PIECES = 4  # on every square at the beginning
MAX_PIECES = PIECES * MAX_SQUARES

FIELDS = {
    # the board
    "owner": i16[MAX_SQUARES],  # who owns each square (row * edge + column): a seat, or from `seats` up a zombie
    "pieces": i16[MAX_SQUARES],  # how many pieces are on each square; a square without any keeps its owner
    # the turn under way
    "ordered": i16[MAX_SQUARES * len(DIRECTIONS)],  # pieces ordered away, by square * 4 + direction
    "leaving": i16[MAX_SQUARES],  # pieces ordered away from the square, all directions together
    "arriving": i16[MAX_SQUARES],  # pieces that arrive at the square at the end of this turn; you always see 0
    # the match
    "turn_order": i16[MAX_SQUARES],  # all owners, in the order of their turns
    "place": i16,  # whose turn it is: an index of turn_order
    "round": i16,  # rounds that are over
    # who has what; it follows from the board, and saves counting
    "squares_of": i16[MAX_SQUARES],  # squares of each owner
    "pieces_of": i16[MAX_SQUARES],  # pieces of each owner
    "armed": i16,  # how many owners have pieces
    "seats_left": i16,  # how many seats have squares
    "seats_armed": i16,  # how many seats have pieces: only they can give orders
    "most": i16,  # the most squares that any owner has; set when the match is over
}
