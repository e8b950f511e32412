"""How zombies and T800s order their pieces: a whole turn at once, as rules, so that it runs interpreted and compiled.

A plan fills ``ordered`` and ``leaving`` of a position in which the owner has given no order yet; ending the turn is
left to whoever asked for it. ``owner`` need not be a seat.
"""

from __future__ import annotations

from typing import Any

from parlour.engine import below, rule
from parlour.games.game17.squares import neighbour

SURE = 100  # what a piece on a neighbouring square weighs for a T800, beside the 1 that every direction weighs


@rule
def send(state: Any, square: int, direction: int, pieces: int) -> None:
    """Order that many more pieces of the square to go that way."""
    state.ordered[square * 4 + direction] += pieces
    state.leaving[square] += pieces


@rule
def plan_zombie(state: Any, owner: int, chance: Any) -> None:
    """Every piece goes one of the four ways, all equally likely."""
    for square in range(state.edge * state.edge):
        if state.owner[square] == owner:
            for _ in range(state.pieces[square]):
                send(state, square, below(chance, 4), 1)


@rule
def plan_t800(state: Any, owner: int, chance: Any) -> None:
    """From every square all pieces go where, with the most pieces next door first in mind, enough of them would arrive.

    Each direction weighs as much as there are pieces, plus a hundredth; those that would get too few are given
    up until none is left that would. A square with no direction left stays as it is.
    """
    for square in range(state.edge * state.edge):
        if state.owner[square] == owner and state.pieces[square] > 0:
            scatter_t800(state, square, chance)


@rule
def scatter_t800(state: Any, square: int, chance: Any) -> None:
    north = pieces_next_to(state, square, 0)
    south = pieces_next_to(state, square, 1)
    east = pieces_next_to(state, square, 2)
    west = pieces_next_to(state, square, 3)
    ways = worthwhile(state.pieces[square], north, south, east, west)
    total = 0
    for direction in range(4):
        if ways >> direction & 1:
            total += SURE * pieces_next_to(state, square, direction) + 1
    if total > 0:
        for _ in range(state.pieces[square]):
            drawn = below(chance, total)
            direction = 0
            while True:
                if ways >> direction & 1:
                    drawn -= SURE * pieces_next_to(state, square, direction) + 1
                    if drawn < 0:
                        break
                direction += 1
            send(state, square, direction, 1)


@rule
def pieces_next_to(state: Any, square: int, direction: int) -> int:
    """The pieces on the neighbouring square, whoever owns them."""
    return int(state.pieces[neighbour(state.edge, square, direction)])


@rule
def worthwhile(pieces: int, north: int, south: int, east: int, west: int) -> int:
    """The directions that a T800 does not give up, one bit each, north first from the right."""
    counts = (north, south, east, west)
    ways, given_up = 15, True
    while ways and given_up:
        given_up = False
        total = 0
        for direction in range(4):
            if ways >> direction & 1:
                total += SURE * counts[direction] + 1
        left = ways
        for direction in range(4):
            if ways >> direction & 1 and (SURE * counts[direction] + 1) * pieces < counts[direction] * total:
                left &= ~(1 << direction)
                given_up = True
        ways = left
    return ways
