"""What a judge looks at in Choccer: the board from the seat's own side, and which pieces can be captured.

The board is mirrored for White: both seats score in columns A and B, and what is learnt from one holds for the other.
"""

from parlour.engine import Feature, Sight, rule, starts
from parlour.games.choccer.rules import DIRECTIONS, FIRST_DIRECTION, LAST_TURN, LONGEST, MAX_STEPS, ROOM, STEP
from parlour.games.choccer.state import BLACK, COLUMNS, KIND_NAMES, PIECES, ROWS, SQUARES, WHITE

KINDS = len(KIND_NAMES) - 1
BOARD = (ROWS, COLUMNS)
FAR = 33  # points that nobody can be ahead by
NEAR = 8  # points; within these, every lead counts for itself
LATE = 16  # turns; within these, every turn counts for itself
OPEN, GUARDED = 1, 2

FEATURES = (
    Feature("mine", (KINDS, *BOARD), "1 for a piece of the seat: circles, triangles, clovers, stars"),
    Feature("theirs", (KINDS, *BOARD), "the same of the other seat"),
    Feature("loose", (2, *BOARD), "1 for a gem that nobody holds: blue ones, the red one"),
    Feature("held", (2, *BOARD), "1 for a gem that the seat holds"),
    Feature("lost", (2, *BOARD), "1 for a gem that the other seat holds"),
    Feature("prey", BOARD, "1 for a piece that the seat could capture; 2 if it is guarded", high=GUARDED),
    Feature("endangered", BOARD, "the same for pieces that the other seat could capture", high=GUARDED),
    Feature("lead", (), "in points", low=-FAR, high=FAR),
    Feature("near", (), "the lead again, at most 8", low=-NEAR, high=NEAR),
    Feature("turns_left", (), "of both seats together", high=LAST_TURN),
    Feature("late", (), "the turns again, at most 16", high=LATE),
)
MINE, THEIRS, LOOSE, HELD, LOST, PREY, ENDANGERED, LEAD, NEAR_LEAD, TURNS_LEFT, LATE_TURNS, _ = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position, and what can be captured in it."""
    for side in range(2):
        is_own = side == seat
        for place in range(side * PIECES, side * PIECES + state.count[side]):
            square = state.pieces[place]
            seen = seen_from(seat, square)
            kind = abs(state.board[square])
            features[(MINE if is_own else THEIRS) + (kind - 1) * SQUARES + seen] = 1
            if state.gem[square]:
                features[(HELD if is_own else LOST) + (state.gem[square] - 1) * SQUARES + seen] = 1
            else:
                mark_prey(state, seat, square, kind, PREY if is_own else ENDANGERED, features)
    for square in range(SQUARES):
        if state.gem[square] and state.board[square] == 0:
            features[LOOSE + (state.gem[square] - 1) * SQUARES + seen_from(seat, square)] = 1
    lead = state.points[seat] - state.points[1 - seat]
    features[LEAD] = lead
    features[NEAR_LEAD] = min(max(lead, -NEAR), NEAR)
    features[TURNS_LEFT] = LAST_TURN - state.turns
    features[LATE_TURNS] = min(LAST_TURN - state.turns, LATE)


@rule
def seen_from(seat, square):
    """Where the seat sees that square."""
    return square if seat == BLACK else square // COLUMNS * COLUMNS + COLUMNS - 1 - square % COLUMNS


@rule
def mark_prey(state, seat, square, kind, first, features):
    """Mark all that the piece on that square could capture."""
    for direction in range(FIRST_DIRECTION[kind], FIRST_DIRECTION[kind] + 4):
        to = first_piece(state, square, direction, LONGEST[kind])
        if state.board[to] * state.board[square] < 0:
            place = first + seen_from(seat, to)
            if features[place] == 0:
                victim = BLACK if state.board[to] > 0 else WHITE
                features[place] = GUARDED if is_guarded(state, victim, to) else OPEN


@rule
def first_piece(state, square, direction, longest):
    """The square of the first piece in that direction, so far a piece can move; if there is none, a square without."""
    to = square
    for _ in range(min(longest, ROOM[square * DIRECTIONS + direction])):
        to += STEP[direction]
        if state.board[to] != 0:
            break
    return to


@rule
def is_guarded(state, seat, square):
    """Whether a piece of the seat could capture on that square."""
    for direction in range(DIRECTIONS):
        to = square
        for steps in range(min(MAX_STEPS, ROOM[square * DIRECTIONS + direction])):
            to += STEP[direction]
            kind = abs(state.board[to])
            if kind:
                is_own = (state.board[to] < 0) == (seat == WHITE)
                reaches = steps < LONGEST[kind] and FIRST_DIRECTION[kind] == direction // 4 * 4
                if is_own and reaches and state.gem[to] == 0:
                    return True
                break
    return False


SIGHT = Sight(FEATURES, observe)
