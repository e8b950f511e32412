"""The rules of the Game of the Goose. Clause numbers are those of rulebook.md."""

from parlour.engine import end_match, end_turn, roll, rule
from parlour.games.goose import events
from parlour.games.goose.state.spaces import (
    BRIDGE,
    BRIDGE_END,
    DEATH,
    END,
    HOTEL,
    MAZE,
    PRISON,
    START,
    WELL,
    is_goose,
    is_hazard,
)

ROLL = 0


@rule
def setup(state, chance, journal=None):
    """Clauses 1 and 2: all pieces on the start; the highest throw begins, tied leaders throw again."""
    if state.stakes:
        for seat in range(state.seats):
            pay_stake(state, seat, journal)
    leaders = (1 << state.seats) - 1
    while leaders & (leaders - 1):
        leaders = highest_throwers(state, leaders, chance, journal)
    for seat in range(state.seats):
        if leaders >> seat & 1:
            state.to_move = seat
    if journal is not None:
        journal.append(events.Begins(state.to_move))


@rule
def highest_throwers(state, seats, chance, journal):
    """Clause 2: all of these seats throw; those with the highest sum are left. Sets of seats are bits."""
    best = 0
    leaders = 0
    for seat in range(state.seats):
        if seats >> seat & 1:
            first = roll(chance)
            second = roll(chance)
            if journal is not None:
                journal.append(events.ThrewToBegin(seat, first, second))
            if first + second > best:
                best = first + second
                leaders = 0
            if first + second == best:
                leaders |= 1 << seat
    return leaders


@rule
def legal(state, actions):
    """Clause 3: there is nothing to decide but to throw the dice."""
    actions[0] = ROLL
    return 1


@rule
def apply(state, action, chance, journal=None):
    """Clause 3: a turn is one throw of both dice."""
    seat = state.to_move
    first = roll(chance)
    second = roll(chance)
    if journal is not None:
        journal.append(events.Rolled(seat, first, second))
    began_at = state.position[seat]
    move(state, seat, first, second, journal)
    land(state, seat, began_at, journal)
    if state.position[seat] == END:
        win(state, seat, journal)
    else:
        end_turn(state, next_seat(state, seat, journal))


@rule
def move(state, seat, first, second, journal):
    """Clauses 4 to 6: forward by the sum, on from every goose, and back from 63 what is too many."""
    throw = first + second
    if state.position[seat] == START and throw == 9:
        to = 26 if first == 6 or first == 3 else 53
        state.position[seat] = to
        if journal is not None:
            journal.append(events.FirstThrow(seat, to))
        return
    step = throw
    while True:
        start = state.position[seat]
        to = start + step
        turned = to > END
        if turned:
            to = END - (to - END)
            step = -throw
        state.position[seat] = to
        if journal is not None:
            journal.append(events.Moved(seat, start, to, turned=turned))
        if not is_goose(to):
            return
        if journal is not None:
            journal.append(events.OnGoose(seat, to, back=step < 0))


@rule
def land(state, seat, began_at, journal):
    """Clauses 7 to 15: the space where the piece comes to rest may be a hazard, or taken."""
    space = state.position[seat]
    if is_hazard(space, state.drink):
        if journal is not None:
            journal.append(events.OnHazard(seat, space))
        if state.stakes:
            pay_stake(state, seat, journal)
        suffer(state, seat, space, journal)
    space = state.position[seat]
    if space != START and space != WELL and space != PRISON:
        swap_away(state, seat, space, began_at, journal)


@rule
def suffer(state, seat, space, journal):
    """Clauses 9 to 15: what each hazard does."""
    if space == BRIDGE:
        state.position[seat] = BRIDGE_END
    elif space == HOTEL:
        state.resting[seat] = 1
    elif space == WELL or space == PRISON:
        for other in range(state.seats):
            if other != seat and state.position[other] == space and state.trapped_since[other]:
                state.trapped_since[other] = 0
                if journal is not None:
                    journal.append(events.Freed(other, seat))
        state.trapped_since[seat] = state.turns + 1
    elif space == MAZE:
        state.position[seat] = state.maze
    elif space == DEATH:
        state.position[seat] = START
    if journal is not None:
        if state.position[seat] != space:
            journal.append(events.Led(seat, space, state.position[seat]))


@rule
def swap_away(state, seat, space, began_at, journal):
    """Clause 7: a piece landed on goes to where the mover began this turn, and keeps no waiting it had."""
    for other in range(state.seats):
        if other != seat and state.position[other] == space:
            state.position[other] = began_at
            state.resting[other] = 0
            if journal is not None:
                journal.append(events.Swapped(seat, other, space, began_at))
            if state.stakes:
                pay_stake(state, seat, journal)
                pay_stake(state, other, journal)


@rule
def pay_stake(state, seat, journal):
    """Clause 16: one stake from the seat into the pool. A balance may go below zero."""
    state.balance[seat] -= 1
    state.pool += 1
    if journal is not None:
        journal.append(events.PaidStake(seat, state.pool))


@rule
def next_seat(state, seat, journal):
    """Clauses 3, 10 and 11: clockwise, past those who are trapped or must miss a turn."""
    if state.trapped_since[seat] and is_everyone_trapped(state):
        free_longest_trapped(state, journal)
    while True:
        seat = seat + 1 if seat + 1 < state.seats else 0
        if state.trapped_since[seat]:
            continue
        if not state.resting[seat]:
            return seat
        state.resting[seat] -= 1
        if journal is not None:
            journal.append(events.MissedTurn(seat))


@rule
def is_everyone_trapped(state):
    for seat in range(state.seats):
        if not state.trapped_since[seat]:
            return False
    return True


@rule
def free_longest_trapped(state, journal):
    """Clause 12: if every seat waits in the well or the prison, the one who has waited longest is freed."""
    longest = 0
    for seat in range(1, state.seats):
        if state.trapped_since[seat] < state.trapped_since[longest]:
            longest = seat
    state.trapped_since[longest] = 0
    if journal is not None:
        journal.append(events.FreedAtLast(longest))


@rule
def win(state, seat, journal):
    """Clauses 6 and 17: whoever meets 63 exactly has won, and takes the pool."""
    if state.stakes:
        take_pool(state, seat, journal)
    if journal is not None:
        journal.append(events.Won(seat))
    end_match(state)


@rule
def take_pool(state, seat, journal):
    """Clause 17: the winner takes the pool."""
    if journal is not None:
        journal.append(events.TookPool(seat, state.pool))
    state.balance[seat] += state.pool
    state.pool = 0


def settle(state, winners, journal=None):
    """Clause 17: where the match ends early, the pool goes to whoever has not given up; if all agree, it is shared."""
    if state.pool == 0:
        return
    if len(winners) == 1:
        take_pool(state, winners[0], journal)
    else:
        share_pool(state, journal)


def share_pool(state, journal):
    """Clause 17: equal shares; what is left over goes stake by stake to those who play first, from whoever began."""
    share, left_over = divmod(state.pool, state.seats)
    for place in range(state.seats):
        seat = (state.first + place) % state.seats
        stakes = share + (place < left_over)
        state.balance[seat] += stakes
        state.pool -= stakes
        if journal is not None:
            journal.append(events.SharedPool(seat, stakes))


@rule
def won(state, seat):
    """Clause 6: the piece stands on 63."""
    return state.position[seat] == END


@rule
def score(state, seat):
    """Clause 18: 1 for the winner and 0 for the others; with stakes, the balance."""
    if state.stakes:
        return state.balance[seat]
    return 1 if state.position[seat] == END else 0


@rule
def money(state):
    """What no action may change: stakes move between the seats and the pool, none is lost."""
    total = state.pool
    for seat in range(state.seats):
        total += state.balance[seat]
    return total
