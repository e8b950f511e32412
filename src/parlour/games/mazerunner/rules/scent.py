"""How a monster finds its way: the runner's scent spreads along travelled blocks until it reaches the monster."""

from parlour.engine import rule
from parlour.games.mazerunner.rules.maze import OFFSET, SCENT, TRAVELLED, is_open
from parlour.games.mazerunner.state import BLOCKS, EDGE


@rule
def next_block(state, start, goal):
    """Clause 32: the first block of the shortest travelled way from start to goal; start itself if there is none."""
    state.maze[goal] |= SCENT
    distance = 0
    while not has_scent(state, start) and spread_scent(state, goal, distance):
        distance += 1
    found = start
    if has_scent(state, start):
        found = first_scented(state, start)
    clear_scent(state)
    return found


@rule
def has_scent(state, block):
    """Clause 32: the scent has come to the block."""
    return state.maze[block] & SCENT != 0


@rule
def spread_scent(state, goal, distance):
    """Clause 32: one block further; returns whether it reached any new block.

    Blocks at this distance from the goal lie in a diamond around it, on every other square like the black ones of a
    chessboard. So those found now are not spread from in the same sweep.
    """
    row, column = goal // EDGE, goal % EDGE
    spread = False
    for y in range(max(row - distance, 0), min(row + distance + 1, EDGE)):
        reach = distance - abs(y - row)
        for x in range(column - reach, column + reach + 1, 2):
            if 0 <= x < EDGE and has_scent(state, y * EDGE + x) and spread_from(state, y * EDGE + x):
                spread = True
    return spread


@rule
def spread_from(state, block):
    """Clause 32: to every travelled block beyond an open side."""
    spread = False
    for side in range(4):
        if is_open(state, block, side):
            beyond = block + OFFSET[side]
            if state.maze[beyond] & (TRAVELLED | SCENT) == TRAVELLED:
                state.maze[beyond] |= SCENT
                spread = True
    return spread


@rule
def first_scented(state, block):
    """Clause 32: of ways equally short, the first of north, east, south, west."""
    for side in range(4):
        if is_open(state, block, side) and has_scent(state, block + OFFSET[side]):
            return block + OFFSET[side]
    return block


@rule
def clear_scent(state):
    """Clause 32: it is gone when the way is found."""
    for block in range(BLOCKS):
        state.maze[block] &= ~SCENT
