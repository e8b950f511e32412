"""The rules. They read and change whole numbers only, so that they can be compiled to machine code."""

from parlour.cli.new_game.template.small_game.events import Took, Won
from parlour.cli.new_game.template.small_game.state import MOST
from parlour.engine import end_match, end_turn, rule


@rule
def setup(state, chance, journal=None):
    """Clause 1: all pebbles are in the bowl. (For dice and draws, see ``roll`` and ``below`` in parlour.engine.)"""
    state.left = state.pebbles


@rule
def legal(state, actions):
    """Clauses 2 and 3: action 0 takes one pebble, 1 takes two, 2 takes three, as long as there are so many."""
    count = 0
    for action in range(MOST):
        if action + 1 <= state.left:
            actions[count] = action
            count += 1
    return count


@rule
def apply(state, action, chance, journal=None):
    """Clauses 2 and 4: the pebbles leave the bowl. Whoever takes the last one has won."""
    seat = state.to_move
    state.last = action + 1
    state.left -= state.last
    if journal is not None:
        journal.append(Took(seat, action + 1))
    if state.left > 0:
        end_turn(state, 1 - seat)
    else:
        end_match(state)
        if journal is not None:
            journal.append(Won(seat))


@rule
def won(state, seat):
    """Clause 4: the match is over, and this seat has taken the last pebble."""
    return state.left == 0 and seat == state.to_move


@rule
def score(state, seat):
    """Clause 4: 1 for the winner, 0 for the other."""
    return 1 if won(state, seat) else 0
