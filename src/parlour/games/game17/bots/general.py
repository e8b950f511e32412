"""The general: takes what it can take for certain, keeps its pieces together, and never walks into a larger force.

A plan works in three steps, all written into ``ordered`` and ``leaving`` of the position:

1. Blunder, on levels below the highest: some squares let their pieces wander, as zombies do.
2. Attack: again and again the best square that enough pieces next to it can take, and hold until the next turn.
3. March: pieces far from any enemy go to where the enemy is, and join on the way.

It runs interpreted and compiled. ``scratch`` is room to work in: ``SCRATCH`` numbers, whatever they are.
"""

from __future__ import annotations

from parlour.engine import State, below, rule
from parlour.engine.chance import Draws
from parlour.games.game17.rules import send
from parlour.games.game17.state import MAX_SQUARES
from parlour.games.game17.state.squares import neighbour

# In the scratch: what is ordered to each square that is attacked, and how far each square is from the enemy.
COMING = 0
DISTANCE = MAX_SQUARES
SCRATCH = 2 * MAX_SQUARES
FAR = 10_000

WANDERING = {1: 60, 2: 35, 3: 18, 4: 7, 5: 0}
"""Of a hundred squares, how many wander in a turn, by level."""


@rule
def plan_general(state: State, owner: int, chance: Draws, scratch: list[int], wandering: int) -> None:
    """The orders of a turn. ``wandering`` of a hundred squares blunder."""
    for square in range(state.edge * state.edge):
        scratch[COMING + square] = 0
        if state.owner[square] == owner and wandering > 0 and below(chance, 100) < wandering:
            for _ in range(state.pieces[square]):
                send(state, square, below(chance, 4), 1)
    while attack(state, owner, scratch):
        pass
    measure(state, owner, scratch)
    march(state, owner, scratch)


@rule
def free(state: State, square: int) -> int:
    """The pieces of the square that have no order yet."""
    return int(state.pieces[square] - state.leaving[square])


@rule
def at_hand(state: State, owner: int, square: int) -> int:
    """How many of the owner's pieces could still be sent to the square."""
    found = 0
    for direction in range(4):
        source = neighbour(state.edge, square, direction)
        if state.owner[source] == owner:
            found += free(state, source)
    return found


@rule
def is_falling(state: State, square: int, scratch: list[int]) -> bool:
    """Whether the square is to be taken this turn."""
    return bool(scratch[COMING + square] > state.pieces[square])


@rule
def danger(state: State, owner: int, square: int, scratch: list[int]) -> int:
    """What others could bring to the square before the next turn: rivals all they have, zombies what chance gives."""
    rivals, zombies = 0, 0
    for direction in range(4):
        source = neighbour(state.edge, square, direction)
        pieces = state.pieces[source]
        if state.owner[source] != owner and pieces > 0 and not is_falling(state, source, scratch):
            if state.owner[source] < state.seats:
                rivals += pieces
            else:
                zombies += (pieces + 1) // 2 if pieces < 8 else pieces // 3 + 2
    return max(rivals, zombies)


@rule
def force(state: State, owner: int, square: int, scratch: list[int]) -> int:
    """How many to attack the square with; 0 if it cannot be taken.

    Enough to hold it too, where there are so many. In the last round nothing has to be held any more.
    """
    defenders = state.pieces[square]
    available = at_hand(state, owner, square)
    if available <= defenders:
        return 0
    if state.round + 1 == state.rounds:
        return int(defenders + 1)
    return int(min(available, max(defenders + 1, danger(state, owner, square, scratch) - defenders + 1)))


@rule
def worth(state: State, owner: int, square: int, sent: int, scratch: list[int]) -> int:
    """What it is worth to take the square with that many; nothing from 0 down."""
    defenders = state.pieces[square]
    if state.round + 1 == state.rounds:
        return int(1000 - defenders)  # only squares count now: the cheapest first
    prize = 200 * defenders if state.owner[square] < state.seats else 100 * defenders
    if sent + defenders > danger(state, owner, square, scratch):
        return int(prize + 10 - sent)
    return int(prize - 60 * sent)


@rule
def attack(state: State, owner: int, scratch: list[int]) -> bool:
    """Order the most worthwhile attack that is left, if there is one."""
    best, best_worth, best_force = -1, 0, 0
    for square in range(state.edge * state.edge):
        if state.owner[square] != owner and scratch[COMING + square] == 0:
            sent = force(state, owner, square, scratch)
            if sent > 0:
                found = worth(state, owner, square, sent, scratch)
                if found > best_worth:
                    best, best_worth, best_force = square, found, sent
    if best < 0:
        return False
    scratch[COMING + best] = best_force
    gather(state, owner, best, best_force)
    return True


@rule
def gather(state: State, owner: int, goal: int, pieces: int) -> None:
    """Send that many to the goal, from the largest of the squares around it first."""
    while pieces > 0:
        largest, way, source = 0, 0, goal
        for direction in range(4):
            square = neighbour(state.edge, goal, direction)
            if state.owner[square] == owner and free(state, square) > largest:
                largest, way, source = free(state, square), direction ^ 1, square
        sent = min(largest, pieces)
        send(state, source, way, sent)
        pieces -= sent


@rule
def measure(state: State, owner: int, scratch: list[int]) -> None:
    """Note how far each square is from the nearest enemy pieces that will still be there."""
    squares = state.edge * state.edge
    for square in range(squares):
        is_enemy = state.owner[square] != owner and state.pieces[square] > 0
        scratch[DISTANCE + square] = 0 if is_enemy and not is_falling(state, square, scratch) else FAR
    changed = True
    while changed:
        changed = False
        for square in range(squares):
            for direction in range(4):
                nearer = scratch[DISTANCE + neighbour(state.edge, square, direction)] + 1
                if nearer < scratch[DISTANCE + square]:
                    scratch[DISTANCE + square] = nearer
                    changed = True


@rule
def march(state: State, owner: int, scratch: list[int]) -> None:
    """Pieces that no enemy stands next to go one square nearer, where the most others are or will be."""
    for square in range(state.edge * state.edge):
        if state.owner[square] == owner and free(state, square) > 0 and 1 < scratch[DISTANCE + square] < FAR:
            best, company = -1, -1
            for direction in range(4):
                goal = neighbour(state.edge, square, direction)
                is_own = state.owner[goal] == owner or is_falling(state, goal, scratch)
                others = state.pieces[goal] + scratch[COMING + goal]
                if is_own and scratch[DISTANCE + goal] < scratch[DISTANCE + square] and others > company:
                    best, company = direction, others
            if best >= 0:
                send(state, square, best, free(state, square))
