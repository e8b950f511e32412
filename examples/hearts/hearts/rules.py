"""The rules of Hearts, clause by clause: see rulebook.md."""

from hearts.events import DealOver, Dealt, Moon, Passed, Passing, Played, TrickTaken, card_name, card_names
from hearts.state import (
    ALL_POINTS,
    CARDS,
    CLUBS,
    DIAMONDS,
    FIRST,
    GONE,
    HAND,
    HEARTS,
    HOLD,
    NOT_YET,
    PASS,
    PASSES,
    RANKS,
    SEATS,
    SECOND,
    THIRD,
    TWO_OF_CLUBS,
    count_of,
    direction,
    has_only_hearts,
    has_only_points,
    led_suit,
    nth_card,
    receiver,
    suit_of,
    worth,
)
from parlour.engine import UNKNOWN, below, end_match, end_turn, list_run, rule


@rule
def setup(state, chance, journal=None):
    """Clause 2: the first deal."""
    deal_out(state, chance, journal)


@rule
def deal_out(state, chance, journal):
    """Clauses 2 to 4: thirteen cards for everybody; then cards are passed on, or the two of clubs leads."""
    for card in range(CARDS):
        state.holder[card], state.told[card] = UNKNOWN, 0
    for place in range(SEATS * 4):
        state.void[place] = 0
    state.tricks, state.is_broken = 0, 0
    for seat in range(SEATS):
        state.choice[seat], state.trick[seat], state.won_tricks[seat], state.taken[seat] = NOT_YET, 0, 0, 0
    spread(state, chance)
    if journal is not None:
        for seat in range(SEATS):
            journal.append(Dealt(seat, card_names(held_by(state, seat))))
        journal.append(Passing(direction(state)))
    state.is_passing = int(direction(state) != HOLD)
    state.leader = 0 if state.is_passing else state.holder[TWO_OF_CLUBS]
    state.to_move = state.leader


@rule
def spread(state, chance):
    """Clause 2: every card that is unknown goes to a seat that can have it; each way to do so is likely."""
    while not spread_once(state, chance):
        for card in range(CARDS):
            if state.holder[card] < UNKNOWN:
                state.holder[card] = UNKNOWN
    for card in range(CARDS):
        if state.holder[card] < UNKNOWN:
            state.holder[card] = UNKNOWN - 1 - state.holder[card]


@rule
def spread_once(state, chance):
    """Suit by suit, those first that the fewest can have; to each seat by the room that it has. False where it fails.

    Until all have found a seat, a card that goes to a seat counts as -2 - seat, so that it can be taken back.
    """
    for seat in range(SEATS):
        state.room[seat] = HAND - state.tricks - int(state.trick[seat] > 0)
        for card in range(CARDS):
            state.room[seat] -= int(state.holder[card] == seat)
    for takers in range(SEATS + 1):
        for suit in range(4):
            if takers_of(state, suit) == takers and not spread_suit(state, suit, chance):
                return False
    return True


@rule
def takers_of(state, suit):
    """How many seats can have cards of the suit."""
    count = 0
    for seat in range(SEATS):
        count += 1 - state.void[4 * seat + suit]
    return count


@rule
def spread_suit(state, suit, chance):
    """Deal the cards of a suit that are unknown; False where nobody who can have one has room for it."""
    for card in range(RANKS * suit, RANKS * suit + RANKS):
        if state.holder[card] == UNKNOWN:
            room = 0
            for seat in range(SEATS):
                room += state.room[seat] * (1 - state.void[4 * seat + suit])
            if room == 0:
                return False
            place, seat = below(chance, room), 0
            while state.void[4 * seat + suit] or place >= state.room[seat]:
                place -= state.room[seat] * (1 - state.void[4 * seat + suit])
                seat += 1
            state.room[seat] -= 1
            state.holder[card] = UNKNOWN - 1 - seat
    return True


@rule
def may_act(state, seat):
    """Clause 3: all pass at the same time; then it is one seat's turn."""
    if state.is_passing:
        return state.choice[seat] == NOT_YET
    return seat == state.to_move


@rule
def hide(state, seat):
    """Clauses 2 to 5: you see your hand, what you have passed on, what was played, and who has to lead."""
    for card in range(CARDS):
        is_mine = state.holder[card] == seat or state.holder[card] == GONE
        is_told = seat >= 0 and state.told[card] >> max(seat, 0) & 1
        has_to_lead = card == TWO_OF_CLUBS and not state.is_passing
        if not (is_mine or is_told or has_to_lead):
            state.holder[card] = UNKNOWN
        state.told[card] = state.told[card] & 1 << seat if seat >= 0 else 0
    for other in range(SEATS):
        if other != seat and state.choice[other] != NOT_YET:
            state.choice[other] = UNKNOWN


@rule
def imagine(state, seat, chance):
    """Clauses 2 and 3: the other cards lie as they may, but nobody has a suit that they have shown not to have."""
    spread(state, chance)
    for other in range(SEATS):
        if state.choice[other] == UNKNOWN:
            state.choice[other] = 1 + below(chance, PASSES)


@rule
def legal(state, actions):
    """Clauses 3 and 5 to 8: three cards to pass on; or a card of your hand, as the suit and the hearts allow."""
    if state.is_passing:
        return list_run(actions, 0, PASS, PASSES)
    count, seat = 0, state.to_move
    for card in range(CARDS):
        if state.holder[card] == seat and can_play(state, seat, card):
            actions[count] = card
            count += 1
    return count


@rule
def can_play(state, seat, card):
    """Clauses 5 to 8, of a card in the seat's hand."""
    if state.tricks == 0 and state.holder[TWO_OF_CLUBS] == seat:
        return card == TWO_OF_CLUBS
    suit = led_suit(state)
    if suit == UNKNOWN:
        return can_lead(state, seat, card)
    if count_of(state, seat, suit) > 0:
        return suit_of(card) == suit
    return state.tricks > 0 or worth(card) == 0 or has_only_points(state, seat)


@rule
def can_lead(state, seat, card):
    """Clause 7: no heart, before one was played; but whoever has nothing else."""
    return suit_of(card) != HEARTS or state.is_broken == 1 or has_only_hearts(state, seat)


@rule
def apply(state, action, chance, journal=None):
    """Clauses 3 to 13: cards are passed on; tricks are played, and deals, until the match is over."""
    if action >= PASS:
        choose_pass(state, action - PASS + 1, journal)
        return
    play_card(state, action, journal)
    for seat in range(SEATS):
        if state.trick[seat] == 0:
            end_turn(state, (state.to_move + 1) % SEATS)
            return
    take_trick(state, journal)
    if state.tricks < HAND:
        end_turn(state, state.leader)
        return
    count_deal(state, journal)
    if is_last_deal(state):
        end_match(state)
        return
    state.deal += 1
    end_turn(state, 0)
    deal_out(state, chance, journal)


@rule
def choose_pass(state, choice, journal):
    """Clause 3: when everybody has laid three cards down, all are taken up at once."""
    state.choice[state.to_move] = choice
    for seat in range(SEATS):
        if may_act(state, seat):
            end_turn(state, seat)
            return
    for seat in range(SEATS):
        mark_passed(state, seat, state.choice[seat] - 1)
    if journal is not None:
        for seat in range(SEATS):
            passed = [card for card in held_by(state, seat) if state.told[card]]
            journal.append(Passed(seat, receiver(state, seat), card_names(passed)))
    for card in range(CARDS):
        if state.told[card]:
            state.holder[card] = receiver(state, state.holder[card])
    for seat in range(SEATS):
        state.choice[seat] = NOT_YET
    state.is_passing, state.leader = 0, state.holder[TWO_OF_CLUBS]
    end_turn(state, state.leader)


@rule
def mark_passed(state, seat, triple):
    """Clause 3: the seat knows where these three cards go."""
    state.told[nth_card(state, seat, FIRST[triple])] = 1 << seat
    state.told[nth_card(state, seat, SECOND[triple])] = 1 << seat
    state.told[nth_card(state, seat, THIRD[triple])] = 1 << seat


@rule
def play_card(state, card, journal):
    """Clauses 6 to 8: the card is played; who does not follow suit shows that they cannot."""
    seat, suit = state.to_move, led_suit(state)
    if suit == UNKNOWN and suit_of(card) == HEARTS and not state.is_broken:
        for other in range(HEARTS):
            state.void[4 * seat + other] = 1
    elif suit != UNKNOWN and suit != suit_of(card):
        state.void[4 * seat + suit] = 1
        if state.tricks == 0 and worth(card) > 0:
            state.void[4 * seat + CLUBS] = state.void[4 * seat + DIAMONDS] = 1
    state.holder[card], state.told[card], state.trick[seat] = GONE, 0, card + 1
    if suit_of(card) == HEARTS:
        state.is_broken = 1
    if journal is not None:
        journal.append(Played(seat, card_name(card)))


@rule
def take_trick(state, journal):
    """Clauses 9 and 10: the highest card of the suit that was led takes the trick, and leads the next."""
    suit, best, points = led_suit(state), UNKNOWN, 0
    for seat in range(SEATS):
        card = state.trick[seat] - 1
        points += worth(card)
        if suit_of(card) == suit and card > best:
            best, state.leader = card, seat
    for seat in range(SEATS):
        state.trick[seat] = 0
    state.taken[state.leader] += points
    state.won_tricks[state.leader] += 1
    state.tricks += 1
    if journal is not None:
        journal.append(TrickTaken(state.leader, points))


@rule
def count_deal(state, journal):
    """Clauses 10 and 11: points are added up; all 26 go to the three others instead."""
    for seat in range(SEATS):
        if state.taken[seat] == ALL_POINTS:
            if journal is not None:
                journal.append(Moon(seat))
            for other in range(SEATS):
                state.taken[other] = ALL_POINTS if other != seat else 0
            break
    for seat in range(SEATS):
        state.total[seat] += state.taken[seat]
    if journal is not None:
        journal.append(DealOver(tuple(state.taken), tuple(state.total)))
    for seat in range(SEATS):
        state.taken[seat] = 0


@rule
def is_last_deal(state):
    """Clause 12: somebody has as many points as the match goes to, or as many deals as agreed are over."""
    if state.deal + 1 == state.deals:
        return True
    for seat in range(SEATS):
        if state.total[seat] >= state.points:
            return True
    return False


@rule
def score(state, seat):
    """Clause 13: points count against you."""
    return -state.total[seat] - state.taken[seat]


@rule
def won(state, seat):
    """Clause 13: whoever has the fewest; several may."""
    for other in range(SEATS):
        if state.total[other] < state.total[seat]:
            return False
    return seat < SEATS


def held_by(state, seat):
    """The seat's hand, in order."""
    return [card for card in range(CARDS) if state.holder[card] == seat]
