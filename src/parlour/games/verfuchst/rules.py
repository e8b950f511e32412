"""The rules of Verfuchst. Clause numbers are those of rulebook.md."""

from parlour.engine import below, end_match, end_turn, roll, rule
from parlour.games.verfuchst import events
from parlour.games.verfuchst.state import PIECES, TILES
from parlour.games.verfuchst.state.tile_sets import (
    all_but_hindmost,
    beyond,
    hindmost,
    is_in,
    with_tile_if,
    without_tile,
    without_tile_if,
)
from parlour.games.verfuchst.state.tiles import FIRST_LUCKY, GOAL, LAST_LUCKY, MOST_NEGATIVE_FIRST, START, VALUE

GUARDIANS = 8
SIDES = 6

# An action is the tile that a piece leaves, or this number plus the tile that a guardian leaves.
GUARDIAN = TILES

ALL_TILES = (1 << TILES) - 1
SCORE_TILES = ALL_TILES - (1 << START) - (1 << GOAL)


@rule
def setup(state, chance, journal=None):
    """Clauses 1 to 4: the path is laid, pieces and guardians are in place, and lots are drawn for who begins."""
    state.path = ALL_TILES
    state.pieces_on[START] = PIECES * state.seats
    for guardian in range(GUARDIANS):
        state.guardians_on[FIRST_LUCKY + guardian] = 1
    state.to_move = below(chance, state.seats)
    if journal is not None:
        journal.append(events.Begins(state.to_move))
    roll_die(state, chance, journal)


@rule
def roll_die(state, chance, journal):
    """Clause 5: the turn begins with the roll, for the choice comes after it."""
    state.die = roll(chance, SIDES)
    if journal is not None:
        journal.append(events.Rolled(state.to_move, state.die))


@rule
def legal(state, actions):
    """Clauses 5 and 6: each tile with a piece of yours, each score tile where a guardian stands beside a piece."""
    count = 0
    last = GOAL
    first = state.to_move * PIECES
    for piece in range(first, first + PIECES):
        tile = state.pieces[piece]
        actions[count] = tile
        count += is_choice(tile, last)
        last = tile
    meetings = state.meetings & SCORE_TILES
    while meetings:
        actions[count] = GUARDIAN + hindmost(meetings)
        count += 1
        meetings = all_but_hindmost(meetings)
    return count


@rule
def is_choice(tile, last):
    """Clauses 5 and 9: a piece can leave any tile but the goal; two on the same tile are one choice."""
    return (tile != last) & (tile != GOAL)


@rule
def apply(state, action, chance, journal=None):
    """Clause 5: a turn is one move, of a piece or of a guardian, by the die."""
    seat = state.to_move
    if action < GUARDIAN:
        move_piece(state, seat, action, journal)
    else:
        move_guardian(state, seat, action - GUARDIAN, journal)
    if is_everyone_home(state):
        finish(state, journal)
    else:
        end_turn(state, next_seat(state, seat))
        roll_die(state, chance, journal)


@rule
def destination(state, tile):
    """Clauses 8 to 10: as many tiles on as the die shows, gaps not counted; at the goal all other steps expire."""
    ahead = beyond(state.path, tile)
    # Always five rounds: a processor cannot guess how long a loop over the die is, and guessing wrong costs more.
    for step in range(1, SIDES):
        further = all_but_hindmost(ahead)
        ahead = further if (step < state.die) & (further != 0) else ahead
    return hindmost(ahead)


def leaving(state, seat, tile):
    """Which of the seat's pieces leaves the tile, for the journal: of several, the one that the state has last."""
    return max(piece for piece in range(seat * PIECES, (seat + 1) * PIECES) if state.pieces[piece] == tile)


def way(state, start, to):
    """Clause 8: the tiles that a move steps on, for the journal; gaps do not count."""
    return tuple(tile for tile in range(start + 1, to + 1) if is_in(state.path, tile))


@rule
def move_piece(state, seat, start, journal):
    """Clauses 5 and 12: the piece moves, and the tile that it leaves may have to be taken."""
    to = destination(state, start)
    if journal is not None:
        journal.append(events.Moved(seat, start, to, leaving(state, seat, start), way(state, start, to)))
    advance(state, seat, start, to)
    state.pieces_on[to] += 1
    state.meetings = with_tile_if(state.guardians_on[to] != 0, state.meetings, to)
    state.pieces_on[start] -= 1
    state.meetings = without_tile_if(state.pieces_on[start] == 0, state.meetings, start)
    if can_take(state, start):
        take(state, seat, start, journal)
    if journal is not None:
        if to == GOAL:
            tell_home(state, seat, journal)


@rule
def advance(state, seat, start, to):
    """One of the seat's pieces goes from tile to tile; the three stay in order, the hindmost first."""
    first = seat * PIECES
    hindmost = state.pieces[first]
    middle = state.pieces[first + 1]
    foremost = state.pieces[first + 2]
    if foremost == start:
        foremost = to
    elif middle == start:
        middle = to
    else:
        hindmost = to
    state.pieces[first] = min(hindmost, middle)
    middle = max(hindmost, middle)
    state.pieces[first + 1] = min(middle, foremost)
    state.pieces[first + 2] = max(middle, foremost)


@rule
def move_guardian(state, seat, start, journal):
    """Clauses 6, 10 and 13: a guardian moves; the piece beside it stays, so no tile is taken."""
    to = destination(state, start)
    if journal is not None:
        guardian = sum(state.guardians_on[: start + 1]) - 1
        journal.append(events.MovedGuardian(seat, start, to, guardian, way(state, start, to)))
        if to == GOAL:
            journal.append(events.GuardianLeft())
    state.guardians_on[start] -= 1
    state.meetings = without_tile_if(state.guardians_on[start] == 0, state.meetings, start)
    state.guardians_on[to] += 1
    state.meetings = with_tile_if(state.pieces_on[to] != 0, state.meetings, to)


@rule
def can_take(state, tile):
    """Clauses 12 and 13: neither a piece nor a guardian is left on the tile, and it is not the start."""
    return state.pieces_on[tile] == 0 and state.guardians_on[tile] == 0 and tile != START


@rule
def take(state, seat, tile, journal):
    """Clauses 8 and 12: the tile goes to the seat, and the path closes over the gap."""
    state.path = without_tile(state.path, tile)
    state.taken_by[tile] = seat + 1
    state.face_value[seat] += VALUE[tile]
    if FIRST_LUCKY <= tile <= LAST_LUCKY:
        state.lucky[seat] += 1
    if journal is not None:
        journal.append(events.Took(seat, tile))


@rule
def tell_home(state, seat, journal):
    """Clauses 9 and 14: how many of the seat's pieces are home, and whether it is done."""
    first = seat * PIECES
    home = state.pieces[first : first + PIECES].count(GOAL)
    journal.append(events.CameHome(seat, home))
    if home == PIECES and not is_everyone_home(state):
        journal.append(events.Finished(seat))


@rule
def is_home(state, seat):
    """Clause 14: all pieces of the seat are home, for the hindmost is."""
    return state.pieces[seat * PIECES] == GOAL


@rule
def is_everyone_home(state):
    """Clause 15."""
    return state.pieces_on[GOAL] == PIECES * state.seats


@rule
def next_seat(state, seat):
    """Clauses 4 and 14: clockwise, past those whose pieces are all home."""
    while True:
        seat += 1
        if seat == state.seats:
            seat = 0
        if not is_home(state, seat):
            return seat


@rule
def finish(state, journal):
    """Clauses 15 to 18: the match is over; tiles are counted up, and the highest score wins."""
    state.best = count_up(state, 0, journal)
    for seat in range(1, state.seats):
        state.best = max(state.best, count_up(state, seat, journal))
    end_match(state)
    if journal is not None:
        tell_winners(state, journal)


@rule
def count_up(state, seat, journal):
    """Clauses 16 and 17: the sum of the seat's tiles, the most negative turned by its lucky tiles."""
    total = state.face_value[seat]
    lucky = state.lucky[seat]
    for tile in MOST_NEGATIVE_FIRST:
        if lucky == 0:
            break
        if state.taken_by[tile] == seat + 1:
            lucky -= 1
            total -= 2 * VALUE[tile]
            if journal is not None:
                journal.append(events.Turned(seat, VALUE[tile]))
    if journal is not None:
        journal.append(events.Scored(seat, total))
    return total


@rule
def tell_winners(state, journal):
    """Clause 18: who has won, alone or together."""
    winners = [seat for seat in range(state.seats) if won(state, seat)]
    for seat in winners:
        journal.append(events.Won(seat) if len(winners) == 1 else events.SharedWin(seat))


@rule
def score(state, seat):
    """Clauses 16 and 17: what the seat's tiles are worth as they lie."""
    return count_up(state, seat, None)


@rule
def won(state, seat):
    """Clause 18: nobody has a higher score."""
    return score(state, seat) == state.best


@rule
def everything(state):
    """What no action may change: how many tiles, pieces and guardians there are, wherever they are."""
    tiles = 0
    pieces = 0
    guardians = 0
    for tile in range(TILES):
        on_path = is_in(state.path, tile)
        tiles += on_path + (state.taken_by[tile] != 0)
        pieces += on_path * state.pieces_on[tile]
        guardians += on_path * state.guardians_on[tile]
    return (tiles * 100 + pieces) * 100 + guardians
