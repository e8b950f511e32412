"""The end of a run, of a turn, of a runner and of the match."""

from parlour.engine import end_match, end_turn, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import CHOOSE, SHOP
from parlour.games.mazerunner.rules.maze import BASE
from parlour.games.mazerunner.rules.runner import is_alive, lose_everything
from parlour.games.mazerunner.state import MAX_DICE


@rule
def return_to_base(state, journal):
    """Clause 18: the run is over; on to the shop."""
    state.at = BASE
    state.phase = SHOP
    if journal is not None:
        journal.append(events.Returned(state.to_move))


@rule
def finish_turn(state, journal):
    """Clauses 6, 33 and 42: monsters forget, the dice are put away, the next living runner is up."""
    forget(state, journal)
    put_dice_away(state)
    state.at = BASE
    state.came_from = BASE
    state.phase = CHOOSE
    if journal is not None:
        journal.append(events.TurnEnded(state.to_move))
    seat = next_seat(state)
    if state.round == state.rounds:
        end_match(state)
        if journal is not None:
            journal.append(events.TimeUp(state.rounds))
    else:
        end_turn(state, seat)


@rule
def next_seat(state):
    """Clauses 2 and 42: clockwise to the next living runner. A round is over when play comes to whoever began."""
    seat = state.to_move
    while True:
        seat = (seat + 1) % state.seats
        if seat == state.first:
            state.round += 1
        if is_alive(state, seat):
            return seat


@rule
def forget(state, journal):
    """Clause 33: at the end of the turn all monsters forget the runner. They stay where they are, with their wounds."""
    if state.awake == 0:
        return
    for monster in range(state.lurking):
        state.monster_awake[monster] = 0
    state.awake = 0
    if journal is not None:
        journal.append(events.Forgot(state.to_move))


@rule
def put_dice_away(state):
    """Clauses 11 and 12: dice, attack power, resource roll and steps are those of one turn."""
    for die in range(MAX_DICE):
        state.dice[die] = 0
    state.attack_dice = 0
    state.movement_dice = 0
    state.resource_dice = 0
    state.rolls_left = 0
    state.power = 0
    state.resource_roll = 0
    state.half_steps = 0
    state.lantern_lit = 0


@rule
def knock_out(state, journal):
    """Clauses 39 and 41: whoever is at 0 hp is out; the last one of several wins, and with all out nobody does."""
    seat = state.to_move
    lose_everything(state, seat)
    if journal is not None:
        journal.append(events.KnockedOut(seat))
    living = count_living(state)
    if living > 1:
        finish_turn(state, journal)
        return
    state.at = BASE
    state.phase = CHOOSE
    end_match(state)
    if journal is not None:
        if living == 1:
            journal.append(events.LastOne(last_living(state)))
        else:
            journal.append(events.AllOut())


@rule
def count_living(state):
    """Clause 41: how many are left alive."""
    living = 0
    for seat in range(state.seats):
        if is_alive(state, seat):
            living += 1
    return living


@rule
def last_living(state):
    """Clause 41: who is left, if anybody."""
    for seat in range(state.seats):
        if is_alive(state, seat):
            return seat
    return -1


@rule
def won(state, seat):
    """Clauses 40 to 42: ten map pieces; the last one alive; else the most map pieces of those alive, ties share."""
    if not is_alive(state, seat):
        return False
    for other in range(state.seats):
        if is_alive(state, other) and state.maps[other] > state.maps[seat]:
            return False
    return True


@rule
def out(state, seat):
    """Clause 39: whoever has 0 hp is out."""
    return not is_alive(state, seat)


@rule
def score(state, seat):
    """Clause 43: the score is the number of map pieces."""
    return state.maps[seat]
