"""What a learner sees of the Game of the Goose. Seats come with its own first, then clockwise."""

from parlour.engine import Feature, rule, starts
from parlour.games.goose.state import MAX_SEATS
from parlour.games.goose.state.spaces import END

MOST_MONEY = 127  # what a byte holds; more is shown as this

FEATURES = (
    Feature("present", (MAX_SEATS,), "1 for each seat of the match"),
    Feature("to_move", (MAX_SEATS,), "1 for the seat to move"),
    Feature("position", (MAX_SEATS, END + 1), "1 for the space that the seat's piece is on"),
    Feature("resting", (MAX_SEATS,), "1 where the seat must miss a turn at the hotel"),
    Feature(
        "trapped",
        (MAX_SEATS,),
        "0 for a free piece; for one in the well or the prison its place in the order in which they fell in, from 1",
        high=MAX_SEATS,
    ),
    Feature("maze", (), "1 where the maze leads back to 30, and not to 39"),
    Feature("drink", (), "1 where space 61 is a drink"),
    Feature("stakes", (), "1 where the match is played for stakes"),
    Feature("balance", (MAX_SEATS,), "stakes won and paid", low=-MOST_MONEY, high=MOST_MONEY),
    Feature("pool", (), "stakes in the pool", high=MOST_MONEY),
)
PRESENT, TO_MOVE, POSITION, RESTING, TRAPPED, MAZE, DRINK, STAKES, BALANCE, POOL, _ = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position."""
    for place in range(state.seats):
        other = (seat + place) % state.seats
        features[PRESENT + place] = 1
        features[TO_MOVE + place] = state.to_move == other
        features[POSITION + place * (END + 1) + state.position[other]] = 1
        features[RESTING + place] = state.resting[other]
        features[TRAPPED + place] = order_of_trapped(state, other)
        features[BALANCE + place] = max(min(state.balance[other], MOST_MONEY), -MOST_MONEY)
    features[MAZE] = state.maze == 30
    features[DRINK] = state.drink
    features[STAKES] = state.stakes
    features[POOL] = min(state.pool, MOST_MONEY)


@rule
def order_of_trapped(state, seat):
    """Clause 12: who has waited longest is freed first."""
    since = state.trapped_since[seat]
    if since == 0:
        return 0
    order = 1
    for other in range(state.seats):
        if 0 < state.trapped_since[other] < since:
            order += 1
    return order
