"""How good a position is: every owner's points, and the chances that they give. Zombies count, since they may win.

A hundred points double the odds. What things count was found by a fit to 19,651 positions of matches with one to four
seats (docs/strength.md): who won in the end, against the squares that each owner had. How many pieces somebody has told
nothing more.
"""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.engine.advice import CERTAIN

DOUBLE = 100  # points
MOST_DOUBLED = 40
SOON = 10  # rounds: before that, it does not matter how many are left
SQUARES, SQUARES_AT_LAST = 127, 5050  # all squares of the board: for each round left up to SOON, and over all of them
PLAYS = 117  # a seat, which does not move at random, for each round left up to SOON


@rule
def evaluate(state: State, seat: int) -> int:
    """The seat's chance to win, of CERTAIN. If the match is over, it is its share of the win."""
    own, total = 0, 0
    for owner in range(state.edge * state.edge):
        if state.squares_of[owner] > 0:
            odds = int(state.squares_of[owner] == state.most) if state.over else odds_of(points(state, owner))
            total += odds
            if owner == seat:
                own = odds
    return int(CERTAIN * own // total)


@rule
def odds_of(points: int) -> int:
    """A power of two, with straight lines between the whole ones."""
    return (DOUBLE + points % DOUBLE) << min(points // DOUBLE, MOST_DOUBLED)


@rule
def points(state: State, owner: int) -> int:
    """What the owner has, in points. The fewer rounds are left, the more squares count, and the less who plays."""
    left = state.rounds - state.round
    near = min(left, SOON)
    found = int(state.squares_of[owner]) * (SQUARES * near + SQUARES_AT_LAST // left) // (state.edge * state.edge)
    return int(found + (PLAYS * near if owner < state.seats else 0))
