"""Where to run: the best thing in reach over travelled blocks, and the first step of the way there.

The scout spreads from the runner's block like a monster's scent does, ring by ring, and marks every block it comes to
with the side of the first step. The marks are bits of the maze that the rules do not use, and are gone when it is done.
"""

from __future__ import annotations

from typing import Any

from parlour.engine import rule
from parlour.games.mazerunner.rules.foes import monster_on
from parlour.games.mazerunner.rules.maze import NO_SIDE, OFFSET, SCENT, has_monster, is_open, is_travelled
from parlour.games.mazerunner.rules.run import cost
from parlour.games.mazerunner.rules.scent import has_scent
from parlour.games.mazerunner.state import BLOCKS, EDGE
from parlour.games.mazerunner.worth import best_prize, prize

HEADING = 2 * SCENT  # two bits: the side of the first step
MARKS = SCENT | 3 * HEADING


@rule
def first_step(state: Any, new_block: int) -> int:
    """The side to leave by for the best prize in reach, or NO_SIDE.

    A prize loses one for every half step on the way. ``new_block`` is the prize of a block that nobody has travelled.
    """
    most = max(new_block, best_prize(state))
    best, best_side = 0, NO_SIDE
    state.maze[state.at] |= SCENT
    distance = 0
    spread = True
    while spread and distance < state.half_steps and most - distance > best:
        found = look_at_ring(state, distance, new_block)
        spread = found & 1 != 0
        if found >> 3 > best:
            best, best_side = found >> 3, found >> 1 & 3
        distance += 1
    for block in range(BLOCKS):
        state.maze[block] &= ~MARKS
    return best_side


@rule
def look_at_ring(state: Any, distance: int, new_block: int) -> int:
    """Look around from every block at that distance (see ``spread_scent``); returns the same as ``look_around``."""
    row, column = state.at // EDGE, state.at % EDGE
    best, spread = 0, 0
    for y in range(max(row - distance, 0), min(row + distance + 1, EDGE)):
        reach = distance - abs(y - row)
        for x in range(column - reach, column + reach + 1, 2):
            if 0 <= x < EDGE and has_scent(state, y * EDGE + x):
                found = look_around(state, y * EDGE + x, distance, new_block)
                spread |= found & 1
                if found >> 3 > best >> 3:
                    best = found
    return best | spread


@rule
def look_around(state: Any, block: int, distance: int, new_block: int) -> int:
    """Mark the blocks beyond. Returns 8 × the best prize + 2 × the first step's side + whether any was marked."""
    best, best_heading, spread = 0, 0, 0
    for side in range(4):
        beyond = block + OFFSET[side]
        if is_open(state, block, side) and not has_scent(state, beyond):
            heading = side if distance == 0 else state.maze[block] // HEADING & 3
            worth = prize_on(state, beyond, distance, new_block) - distance
            if worth > best:
                best, best_heading = worth, heading
            if can_pass(state, beyond):
                state.maze[beyond] |= SCENT | heading * HEADING
                spread = 1
    return 8 * best + 2 * best_heading + spread


@rule
def prize_on(state: Any, block: int, distance: int, new_block: int) -> int:
    """The prize of a block so many half steps away: that of its monster, or of being the first there."""
    if has_monster(state, block):
        return prize(state, monster_on(state, block))
    if is_travelled(state, block) or distance + cost(state, block) > state.half_steps:
        return 0
    return new_block


@rule
def can_pass(state: Any, block: int) -> bool:
    """The block is travelled, and no monster stops the runner there."""
    if not is_travelled(state, block):
        return False
    return not has_monster(state, block) or state.power > state.monster_health[monster_on(state, block)]
