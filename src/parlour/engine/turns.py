"""The course of a match: what the rules say to the engine (the turn is over, the match is over), and how a ply is
played. Whatever plays, a match of people, a simulation or a search, does so through ``begin`` and ``advance``.
"""

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


@rule
def list_run(actions, count, first, length):
    """For ``legal``: list the actions from ``first`` up, that many, behind the ``count`` that are there already.

    Returns how many there are then. A GPU that only counts the actions, or picks one, skips over such a run at once.
    """
    for action in range(first, first + length):
        actions[count] = action
        count += 1
    return count


@rule
def begin(setup, state, chance, journal):
    """Turn a blank position into an opening; ``setup`` is the game's."""
    setup(state, chance, journal)
    state.first = state.to_move


@rule
def advance(apply, state, action, chance, journal):
    """Play one legal action; ``apply`` is the game's."""
    apply(state, action, chance, journal)
    state.ply += 1
