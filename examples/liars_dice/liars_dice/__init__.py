"""Liar's Dice: everybody rolls in secret, and bids on what lies under all cups together; who is caught loses a die."""

from parlour.engine import UNKNOWN, Event, Game, Glance, Option, Seat, Secret, State, event, i8, i16, roll, rule
from parlour.engine.turns import end_match, end_turn, list_run

MOST_SEATS, MOST_DICE, FACES = 6, 5, 6
LIAR = BIDS = MOST_SEATS * MOST_DICE * FACES  # bid b says: at least 1 + b // 6 dice show 1 + b % 6
FIELDS = {
    "showing": i8[MOST_SEATS * FACES],  # for each seat, how many of its dice show each face; -1 unknown
    "left": i8[MOST_SEATS],  # how many dice each seat has
    "on_table": i8,  # how many all have
    "bid": i16,  # the highest bid of the round, counted from 1; 0: none
    "bidder": i8[BIDS],  # who has made each bid of the round, counted from 1; 0: nobody
    "found": i8,  # how many dice showed the face that was doubted last: everybody has seen them
}


@event
class Rolled(Event):
    words = "{seat} rolls {dice}"
    others = "{seat} rolls in secret"
    seat: Seat
    dice: Secret[str]


@event
class Bid(Event):
    words = "{seat} bids {count} of face {face}"
    seat: Seat
    count: int
    face: int


@event
class Caught(Event):
    words = "there are {count}: {loser} loses a die"
    count: int
    loser: Seat


@rule
def setup(state, chance, journal=None):
    """Clauses 1 and 2: as many dice for each seat, and the first roll."""
    for seat in range(state.seats):
        state.left[seat] = state.dice
    state.on_table = state.seats * state.dice
    roll_all(state, chance, journal)


@rule
def roll_all(state, chance, journal):
    """Clause 2: all roll what they have left, and nothing is bid yet."""
    state.bid = 0
    for bid in range(BIDS):
        state.bidder[bid] = 0
    for place in range(FACES * state.seats):
        state.showing[place] = UNKNOWN
    imagine(state, -1, chance)
    if journal is not None:
        for seat in range(state.seats):
            journal.append(Rolled(seat, faces_of(state, seat)))


@rule
def hide(state, seat):
    """Clause 2: you look at your own dice alone."""
    for place in range(FACES * state.seats):
        if place // FACES != seat and state.left[place // FACES] > 0:
            state.showing[place] = UNKNOWN


@rule
def imagine(state, seat, chance):
    """Clause 2: dice that you do not see may show anything."""
    for other in range(state.seats):
        if state.showing[FACES * other] == UNKNOWN:
            for face in range(FACES):
                state.showing[FACES * other + face] = 0
            for _ in range(state.left[other]):
                state.showing[FACES * other + roll(chance) - 1] += 1


@rule
def legal(state, actions):
    """Clauses 3 and 4: any higher bid on no more dice than there are, or to doubt the last one."""
    count = list_run(actions, 0, state.bid, FACES * state.on_table - state.bid)
    return list_run(actions, count, LIAR, state.bid > 0)


@rule
def apply(state, action, chance, journal=None):
    """Clauses 3 to 5: a bid passes the turn on; a doubt costs one of two a die, and all roll again."""
    seat = state.to_move
    if action != LIAR:
        state.bid, state.bidder[action] = action + 1, seat + 1
        if journal is not None:
            journal.append(Bid(seat, action // FACES + 1, action % FACES + 1))
        end_turn(state, next_seat(state, seat))
        return
    bid = state.bid - 1
    state.found = 0
    for other in range(state.seats):
        state.found += state.showing[FACES * other + bid % FACES]
    loser = seat if state.found > bid // FACES else state.bidder[bid] - 1
    if journal is not None:
        journal.append(Caught(state.found, loser))
    state.left[loser] -= 1
    state.on_table -= 1
    begins = loser if state.left[loser] > 0 else next_seat(state, loser)
    if state.left[begins] == state.on_table:
        end_match(state)
    else:
        end_turn(state, begins)
        roll_all(state, chance, journal)


@rule
def next_seat(state, seat):
    """Clause 3: the next clockwise that has dice left."""
    found = (seat + 1) % state.seats
    while state.left[found] == 0:
        found = (found + 1) % state.seats
    return found


@rule
def score(state, seat):
    """Clause 5: 1 for whoever has dice left."""
    return int(state.left[seat] > 0)


def faces_of(state: State, seat: int) -> str:
    if state.showing[FACES * seat] == UNKNOWN:
        return "? " * int(state.left[seat])
    faces = [f"{face + 1} " * state.showing[FACES * seat + face] for face in range(FACES)]
    return "".join(faces) or "none"


# fmt: off
GAME = Game(
    name="liars_dice", title="Liar's Dice", summary="Roll in secret, bid on all dice, and catch who bids too much.",
    version=1, seats=(2, MOST_SEATS), usual_seats=3, glance=Glance((5, 20), "easy", "both"), fields=FIELDS,
    options=(Option("dice", MOST_DICE, low=1, high=MOST_DICE, help="dice for each player"),),
    max_actions=BIDS + 1, action_space=BIDS + 1, ply_limit=MOST_SEATS * MOST_DICE * (BIDS + 1),
    setup=setup, legal=legal, apply=apply, score=score, won=score, hide=hide, imagine=imagine,
    notation=f"{__name__}.words", terminal=f"{__name__}.words",
    picture=f"{__name__}.picture",
)
