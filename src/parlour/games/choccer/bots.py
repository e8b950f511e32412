"""What plays Choccer well: a judgement of positions, for a search that weighs the best replies.

Everything is counted in hundredths of a point.
"""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.bots import Bots, SearchLevel
from parlour.games.choccer.rules import (
    DIRECTIONS,
    FIRST_DIRECTION,
    LAST_TURN,
    LONGEST,
    ROOM,
    STEP,
)
from parlour.games.choccer.sight import SIGHT, first_piece, is_guarded
from parlour.games.choccer.state import GEM_POINTS, PIECES, POINTS, SQUARES, ZONE_OF

# By kind of piece: none, circle, triangle, clover, star. What it is worth to take one, its points included, and what
# remains of that to whoever still has it.
PRIZE = (0, 240, 210, 520, 520)
USE = tuple(prize - 100 * points for prize, points in zip(PRIZE, POINTS, strict=True))
KINDS = len(PRIZE)

# The share of a gem's points that holding it is worth, by the turns it takes its holder to score it.
HOLDING = (100, 42, 27, 20, 16, 14, 12, 11, 10, 9, 8, 7)
TAKEN_BACK = 60  # the share of a gem's points that is lost when its captor is captured in turn

IN_HAND = 70  # of a hundred: what the seat to move can win at once
IN_DANGER = 25  # of a hundred: what the other seat could win if it were to move

EVEN = 200  # an advantage of this much is a chance of three in four at the end of a match,
EVEN_PER_TURN = 6  # and of so much more for every turn that is left


def turns_to_score(seat: int, kind: int) -> list[int]:
    """How many moves a piece needs from each square to the zone where its seat scores, on an empty board."""
    turns = [0 if zone == 1 - seat else -1 for zone in ZONE_OF]
    reached = [square for square in range(SQUARES) if turns[square] == 0]
    for square in reached:
        for to in squares_around(square, kind):
            if turns[to] < 0:
                turns[to] = turns[square] + 1
                reached.append(to)
    return turns


def squares_around(square: int, kind: int) -> list[int]:
    """Where a piece can go to on an empty board."""
    return [
        square + steps * STEP[direction]
        for direction in range(FIRST_DIRECTION[kind], FIRST_DIRECTION[kind] + 4)
        for steps in range(1, min(LONGEST[kind], ROOM[square * DIRECTIONS + direction]) + 1)
    ]


# By seat, kind and square. There is no piece of kind 0; it keeps the places of the others simple.
TURNS = tuple(
    turns
    for seat in range(2)
    for kind in range(KINDS)
    for turns in (turns_to_score(seat, kind) if kind else [len(HOLDING) - 1] * SQUARES)
)


@rule
def evaluate(state: State, seat: int) -> int:
    """How good the position is for the seat, from 0 to 1000: what both have, and what both can win next."""
    ahead = 0
    for side in range(2):
        worth = standing(state, side)
        worth += best_gain(state, side) * (IN_HAND if side == state.to_move else IN_DANGER) // 100
        ahead += worth if side == seat else -worth
    even: int = EVEN + EVEN_PER_TURN * (LAST_TURN - state.turns)
    chance = CERTAIN // 2 * abs(ahead) // (abs(ahead) + even)
    return CERTAIN // 2 + (chance if ahead > 0 else -chance)


@rule
def standing(state: State, seat: int) -> int:
    """What the seat has: points, pieces, and gems on their way."""
    total: int = 100 * state.points[seat]
    for place in range(seat * PIECES, seat * PIECES + state.count[seat]):
        square = state.pieces[place]
        kind = abs(state.board[square])
        total += USE[kind]
        if state.gem[square]:
            total += holding(seat, kind, square, state.gem[square])
    return total


@rule
def holding(seat: int, kind: int, square: int, gem: int) -> int:
    """What a gem is worth to the seat while a piece of that kind holds it there."""
    return GEM_POINTS[gem] * HOLDING[TURNS[(seat * KINDS + kind) * SQUARES + square]]


@rule
def best_gain(state: State, seat: int) -> int:
    """The most that the seat could win with one action, a capture or a gem scored."""
    best = 0
    for place in range(seat * PIECES, seat * PIECES + state.count[seat]):
        square = state.pieces[place]
        kind = abs(state.board[square])
        gem = state.gem[square]
        if gem:
            if TURNS[(seat * KINDS + kind) * SQUARES + square] == 1:
                best = max(best, GEM_POINTS[gem] * (100 - HOLDING[1]))
            continue
        for direction in range(FIRST_DIRECTION[kind], FIRST_DIRECTION[kind] + 4):
            to = first_piece(state, square, direction, LONGEST[kind])
            if state.board[to] * state.board[square] < 0:
                best = max(best, gain(state, seat, square, to, best))
    return best


@rule
def gain(state: State, seat: int, square: int, to: int, enough: int) -> int:
    """What a capture wins, less what it costs where the victim is guarded. Exact only where it is more than enough."""
    kind = abs(state.board[square])
    victim = abs(state.board[to])
    gem = state.gem[to]
    won = PRIZE[victim]
    if gem:
        won += holding(1 - seat, victim, to, gem) + holding(seat, kind, to, gem)
    if won > enough and is_guarded(state, 1 - seat, to):
        won -= PRIZE[kind] + TAKEN_BACK * GEM_POINTS[gem]
    return won


ADVICE = Advice(evaluate, minimax=True, explore=0.5)

# docs/strength.md has what the steps are worth.
LEVELS = {
    1: SearchLevel(1, slips=30),
    2: SearchLevel(3, slips=15),
    3: SearchLevel(10, slips=6),
    4: SearchLevel(120),
    5: SearchLevel(2000),
}

BOTS = Bots(advice=ADVICE, levels=LEVELS, sight=SIGHT)
