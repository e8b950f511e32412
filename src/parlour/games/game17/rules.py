"""The rules of game17. Clause numbers are those of rulebook.md."""

from parlour.engine import below, end_match, end_turn, list_run, rule
from parlour.games.game17 import events
from parlour.games.game17.state import MAX_PIECES, MAX_SQUARES, PIECES
from parlour.games.game17.state.squares import EAST, NORTH, SOUTH, WEST, neighbour

# Actions: 0 ends the turn; then come the orders, by square, direction and count; the last one lets the zombies play.
END = 0
GO = 1 + MAX_SQUARES * 4 * MAX_PIECES

# Two coins send a zombie's piece one of four ways. One draw tosses a coin for each of 30 pieces: all 2**30 outcomes
# are equally likely, so every coin is fair, whatever the others show.
COINS = 30


@rule
def setup(state, chance, journal=None):
    """Clauses 3 and 4: four pieces and an owner for each square, and the order of turns, both by chance."""
    squares = state.edge * state.edge
    for square in range(squares):
        state.owner[square] = square
        state.turn_order[square] = square
        state.pieces[square] = PIECES
        state.squares_of[square] = 1
        state.pieces_of[square] = PIECES
    shuffle(state.owner, squares, chance)
    shuffle(state.turn_order, squares, chance)
    state.armed = squares
    state.seats_left = state.seats
    state.seats_armed = state.seats
    if journal is not None:
        events.tell_opening(state, journal)
    if state.seats > 0:
        if state.turn_order[0] < state.seats:
            state.to_move = state.turn_order[0]
        play_to_next_choice(state, chance, journal)


@rule
def shuffle(owners, count, chance):
    """Clauses 3 and 4: every order of the owners is as likely as any other."""
    for last in range(count - 1, 0, -1):
        other = below(chance, last + 1)
        swapped = owners[last]
        owners[last] = owners[other]
        owners[other] = swapped


@rule
def legal(state, actions):
    """Clauses 5, 6 and 15: end the turn, or any order that can still be given; where nobody plays, only go."""
    if state.seats == 0:
        actions[0] = GO
        return 1
    actions[0] = END
    count = 1
    for square in range(state.edge * state.edge):
        if state.owner[square] == state.to_move:
            free = state.pieces[square] - state.leaving[square]
            for direction in range(4):
                if state.ordered[square * 4 + direction] == 0:
                    count = list_run(actions, count, order_action(square, direction, 1), free)
    return count


@rule
def order_action(square, direction, pieces):
    """The number of the order."""
    return 1 + (square * 4 + direction) * MAX_PIECES + pieces - 1


@rule
def order_way(action):
    """Where an order applies: square * 4 + direction."""
    return (action - 1) // MAX_PIECES


@rule
def order_pieces(action):
    """How many pieces an order moves."""
    return (action - 1) % MAX_PIECES + 1


@rule
def apply(state, action, chance, journal=None):
    """Clauses 5, 7 and 14: note an order, or carry out the turn; after it the zombies play until a seat is up."""
    if action != END and action != GO:
        give_order(state, order_way(action), order_pieces(action), journal)
        return
    if action == END:
        settle(state, state.to_move, carry_out(state, journal), chance, journal)
        finish_turn(state, journal)
    play_to_next_choice(state, chance, journal)


@rule
def give_order(state, way, pieces, journal):
    """Clause 6: so many pieces of a square are to go one way; nothing moves before the turn ends."""
    send(state, way // 4, way % 4, pieces)
    if journal is not None:
        journal.append(events.ordered(state, way, pieces))


@rule
def send(state, square, direction, pieces):
    """Clauses 6 and 12: so many more pieces of the square are to go that way."""
    state.ordered[square * 4 + direction] += pieces
    state.leaving[square] += pieces


@rule
def carry_out(state, journal):
    """Clause 7: all ordered pieces leave. Returns how many are on their way."""
    if journal is not None:
        journal.append(events.carried_out(state))
    moving = 0
    for square in range(state.edge * state.edge):
        if state.leaving[square]:
            moving += state.leaving[square]
            state.pieces[square] -= state.leaving[square]
            state.leaving[square] = 0
            for direction in range(4):
                state.arriving[neighbour(state.edge, square, direction)] += state.ordered[square * 4 + direction]
                state.ordered[square * 4 + direction] = 0
    return moving


@rule
def settle(state, mover, moving, chance, journal):
    """Clauses 7 to 10: all arrive; where the mover is at home they join, elsewhere they clash."""
    square = 0
    while moving > 0:
        arrivals = state.arriving[square]
        if arrivals > 0:
            moving -= arrivals
            state.arriving[square] = 0
            if state.owner[square] == mover:
                state.pieces[square] += arrivals
            else:
                clash(state, square, mover, arrivals, chance, journal)
        square += 1


@rule
def clash(state, square, mover, arrivals, chance, journal):
    """Clauses 8 to 10: the larger side owns the square and all pieces on it; a coin decides a tie."""
    holder = state.owner[square]
    defenders = state.pieces[square]
    state.pieces[square] = defenders + arrivals
    mover_wins = arrivals > defenders
    if arrivals == defenders:
        mover_wins = below(chance, 2) == 1
    if journal is not None:
        journal.append(events.clashed(state, square, mover, arrivals, defenders, mover_wins))
    if mover_wins:
        hand_over_pieces(state, holder, mover, defenders)
        hand_over_square(state, square, mover)
    else:
        hand_over_pieces(state, mover, holder, arrivals)
    if journal is not None:
        events.tell_losses(state, holder if mover_wins else mover, defenders if mover_wins else arrivals, journal)


@rule
def hand_over_pieces(state, loser, winner, pieces):
    """Clauses 8 and 11: the pieces of the smaller side change hands; a seat without any orders nothing more."""
    state.pieces_of[loser] -= pieces
    state.pieces_of[winner] += pieces
    if pieces > 0 and state.pieces_of[loser] == 0:
        state.armed -= 1
        if loser < state.seats:
            state.seats_armed -= 1


@rule
def hand_over_square(state, square, winner):
    """Clauses 8 and 11: the square changes hands; a seat that has lost its last one is out."""
    loser = state.owner[square]
    state.owner[square] = winner
    state.squares_of[winner] += 1
    state.squares_of[loser] -= 1
    if state.squares_of[loser] == 0 and loser < state.seats:
        state.seats_left -= 1


@rule
def finish_turn(state, journal):
    """Clauses 4, 11, 16 and 17: the next owner with a square is up, unless the match is over."""
    this_round = state.round
    pass_on(state)
    if state.armed == 1 or state.round == state.rounds:
        state.most = most_squares(state)
        end_match(state)
        if journal is not None:
            events.tell_end(state, journal)
        return
    owner = state.turn_order[state.place]
    end_turn(state, owner if owner < state.seats else state.to_move)
    if journal is not None:
        if state.round != this_round:
            journal.append(events.RoundBegan(state.round + 1, state.rounds))


@rule
def pass_on(state):
    """Clauses 4 and 11: on to the next owner in the order of turns that owns a square, over into a new round."""
    while True:
        state.place += 1
        if state.place == state.edge * state.edge:
            state.place = 0
            state.round += 1
        if state.squares_of[state.turn_order[state.place]] > 0:
            return


@rule
def play_to_next_choice(state, chance, journal):
    """Clauses 11, 14 and 15: on to the next seat that can give orders; where nobody plays, to the end of the round."""
    told = None
    if journal is not None:
        told = []
    while not state.over and not can_order(state):
        this_round = state.round
        owner = state.turn_order[state.place]
        if owner < state.seats:
            finish_turn(state, told)
        else:
            zombie_turn(state, owner, chance, told)
        if state.seats == 0 and state.round != this_round:
            break
    if journal is not None:
        events.sum_up(state, told, journal)


@rule
def can_order(state):
    """Clause 11: the owner that is up is a seat, and has pieces."""
    owner = state.turn_order[state.place]
    return owner < state.seats and state.pieces_of[owner] > 0


@rule
def zombie_turn(state, zombie, chance, journal):
    """Clause 13: a zombie moves all its pieces at random."""
    if journal is not None:
        journal.append(events.ZombieMoved(zombie))
    settle(state, zombie, wander(state, zombie, chance), chance, journal)
    finish_turn(state, journal)


@rule
def wander(state, zombie, chance):
    """Clause 13: all pieces of the zombie leave. Returns how many are on their way."""
    staying = state.pieces_of[zombie]
    square = 0
    while staying > 0:
        if state.owner[square] == zombie and state.pieces[square] > 0:
            staying -= state.pieces[square]
            scatter(state, square, chance)
        square += 1
    return state.pieces_of[zombie]


@rule
def scatter(state, square, chance):
    """Clause 13: every piece leaves for one of the four neighbours, each as likely as the others."""
    pieces = state.pieces[square]
    while pieces > 0:
        tossing = (1 << min(pieces, COINS)) - 1
        first = below(chance, 1 << COINS)
        second = below(chance, 1 << COINS)
        state.arriving[neighbour(state.edge, square, NORTH)] += ones(first & second & tossing)
        state.arriving[neighbour(state.edge, square, SOUTH)] += ones(first & ~second & tossing)
        state.arriving[neighbour(state.edge, square, EAST)] += ones(~first & second & tossing)
        state.arriving[neighbour(state.edge, square, WEST)] += ones(~first & ~second & tossing)
        pieces -= COINS
    state.pieces[square] = 0


@rule
def ones(bits):
    """How many of 30 bits are set: added up in pairs, in fours, in eights, and all together."""
    bits = (bits & 0x55555555) + (bits >> 1 & 0x55555555)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = (bits & 0x0F0F0F0F) + (bits >> 4 & 0x0F0F0F0F)
    return bits % 255


@rule
def most_squares(state):
    """Clause 18: what the leading owners have."""
    most = 0
    for owner in range(state.edge * state.edge):
        if state.squares_of[owner] > most:
            most = state.squares_of[owner]
    return most


@rule
def won(state, seat):
    """Clause 18: a seat, and nobody has more squares, no zombie either."""
    return seat < state.seats and state.squares_of[seat] == state.most


@rule
def score(state, seat):
    """Clause 18: the squares that the seat owns, empty ones included."""
    return state.squares_of[seat]


@rule
def out(state, seat):
    """Clause 11: a seat without a square is out."""
    return state.squares_of[seat] == 0


@rule
def order(state, seat):
    """Clause 4: how many seats have their turn before this one."""
    before = 0
    for place in range(state.edge * state.edge):
        owner = state.turn_order[place]
        if owner == seat:
            return before
        if owner < state.seats:
            before += 1
    return before


@rule
def pieces_on_the_board(state):
    """What no action may change: pieces change hands, none is lost."""
    total = 0
    for square in range(state.edge * state.edge):
        total += state.pieces[square]
    return total
