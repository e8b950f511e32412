"""How a T800 orders its pieces. See ``zombie`` for what a plan is."""

from __future__ import annotations

from parlour.engine import State, below, rule
from parlour.engine.chance import Draws
from parlour.games.game17.rules import send
from parlour.games.game17.state.squares import neighbour

SURE = 100  # what a piece on a neighbouring square weighs for a T800, beside the 1 that every direction weighs


@rule
def plan_t800(state: State, owner: int, chance: Draws) -> None:
    """From every square all pieces go where, with the most pieces next door first in mind, enough of them would arrive.

    Each direction weighs as much as there are pieces, plus a hundredth; those that would get too few are given
    up until none is left that would. A square with no direction left stays as it is.
    """
    for square in range(state.edge * state.edge):
        if state.owner[square] == owner and state.pieces[square] > 0:
            scatter_t800(state, square, chance)


@rule
def scatter_t800(state: State, square: int, chance: Draws) -> None:
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
def pieces_next_to(state: State, square: int, direction: int) -> int:
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
