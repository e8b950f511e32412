"""What a learner sees of Choccer. The board is as it lies, for both seats: actions use the same squares."""

from parlour.engine import Feature, rule, starts
from parlour.games.choccer.rules import LAST_TURN
from parlour.games.choccer.state import BLACK, COLUMNS, GEM_POINTS, KIND_NAMES, OPENING_BOARD, POINTS, ROWS, SQUARES

KINDS = len(KIND_NAMES) - 1
MOST_POINTS = sum(POINTS[abs(piece)] for piece in OPENING_BOARD) // 2 + 2 * GEM_POINTS[1] + GEM_POINTS[2]

FEATURES = (
    Feature("mine", (KINDS, ROWS, COLUMNS), "1 for a piece of the seat: circles, triangles, clovers, stars"),
    Feature("theirs", (KINDS, ROWS, COLUMNS), "the same of the other seat"),
    Feature("gems", (2, ROWS, COLUMNS), "1 for a gem: blue ones, the red one; the piece on the square holds it"),
    Feature("points", (2,), "of the seat, of the other seat", high=MOST_POINTS),
    Feature("turns_left", (), "of both seats together", high=LAST_TURN),
    Feature("black", (), "1 where the seat is Black, who scores in columns A and B; White scores in J and K"),
    Feature("to_move", (), "1 where it is the seat's choice"),
)
MINE, THEIRS, GEMS, POINTS_OF, TURNS_LEFT, IS_BLACK, TO_MOVE, _ = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position."""
    sign = 1 if seat == BLACK else -1
    for square in range(SQUARES):
        piece = state.board[square] * sign
        if piece > 0:
            features[MINE + (piece - 1) * SQUARES + square] = 1
        elif piece < 0:
            features[THEIRS + (-piece - 1) * SQUARES + square] = 1
        if state.gem[square]:
            features[GEMS + (state.gem[square] - 1) * SQUARES + square] = 1
    features[POINTS_OF] = state.points[seat]
    features[POINTS_OF + 1] = state.points[1 - seat]
    features[TURNS_LEFT] = LAST_TURN - state.turns
    features[IS_BLACK] = seat == BLACK
    features[TO_MOVE] = state.to_move == seat
