"""Goofspiel: everybody bids one card for the prize that lies there, all at the same time; the highest takes it."""

from parlour.engine import UNKNOWN, Event, Game, Glance, Option, Seat, below, event, i8, i16, rule
from parlour.engine.turns import end_match, end_turn

MOST_SEATS, MOST_CARDS = 4, 13
NOT_YET = 0
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FIELDS = {
    "spent": i8[MOST_SEATS * MOST_CARDS],  # for each seat, 1 for each card of its suit that it has spent
    "bid": i8[MOST_SEATS],  # the card that each seat bids in this round, counted from 1; 0 not yet; -1 unknown
    "turned": i8[MOST_CARDS],  # 1 for each prize that has been turned up
    "prize": i8,  # the one that is bid for, counted from 1
    "points": i16[MOST_SEATS],
}


@event
class Turned(Event):
    words = "the prize is {card}"
    card: str


@event
class Bid(Event):
    words = "{seat} bids {card}"
    seat: Seat
    card: str


@event
class Taken(Event):
    words = "{seat} takes the prize"
    seat: Seat


@rule
def setup(state, chance, journal=None):
    """Clauses 1 and 2: all cards are in the hands, and the first prize is turned up."""
    turn_up(state, chance, journal)


@rule
def turn_up(state, chance, journal):
    """Clause 2: one of the prizes that are left, each as likely as another."""
    left = 0
    for card in range(state.cards):
        left += 1 - state.turned[card]
    skip, prize = below(chance, left), 0
    while state.turned[prize] or skip > 0:
        skip -= 1 - state.turned[prize]
        prize += 1
    state.turned[prize], state.prize = 1, prize + 1
    if journal is not None:
        journal.append(Turned(RANKS[prize]))


@rule
def may_act(state, seat):
    """Clause 3: all bid at the same time."""
    return state.bid[seat] == NOT_YET


@rule
def hide(state, seat):
    """Clause 3: nobody sees what another bids, before all have."""
    for other in range(state.seats):
        if other != seat and state.bid[other] != NOT_YET:
            state.bid[other] = UNKNOWN


@rule
def imagine(state, seat, chance):
    """Clause 3: another may bid any card that it has."""
    for other in range(state.seats):
        if state.bid[other] == UNKNOWN:
            bid = below(chance, MOST_CARDS)
            while not has_card(state, other, bid):
                bid = below(chance, MOST_CARDS)
            state.bid[other] = bid + 1


@rule
def has_card(state, seat, card):
    """Clause 1: as many cards as there are prizes, and each is spent once."""
    return card < state.cards and state.spent[MOST_CARDS * seat + card] == 0


@rule
def legal(state, actions):
    """Clause 3: any card of your hand."""
    count = 0
    for card in range(state.cards):
        if has_card(state, state.to_move, card):
            actions[count] = card
            count += 1
    return count


@rule
def apply(state, action, chance, journal=None):
    """Clauses 3 to 5: a bid is laid down; the last one decides the round, and the last round the match."""
    state.bid[state.to_move] = action + 1
    for seat in range(state.seats):
        if may_act(state, seat):
            end_turn(state, seat)
            return
    highest, taker = 0, UNKNOWN
    for seat in range(state.seats):
        bid = state.bid[seat]
        state.spent[MOST_CARDS * seat + bid - 1], state.bid[seat] = 1, NOT_YET
        if journal is not None:
            journal.append(Bid(seat, RANKS[bid - 1]))
        if bid >= highest:
            highest, taker = bid, seat if bid > highest else UNKNOWN
    if taker != UNKNOWN:
        state.points[taker] += state.prize
        if journal is not None:
            journal.append(Taken(taker))
    if state.ply + 1 == state.cards * state.seats:
        end_match(state)
    else:
        end_turn(state, 0)
        turn_up(state, chance, journal)


@rule
def score(state, seat):
    """Clause 4: the prizes that you have taken."""
    return state.points[seat]


@rule
def won(state, seat):
    """Clause 5: whoever has the most points; several may."""
    for other in range(state.seats):
        if state.points[other] > state.points[seat]:
            return False
    return seat < state.seats


# fmt: off
GAME = Game(
    name="goofspiel", title="Goofspiel", summary="Everybody bids a card for each prize, all at the same time.",
    version=1, seats=(2, MOST_SEATS), glance=Glance((5, 10), "easy", "skill"), fields=FIELDS,
    options=(Option("cards", MOST_CARDS, low=2, high=MOST_CARDS, help="cards in each hand"),),
    max_actions=MOST_CARDS, action_space=MOST_CARDS, ply_limit=MOST_SEATS * MOST_CARDS,
    setup=setup, legal=legal, apply=apply, score=score, won=won, hide=hide, imagine=imagine, may_act=may_act,
    notation=f"{__name__}.words", terminal=f"{__name__}.words",
)
