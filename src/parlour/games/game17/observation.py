"""What a learner sees of game17. The board is as it lies, in the first rows and columns of a square of 24 by 24.

Owners are numbered with the learner's own seat first, then the other seats clockwise, then the zombies.
"""

from parlour.engine import Feature, rule, starts
from parlour.games.game17.state import MAX_EDGE, MAX_PIECES, MAX_SQUARES

MOST_ROUNDS = 1000
BOARD = (MAX_EDGE, MAX_EDGE)

FEATURES = (
    Feature("to_move", (), "1 where it is the seat's choice"),
    Feature("rounds_left", (), "until the match ends", high=MOST_ROUNDS),
    Feature("board", BOARD, "1 for each square of the board; whoever leaves over an edge arrives over the other"),
    Feature("owner", BOARD, "the number of the square's owner", high=MAX_SQUARES - 1),
    Feature("squares", (3, *BOARD), "1 for a square of the seat, of another seat, of a zombie"),
    Feature("pieces", (3, *BOARD), "pieces on it of the seat, of another seat, of a zombie", high=MAX_PIECES),
    Feature("ordered", (4, *BOARD), "pieces ordered away this turn: north, south, east, west", high=MAX_PIECES),
    Feature("wait", (MAX_SQUARES,), "places in the order of turns until each owner is up", high=MAX_SQUARES - 1),
)
TO_MOVE, ROUNDS_LEFT, ON_BOARD, OWNER, SQUARES, PIECES, ORDERED, WAIT, _ = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position."""
    features[TO_MOVE] = state.to_move == seat
    features[ROUNDS_LEFT] = state.rounds - state.round
    squares = state.edge * state.edge
    for place in range(squares):
        owner = numbered(state, seat, state.turn_order[place])
        features[WAIT + owner] = (place - state.place + squares) % squares
    for square in range(squares):
        observe_square(state, seat, square, features)


@rule
def numbered(state, seat, owner):
    """An owner's number as the seat counts."""
    return owner if owner >= state.seats else (owner - seat + state.seats) % state.seats


@rule
def observe_square(state, seat, square, features):
    """One square of the board."""
    place = square // state.edge * MAX_EDGE + square % state.edge
    owner = numbered(state, seat, state.owner[square])
    side = 0 if owner == 0 else 1 if owner < state.seats else 2
    features[ON_BOARD + place] = 1
    features[OWNER + place] = owner
    features[SQUARES + side * MAX_SQUARES + place] = 1
    features[PIECES + side * MAX_SQUARES + place] = state.pieces[square]
    for direction in range(4):
        features[ORDERED + direction * MAX_SQUARES + place] = state.ordered[square * 4 + direction]
