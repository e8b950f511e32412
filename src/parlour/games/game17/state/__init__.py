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
    "owner": i16[MAX_SQUARES],  # of each square; an empty one keeps its last
    "pieces": i16[MAX_SQUARES],  # on each square
    # the turn under way
    "ordered": i16[MAX_SQUARES * len(DIRECTIONS)],  # pieces ordered away, by square * 4 + direction
    "leaving": i16[MAX_SQUARES],  # pieces ordered away from the square, all directions together
    "arriving": i16[MAX_SQUARES],  # pieces on their way to the square; 0 but within a turn's end
    # the match
    "turn_order": i16[MAX_SQUARES],  # the owners, as their turns come
    "place": i16,  # in turn_order, of the owner that is up
    "round": i16,  # rounds that are over
    # who has what; it follows from the board, and saves counting
    "squares_of": i16[MAX_SQUARES],  # squares of each owner
    "pieces_of": i16[MAX_SQUARES],  # pieces of each owner
    "armed": i16,  # owners with pieces
    "seats_left": i16,  # seats with squares
    "seats_armed": i16,  # seats with pieces: those who can still give orders
    "most": i16,  # squares of those who have the most, once the match is over
}
