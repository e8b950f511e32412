"""Where to run: the best thing in reach over travelled blocks, and the first step of the way there."""

from __future__ import annotations

from typing import Any

from parlour.engine import State, rule
from parlour.games.mazerunner.bots.style import Style
from parlour.games.mazerunner.bots.values import prize
from parlour.games.mazerunner.rules.maze import NO_SIDE, OFFSET, has_beyond, has_monster, is_open, is_travelled, is_wall
from parlour.games.mazerunner.rules.monsters import monster_on
from parlour.games.mazerunner.rules.run import cost
from parlour.games.mazerunner.rules.runner import MOST_HP
from parlour.games.mazerunner.state import BLOCKS, EDGE

# The room for a search, which need not be cleared before the next one: for each block, the number of the search that
# came there and the side of the first step; then the blocks in reach, ring by ring; then the search's number.
RINGS = BLOCKS
SEARCH = 2 * BLOCKS
ROOM = SEARCH + 1
SIDES = 4


@rule
def first_step(state: State, style: Style, may_explore: bool, room: Any) -> int:
    """The side to leave by for the best prize in reach, or NO_SIDE.

    A prize loses one for every half step on the way. Of prizes that are worth the same, that of the nearest block
    counts, and of those that of the northernmost.
    """
    new_block = worth_of_new_block(state, style) if may_explore else 0.0
    most_new = most_for_new_block(style, new_block)
    most = most_of_monsters(state, style)
    best, best_side, distance = 0.0, NO_SIDE, 0
    room[SEARCH] += 1
    room[state.at] = room[SEARCH] * SIDES
    room[RINGS] = state.at
    first, last = 0, 1  # the ring at this distance
    while first < last and distance < state.half_steps and max(most_new - distance, most) > best:
        following = last
        for place in range(first, last):
            block = room[RINGS + place]
            for side in range(SIDES):
                beyond = block + OFFSET[side]
                if is_open(state, block, side) and room[beyond] // SIDES != room[SEARCH]:
                    first_side = side if distance == 0 else room[block] % SIDES
                    worth = prize_beyond(state, style, block, side, distance, new_block) - distance
                    if worth > best:
                        best, best_side = worth, first_side
                    if can_pass(state, beyond):
                        room[beyond] = room[SEARCH] * SIDES + first_side
                        add_to_ring(room, last, following, beyond)
                        following += 1
        first, last, distance = last, following, distance + 1
    return best_side


@rule
def add_to_ring(room: Any, first: int, last: int, block: int) -> None:
    """Put the block into the ring between these places, north before south."""
    place = last
    while place > first and room[RINGS + place - 1] > block:
        room[RINGS + place] = room[RINGS + place - 1]
        place -= 1
    room[RINGS + place] = block


@rule
def most_of_monsters(state: State, style: Style) -> float:
    """No monster in the maze is worth more than this: its prize, less the shortest way that there could be."""
    most = 0.0
    for monster in range(state.lurking):
        block = state.monster_at[monster]
        distance = abs(block // EDGE - state.at // EDGE) + abs(block % EDGE - state.at % EDGE) - 1
        if distance < state.half_steps:
            most = max(most, prize(state, style, monster) - distance)
    return most


@rule
def worth_of_new_block(state: State, style: Style) -> float:
    """The prize of a block that nobody has travelled, wherever it is."""
    worth = style.new_block + style.new_block_for_each_resource * state.resource_roll
    return float(worth - style.new_block_for_each_hp * (MOST_HP - state.hp[state.to_move]))


@rule
def most_for_new_block(style: Style, new_block: float) -> float:
    """No new block is worth more than this."""
    if new_block <= 0:
        return 0.0
    around = max(style.new_block_for_each_neighbour, 0.0) + max(style.new_block_for_each_fork, 0.0)
    return new_block + (SIDES - 1) * around + max(style.new_block_as_last, 0.0)


@rule
def prize_beyond(state: State, style: Style, block: int, side: int, distance: int, new_block: float) -> float:
    """The prize behind that side of a block so many half steps away: of a monster, or of being the first there."""
    beyond = block + OFFSET[side]
    if has_monster(state, beyond):
        return prize(state, style, monster_on(state, beyond))
    if is_travelled(state, beyond) or new_block <= 0:
        return 0.0
    left = state.half_steps - distance - cost(state, beyond)
    if left < 0:
        return 0.0
    return new_block + outlook(state, style, block, side) + (style.new_block_as_last if left == 0 else 0.0)


@rule
def outlook(state: State, style: Style, block: int, side: int) -> float:
    """What a new block is worth for the other new blocks around it, and beside it."""
    beyond = block + OFFSET[side]
    worth = 0.0
    for other in range(SIDES):
        may_lead_on = has_beyond(beyond, other) and not is_wall(state, beyond, other)
        if may_lead_on and not is_travelled(state, beyond + OFFSET[other]):
            worth += style.new_block_for_each_neighbour
        if other != side and is_open(state, block, other) and not is_travelled(state, block + OFFSET[other]):
            worth += style.new_block_for_each_fork
    return worth


@rule
def can_pass(state: State, block: int) -> bool:
    """The block is travelled, and no monster stops the runner there."""
    if not is_travelled(state, block):
        return False
    return not has_monster(state, block) or state.power > state.monster_health[monster_on(state, block)]
