"""Liar's Dice: everybody rolls in secret, and bids on what lies under all cups together; who is caught loses a die."""

from rich.text import Text

from parlour.engine import UNKNOWN, Event, Game, Glance, Option, Seat, Secret, State, event, i8, roll, rule
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal
from parlour.engine.turns import end_match, end_turn

MOST_SEATS, MOST_DICE, FACES = 6, 5, 6
BIDS = MOST_SEATS * MOST_DICE * FACES  # bid b says: at least 1 + b // 6 dice show 1 + b % 6
LIAR = BIDS
FIELDS = {
    "showing": i8[MOST_SEATS * FACES],  # for each seat, how many of its dice show each face; -1 unknown
    "left": i8[MOST_SEATS],  # how many dice each seat has
    "bidder": i8[BIDS],  # who has made each bid of this round, counted from 1; 0: nobody
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
    words = "{seat} doubts it. There are {count} of face {face}: {loser} loses a die"
    seat: Seat
    count: int
    face: int
    loser: Seat


@rule
def setup(state, chance, journal=None):
    """Clauses 1 and 2: as many dice for each seat, and the first roll."""
    for seat in range(state.seats):
        state.left[seat] = state.dice
    roll_all(state, chance, journal)


@rule
def roll_all(state, chance, journal):
    """Clause 2: all roll what they have left, and nothing is bid yet."""
    for bid in range(BIDS):
        state.bidder[bid] = 0
    for seat in range(state.seats):
        roll_dice(state, seat, chance)
        if journal is not None:
            journal.append(Rolled(seat, faces_of(state, seat)))


@rule
def roll_dice(state, seat, chance):
    """Clause 2: the dice of one seat."""
    for face in range(FACES):
        state.showing[FACES * seat + face] = 0
    for _ in range(state.left[seat]):
        state.showing[FACES * seat + roll(chance) - 1] += 1


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
            roll_dice(state, other, chance)


@rule
def last_bid(state):
    """Clause 3: the highest bid of the round; -1 before the first."""
    for bid in range(BIDS - 1, -1, -1):
        if state.bidder[bid] > 0:
            return bid
    return -1


@rule
def legal(state, actions):
    """Clauses 3 and 4: any higher bid on no more dice than there are, or to doubt the last one."""
    count, last, dice = 0, last_bid(state), 0
    for seat in range(state.seats):
        dice += state.left[seat]
    for bid in range(last + 1, FACES * dice):
        actions[count] = bid
        count += 1
    if last >= 0:
        actions[count] = LIAR
        count += 1
    return count


@rule
def apply(state, action, chance, journal=None):
    """Clauses 3 to 5: a bid passes the turn on; a doubt costs one of two a die, and all roll again."""
    seat = state.to_move
    if action != LIAR:
        state.bidder[action] = seat + 1
        if journal is not None:
            journal.append(Bid(seat, action // FACES + 1, action % FACES + 1))
        end_turn(state, next_seat(state, seat))
        return
    bid = last_bid(state)
    state.found = 0
    for other in range(state.seats):
        state.found += state.showing[FACES * other + bid % FACES]
    loser = seat if state.found > bid // FACES else state.bidder[bid] - 1
    if journal is not None:
        journal.append(Caught(seat, state.found, bid % FACES + 1, loser))
    state.left[loser] -= 1
    begins = loser if state.left[loser] > 0 else next_seat(state, loser)
    if next_seat(state, begins) == begins:
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
    """Clause 5: the dice left."""
    return state.left[seat]


@rule
def won(state, seat):
    """Clause 5: whoever has dice left."""
    return state.left[seat] > 0


def faces_of(state: State, seat: int) -> str:
    if state.showing[FACES * seat] == UNKNOWN:
        return "? " * state.left[seat]
    return "".join(f"{face + 1} " * state.showing[FACES * seat + face] for face in range(FACES)) or "-"


def write(state: State, action: int) -> str:
    return "liar" if action == LIAR else f"{action // FACES + 1}x{action % FACES + 1}"


def board(state: State, *, ascii: bool = False) -> Text:
    bid = last_bid(state)
    lines = [f"{GAME.seat_name(seat)}: {faces_of(state, seat)}" for seat in range(state.seats)]
    return Text("\n".join([*lines, f"Bid: {write(state, bid) if bid >= 0 else 'none'}"]))


NOTATION, TERMINAL = Notation(write=write), Terminal(board=board)

# fmt: off
GAME = Game(
    name="liars_dice", title="Liar's Dice", summary="Roll in secret, bid on all dice, and catch who bids too much.",
    version=1, seats=(2, MOST_SEATS), usual_seats=3, glance=Glance((5, 20), "easy", "both"), fields=FIELDS,
    options=(Option("dice", MOST_DICE, low=1, high=MOST_DICE, help="dice for each player"),),
    max_actions=BIDS + 1, action_space=BIDS + 1, ply_limit=MOST_SEATS * MOST_DICE * (BIDS + 1),
    setup=setup, legal=legal, apply=apply, score=score, won=won, hide=hide, imagine=imagine,
    notation=__name__, terminal=__name__,
)
