"""Where to run: the best thing in reach over travelled blocks, and the first step of the way there."""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.games.mazerunner.bots.values import best_prize, prize
from parlour.games.mazerunner.rules.maze import NO_SIDE, OFFSET, has_monster, is_open, is_travelled
from parlour.games.mazerunner.rules.monsters import monster_on
from parlour.games.mazerunner.rules.run import cost
from parlour.games.mazerunner.state import BLOCKS

UNSEEN = -2


@rule
def first_step(state: State, new_block: int) -> int:
    """The side to leave by for the best prize in reach, or NO_SIDE.

    A prize loses one for every half step on the way. ``new_block`` is the prize of a block that nobody has travelled.
    Of prizes that are worth the same, that of the nearest block counts, and of those that of the northernmost.
    """
    most = max(new_block, best_prize(state))
    best, best_side, distance = 0, NO_SIDE, 0
    leaving_by = [UNSEEN] * BLOCKS  # the side of the first step towards each block that the runner can come to
    leaving_by[state.at] = NO_SIDE
    reached = [int(state.at)]  # those blocks, ring by ring
    first, last = 0, 1  # the ring at this distance
    while first < last and distance < state.half_steps and most - distance > best:
        for place in range(first, last):
            worth, side = look_around(state, reached[place], distance, new_block, leaving_by, reached, last)
            if worth > best:
                best, best_side = worth, side
        first, last, distance = last, len(reached), distance + 1
    return best_side


@rule
def look_around(
    state: State, block: int, distance: int, new_block: int, leaving_by: list[int], reached: list[int], next_ring: int
) -> tuple[int, int]:
    """The best prize beyond a block that far away, and the side of the first step there; notes where it leads on."""
    best, best_side = 0, NO_SIDE
    for side in range(4):
        beyond = block + OFFSET[side]
        if is_open(state, block, side) and leaving_by[beyond] == UNSEEN:
            first_side = side if distance == 0 else leaving_by[block]
            worth = prize_on(state, beyond, distance, new_block) - distance
            if worth > best:
                best, best_side = worth, first_side
            if can_pass(state, beyond):
                leaving_by[beyond] = first_side
                add_to_ring(reached, next_ring, beyond)
    return best, best_side


@rule
def add_to_ring(reached: list[int], first: int, block: int) -> None:
    """Put the block into the ring that begins there, north before south."""
    reached.append(block)
    place = len(reached) - 1
    while place > first and reached[place - 1] > block:
        reached[place] = reached[place - 1]
        place -= 1
    reached[place] = block


@rule
def prize_on(state: State, block: int, distance: int, new_block: int) -> int:
    """The prize of a block behind one that is so many half steps away: of its monster, or of being the first there."""
    if has_monster(state, block):
        return prize(state, monster_on(state, block))
    if is_travelled(state, block) or distance + cost(state, block) > state.half_steps:
        return 0
    return new_block


@rule
def can_pass(state: State, block: int) -> bool:
    """The block is travelled, and no monster stops the runner there."""
    if not is_travelled(state, block):
        return False
    return not has_monster(state, block) or state.power > state.monster_health[monster_on(state, block)]
