"""The general: takes what it can take for certain, keeps its pieces together, and never attacks a larger force.

A plan works in four steps, all written into ``ordered`` and ``leaving`` of the position:

1. Blunder, on levels below 5: some squares let their pieces wander, as zombies do; never one's only square.
2. Attack: again and again the best square that enough pieces next to it can take, and hold until the next turn.
3. Retreat, on level 6: pieces that a larger force could take join others.
4. March: pieces far from any enemy go to where the enemy is, and join on the way. On level 6 they do not go next to a
   larger force.

It runs interpreted and compiled. ``scratch`` is room to work in: ``SCRATCH`` numbers, whatever they are.
"""

from __future__ import annotations

from typing import NamedTuple

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


class Numbers(NamedTuple):
    """How a general weighs things."""

    few: int  # what zombies bring from a square with fewer than 8 pieces: so many sixtieths of them
    few_more: int  # and so many sixtieths of a piece besides
    many: int  # the same for a square with more pieces
    many_more: int
    rival: int  # the prize for each piece of a rival
    zombie: int  # and of a zombie
    square: int  # the prize for a square that can be held
    sent: int  # what each piece costs that is sent to hold it; below 0, large forces are preferred
    risk: int  # what each piece costs that may be lost again
    careful: int  # marches only where there will be so many for each hundred that others could bring
    retreat: int  # leaves a square with fewer than so many for each hundred that others could bring
    toss: int = 0  # 1: also attacks with as many as there are, which a coin decides
    mercy: int = 0  # so many rounds long, nobody's only square is attacked


BOLD = Numbers(30, 30, 20, 120, rival=200, zombie=100, square=10, sent=1, risk=60, careful=0, retreat=0)
WISE = Numbers(22, 30, 13, 75, rival=200, zombie=100, square=60, sent=-2, risk=60, careful=200, retreat=140)


class Level(NamedTuple):
    """How strong a general is."""

    wandering: int = 0  # of a hundred squares, so many wander in a turn
    numbers: Numbers = BOLD


# Whoever meets the first two plays for the first time, and is to have some turns before being out.
KIND = BOLD._replace(mercy=5)
LEVELS = {1: Level(60, KIND), 2: Level(35, KIND), 3: Level(18), 4: Level(7), 5: Level(), 6: Level(numbers=WISE)}


@rule
def plan_general(state: State, owner: int, chance: Draws, scratch: list[int], wandering: int, numbers: Numbers) -> None:
    """The orders of a turn, beside those that were given already. ``wandering`` of a hundred squares blunder."""
    note_orders(state, owner, scratch)
    for square in range(state.edge * state.edge):
        if is_blundering(state, owner, square, chance, wandering):
            for _ in range(state.pieces[square]):
                send(state, square, below(chance, 4), 1)
    while attack(state, owner, scratch, numbers):
        pass
    if numbers.retreat > 0:
        retreat(state, owner, scratch, numbers)
    measure(state, owner, scratch)
    march(state, owner, scratch, numbers)


@rule
def is_blundering(state: State, owner: int, square: int, chance: Draws, wandering: int) -> bool:
    """Whether the square lets its pieces wander. Of the easier bots, one in three was out by the third round because
    its only square did."""
    may_wander = state.owner[square] == owner and state.squares_of[owner] > 1 and wandering > 0
    return bool(may_wander and below(chance, 100) < wandering)


@rule
def note_orders(state: State, owner: int, scratch: list[int]) -> None:
    """Begin the scratch with what is already ordered to squares of others."""
    for square in range(state.edge * state.edge):
        scratch[COMING + square] = 0
    for square in range(state.edge * state.edge):
        if state.leaving[square] > 0:
            for direction in range(4):
                goal = neighbour(state.edge, square, direction)
                if state.owner[goal] != owner:
                    scratch[COMING + goal] += state.ordered[square * 4 + direction]


@rule
def free(state: State, square: int) -> int:
    """The pieces of the square that have no order yet."""
    return int(state.pieces[square] - state.leaving[square])


@rule
def apart(edge: int) -> int:
    """How far apart directions are that lead to squares of their own: with an edge of 2, north and south are one."""
    return 2 if edge == 2 else 1


@rule
def at_hand(state: State, owner: int, square: int) -> int:
    """How many of the owner's pieces could still be sent to the square."""
    found = 0
    for direction in range(0, 4, apart(state.edge)):
        source = neighbour(state.edge, square, direction)
        if state.owner[source] == owner:
            found += free(state, source)
    return found


@rule
def is_falling(state: State, square: int, scratch: list[int]) -> bool:
    """Whether the square is to be taken this turn."""
    return bool(scratch[COMING + square] > state.pieces[square])


@rule
def danger(state: State, owner: int, square: int, scratch: list[int], numbers: Numbers) -> int:
    """What others could bring to the square before the next turn: rivals all they have, zombies what chance gives."""
    rivals, zombies = 0, 0
    for direction in range(0, 4, apart(state.edge)):
        source = neighbour(state.edge, square, direction)
        pieces = state.pieces[source]
        if state.owner[source] != owner and pieces > 0 and not is_falling(state, source, scratch):
            if state.owner[source] < state.seats:
                rivals += pieces
            else:
                if pieces < 8:
                    zombies += (pieces * numbers.few + numbers.few_more) // 60
                else:
                    zombies += (pieces * numbers.many + numbers.many_more) // 60
    return max(rivals, zombies)


@rule
def force(state: State, owner: int, square: int, scratch: list[int], numbers: Numbers) -> int:
    """How many to attack the square with, those that are ordered there already included; 0 if it cannot be taken.

    Enough to hold it too, where there are so many. In the last round nothing has to be held any more.
    """
    defenders = state.pieces[square]
    available = at_hand(state, owner, square) + scratch[COMING + square]
    if available + numbers.toss <= defenders:
        return 0
    if state.round + 1 == state.rounds:
        return int(min(available, defenders + 1))
    return int(min(available, max(defenders + 1, danger(state, owner, square, scratch, numbers) - defenders + 1)))


@rule
def worth(state: State, owner: int, square: int, sent: int, scratch: list[int], numbers: Numbers) -> int:
    """What it is worth to take the square with that many; nothing from 0 down."""
    defenders = state.pieces[square]
    if state.round + 1 == state.rounds:
        return int(1000 - defenders)  # only squares count now: the cheapest first
    prize = (numbers.rival if state.owner[square] < state.seats else numbers.zombie) * defenders
    if sent + defenders > danger(state, owner, square, scratch, numbers):
        return int(prize + numbers.square - numbers.sent * sent)
    return int(prize - numbers.risk * sent)


@rule
def is_spared(state: State, square: int, numbers: Numbers) -> bool:
    """Whether it is a seat's only square, and too early to take it."""
    holder = state.owner[square]
    return bool(state.round < numbers.mercy and holder < state.seats and state.squares_of[holder] == 1)


@rule
def attack(state: State, owner: int, scratch: list[int], numbers: Numbers) -> bool:
    """Order the most worthwhile attack that is left, if there is one."""
    best, best_worth, best_force = -1, 0, 0
    for square in range(state.edge * state.edge):
        is_open = state.owner[square] != owner and not is_falling(state, square, scratch)
        if is_open and not is_spared(state, square, numbers):
            sent = force(state, owner, square, scratch, numbers)
            if sent > scratch[COMING + square]:
                found = worth(state, owner, square, sent, scratch, numbers)
                if found > best_worth:
                    best, best_worth, best_force = square, found, sent
    if best < 0:
        return False
    gather(state, owner, best, best_force - scratch[COMING + best])
    scratch[COMING + best] = best_force
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
def retreat(state: State, owner: int, scratch: list[int], numbers: Numbers) -> None:
    """Pieces that could not hold their square join others next to them, where they are safer together."""
    for square in range(state.edge * state.edge):
        pieces = free(state, square)
        if state.owner[square] == owner and pieces > 0:
            feared = danger(state, owner, square, scratch, numbers)
            if 100 * pieces < numbers.retreat * feared:
                way = safest_way(state, owner, square, pieces - feared, scratch, numbers)
                if way >= 0:
                    send(state, square, way, pieces)


@rule
def safest_way(state: State, owner: int, square: int, lead: int, scratch: list[int], numbers: Numbers) -> int:
    """Where the free pieces would have more of a lead over what others could bring than here; -1 if nowhere."""
    best, pieces = -1, free(state, square)
    for direction in range(4):
        goal = neighbour(state.edge, square, direction)
        if state.owner[goal] == owner or is_falling(state, goal, scratch):
            there = free(state, goal) + scratch[COMING + goal]
            found = there + pieces - danger(state, owner, goal, scratch, numbers)
            if found > lead:
                best, lead = direction, found
    return best


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
def march(state: State, owner: int, scratch: list[int], numbers: Numbers) -> None:
    """Pieces that no enemy stands next to go one square nearer, where the most others are or will be."""
    for square in range(state.edge * state.edge):
        if state.owner[square] == owner and free(state, square) > 0 and 1 < scratch[DISTANCE + square] < FAR:
            best, company = -1, -1
            for direction in range(4):
                goal = neighbour(state.edge, square, direction)
                is_own = state.owner[goal] == owner or is_falling(state, goal, scratch)
                others = state.pieces[goal] + scratch[COMING + goal]
                if is_own and scratch[DISTANCE + goal] < scratch[DISTANCE + square] and others > company:
                    feared = danger(state, owner, goal, scratch, numbers) if numbers.careful > 0 else 0
                    if 100 * (others + free(state, square)) >= numbers.careful * feared:
                        best, company = direction, others
            if best >= 0:
                send(state, square, best, free(state, square))
