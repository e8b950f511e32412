"""The rules of Choccer. Clause numbers are those of rulebook.md."""

from parlour.engine import end_match, end_turn, rule
from parlour.games.choccer import events
from parlour.games.choccer.state import (
    BLACK,
    COLUMNS,
    GEM_POINTS,
    OPENING_BOARD,
    OPENING_GEMS,
    PIECES,
    POINTS,
    RED,
    ROWS,
    SQUARES,
    WHITE,
    ZONE_OF,
)

LAST_TURN = 100

# By kind of piece: none, circle, triangle, clover, star.
LONGEST = (0, 1, 1, 3, 3)
FIRST_DIRECTION = (0, 0, 4, 0, 4)

# Directions:  4 0 5
#              1 . 2
#              6 3 7
DIRECTIONS = 8
ROW_STEP = (-1, 0, 0, 1, -1, -1, 1, 1)
COLUMN_STEP = (0, -1, 1, 0, -1, 1, -1, 1)
STEP = tuple(rows * COLUMNS + columns for rows, columns in zip(ROW_STEP, COLUMN_STEP, strict=True))


def room(square, direction):
    """How many squares there are from this one to the edge of the board."""
    row, column, count = square // COLUMNS + ROW_STEP[direction], square % COLUMNS + COLUMN_STEP[direction], 0
    while 0 <= row < ROWS and 0 <= column < COLUMNS:
        row, column, count = row + ROW_STEP[direction], column + COLUMN_STEP[direction], count + 1
    return count


ROOM = tuple(room(square, direction) for square in range(SQUARES) for direction in range(DIRECTIONS))

# An action is square * CHOICES + choice: the square acted from, and what the piece there does. A choice below MOVES
# is a move, direction * MAX_STEPS + steps - 1. The others pass a gem to one of the 5 x 5 squares around, row by row.
MAX_STEPS = 3
MOVES = DIRECTIONS * MAX_STEPS
RADIUS = 2
SPAN = 2 * RADIUS + 1
CHOICES = MOVES + SPAN * SPAN
PASS_TURN = SQUARES * CHOICES


@rule
def setup(state, chance, journal=None):
    """Clauses 1 to 4: the pieces and the gems as drawn; Black begins."""
    for square in range(SQUARES):
        state.board[square] = OPENING_BOARD[square]
        state.gem[square] = OPENING_GEMS[square]
        if state.board[square] != 0:
            add_to_list(state, BLACK if state.board[square] > 0 else WHITE, square)
    state.to_move = BLACK
    if journal is not None:
        journal.append(events.Begins(BLACK))


@rule
def legal(state, actions):
    """Clauses 5 and 15: one piece moves or passes its gem; only who can do neither passes the turn."""
    seat = state.to_move
    count = 0
    for place in range(seat * PIECES, seat * PIECES + state.count[seat]):
        square = state.pieces[place]
        count = add_moves(state, square, actions, count)
        if state.gem[square]:
            count = add_gem_passes(state, square, actions, count)
    if count == 0:
        actions[0] = PASS_TURN
        count = 1
    return count


@rule
def add_moves(state, square, actions, count):
    """Clauses 6 to 8: along each direction of the piece, up to the edge, its longest move or the first piece."""
    kind = abs(state.board[square])
    for direction in range(FIRST_DIRECTION[kind], FIRST_DIRECTION[kind] + 4):
        to = square
        for steps in range(min(LONGEST[kind], ROOM[square * DIRECTIONS + direction])):
            to += STEP[direction]
            if can_enter(state, square, to):
                actions[count] = square * CHOICES + direction * MAX_STEPS + steps
                count += 1
            if state.board[to] != 0:
                break
    return count


@rule
def can_enter(state, square, to):
    """Clauses 8, 9 and 12: a piece that holds a gem enters empty squares only, any other all but those of its side."""
    if state.gem[square]:
        return state.board[to] == 0 and state.gem[to] == 0
    return state.board[square] * state.board[to] <= 0


@rule
def add_gem_passes(state, square, actions, count):
    """Clause 13: to a piece of the same side without a gem, at most two rows and two columns away."""
    row = square // COLUMNS
    column = square % COLUMNS
    for to_row in range(max(row - RADIUS, 0), min(row + RADIUS, ROWS - 1) + 1):
        for to_column in range(max(column - RADIUS, 0), min(column + RADIUS, COLUMNS - 1) + 1):
            to = to_row * COLUMNS + to_column
            if state.board[to] * state.board[square] > 0 and state.gem[to] == 0:
                around = (to_row - row + RADIUS) * SPAN + to_column - column + RADIUS
                actions[count] = square * CHOICES + MOVES + around
                count += 1
    return count


@rule
def origin(action):
    """The square that the action is made from."""
    return action // CHOICES


@rule
def is_gem_pass(action):
    """Clause 5: the piece passes its gem, or else it moves."""
    return action % CHOICES >= MOVES


@rule
def target(action):
    """The square that the piece, or the gem, goes to."""
    choice = action % CHOICES
    if choice >= MOVES:
        around = choice - MOVES
        return action // CHOICES + (around // SPAN - RADIUS) * COLUMNS + around % SPAN - RADIUS
    direction = choice // MAX_STEPS
    return action // CHOICES + (choice % MAX_STEPS + 1) * STEP[direction]


@rule
def apply(state, action, chance, journal=None):
    """Clauses 5, 15 and 16: a turn is one action; the red gem or turn 100 ends the match."""
    seat = state.to_move
    red_scored = False
    if action == PASS_TURN:
        if journal is not None:
            journal.append(events.PassedTurn(seat))
    else:
        square = origin(action)
        to = target(action)
        if is_gem_pass(action):
            pass_gem(state, seat, square, to, journal)
        else:
            move_piece(state, seat, square, to, journal)
        red_scored = score_gem(state, seat, to, journal)
    if red_scored or state.turns + 1 >= LAST_TURN:
        finish(state, journal)
    else:
        end_turn(state, 1 - seat)


@rule
def move_piece(state, seat, square, to, journal):
    """Clauses 9 and 11: the piece goes there with the gem that it holds; it captures or picks up what is there."""
    if journal is not None:
        tell_move(state, seat, square, to, journal)
    if state.board[to] != 0:
        capture(state, seat, to, journal)
    elif state.gem[square] != 0:
        state.gem[to] = state.gem[square]
        state.gem[square] = 0
    state.board[to] = state.board[square]
    state.board[square] = 0
    move_in_list(state, seat, square, to)


def tell_move(state, seat, square, to, journal):
    """The move in events, before it is made."""
    kind = abs(state.board[square])
    if state.gem[square] != 0:
        journal.append(events.Carried(seat, kind, state.gem[square], square, to))
        return
    journal.append(events.Moved(seat, kind, square, to))
    if state.board[to] == 0 and state.gem[to] != 0:
        journal.append(events.PickedUp(seat, state.gem[to], to))


@rule
def capture(state, seat, square, journal):
    """Clauses 9, 10 and 17: the piece leaves the board for its points; its gem stays on the square, with the captor."""
    kind = abs(state.board[square])
    state.points[seat] += POINTS[kind]
    remove_from_list(state, 1 - seat, square)
    if journal is not None:
        journal.append(events.Captured(seat, kind, square, POINTS[kind]))
        if state.gem[square] != 0:
            journal.append(events.WonGem(seat, state.gem[square], square))


@rule
def pass_gem(state, seat, square, to, journal):
    """Clause 13: the gem goes from one piece to another."""
    state.gem[to] = state.gem[square]
    state.gem[square] = 0
    if journal is not None:
        journal.append(events.PassedGem(seat, state.gem[to], square, to))


@rule
def score_gem(state, seat, square, journal):
    """Clauses 14 and 17: a gem held in the opposing zone scores and leaves the board. Returns whether it was red."""
    gem = state.gem[square]
    if gem == 0 or ZONE_OF[square] != 1 - seat:
        return False
    state.gem[square] = 0
    state.points[seat] += GEM_POINTS[gem]
    if journal is not None:
        # What was told last, carried, passed, picked up or won, was told of the square that the gem was on.
        journal.append(events.Scored(seat, gem, square, GEM_POINTS[gem], journal[-1].square))
    return gem == RED


@rule
def finish(state, journal):
    """Clauses 16 and 18: the red gem is scored, or both have had their fifty turns."""
    end_match(state)
    if journal is not None:
        tell_result(state, journal)


def tell_result(state, journal):
    """The end in events."""
    black, white = state.points
    if black == white:
        journal.append(events.Drawn(black))
    else:
        journal.append(events.Won(BLACK if black > white else WHITE, max(black, white), min(black, white)))


@rule
def won(state, seat):
    """Clause 18: more points win; with equal points nobody does."""
    return state.points[seat] > state.points[1 - seat]


@rule
def score(state, seat):
    """Clause 17: the points of captured pieces and scored gems."""
    return state.points[seat]


@rule
def all_points(state):
    """What no action may change: the points scored, and those of all pieces and gems still on the board."""
    total = state.points[BLACK] + state.points[WHITE]
    for square in range(SQUARES):
        total += POINTS[abs(state.board[square])] + GEM_POINTS[state.gem[square]]
    return total


# Each seat's squares are kept in a list, ascending: so the legal actions come ascending, and equal positions are equal
# to the byte.


@rule
def add_to_list(state, seat, square):
    """The square is beyond all others in the list."""
    state.pieces[seat * PIECES + state.count[seat]] = square
    state.count[seat] += 1


@rule
def place_in_list(state, seat, square):
    """Where the list has this square, which it must have."""
    place = seat * PIECES
    while state.pieces[place] != square:
        place += 1
    return place


@rule
def move_in_list(state, seat, square, to):
    """One square for another, and those between them shift by a place."""
    place = place_in_list(state, seat, square)
    last = seat * PIECES + state.count[seat] - 1
    while place < last and state.pieces[place + 1] < to:
        state.pieces[place] = state.pieces[place + 1]
        place += 1
    while place > seat * PIECES and state.pieces[place - 1] > to:
        state.pieces[place] = state.pieces[place - 1]
        place -= 1
    state.pieces[place] = to


@rule
def remove_from_list(state, seat, square):
    """The squares after it move up, and the place left over is zero again."""
    last = seat * PIECES + state.count[seat] - 1
    for place in range(place_in_list(state, seat, square), last):
        state.pieces[place] = state.pieces[place + 1]
    state.pieces[last] = 0
    state.count[seat] -= 1
