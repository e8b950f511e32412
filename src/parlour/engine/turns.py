"""What the rules of every game say to the engine: the turn is over, the match is over, who has won."""

from __future__ import annotations

from parlour.engine.rule import rule


@rule
def end_turn(state, next_seat):
    """The seat to move has done all it does; the next seat is up."""
    state.turns += 1
    state.to_move = next_seat


@rule
def end_match(state):
    """The seat to move has finished its turn, and with it the match."""
    state.turns += 1
    state.over = 1


@rule
def clockwise(state, seat):
    """The seat's place in the order of play, where that is clockwise from whoever began."""
    return (seat - state.first) % state.seats
