"""The maze: its blocks, what is known of their sides, and how they are discovered.

    column 0 ........ 12 ........ 24
row  0   0    1  ...  12  ...     24          north is row − 1, east is column + 1
row 12 300  301 ... [312] ...    324          312 is the base
row 24 600  601 ...  612  ...    624
"""

from parlour.engine import below, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.state import BLOCKS, EDGE

NORTH, EAST, SOUTH, WEST = range(4)
NO_SIDE = -1
OFFSET = (-EDGE, 1, EDGE, -1)
MIDDLE = EDGE // 2
BASE = MIDDLE * EDGE + MIDDLE

# The bits of a block: OPEN << side where that side is open, WALL << side where it is a wall. A side with neither bit is
# not yet decided. The base opens to all sides, but no block has a bit for its side towards the base: nobody walks
# into the base, runners return to it from anywhere and monsters never enter it.
OPEN = 1
WALL = 16
OPEN_TO_ALL = 15
TRAVELLED = 256
MONSTER = 512
SCENT = 1024


@rule
def has_beyond(block, side):
    """Clause 3: whether the grid goes on beyond that side."""
    if side == NORTH:
        return block >= EDGE
    if side == SOUTH:
        return block < BLOCKS - EDGE
    if side == EAST:
        return block % EDGE < EDGE - 1
    return block % EDGE > 0


@rule
def is_open(state, block, side):
    """Clause 16: the side is known to be open."""
    return state.maze[block] >> side & 1 != 0


@rule
def is_wall(state, block, side):
    """Clause 16: the side is known to be a wall."""
    return state.maze[block] & WALL << side != 0


@rule
def is_travelled(state, block):
    """Clause 16: somebody has entered the block."""
    return state.maze[block] & TRAVELLED != 0


@rule
def has_monster(state, block):
    """Clause 26: a monster is on the block."""
    return state.maze[block] & MONSTER != 0


@rule
def discover(state, block, chance, journal):
    """Clauses 16 and 17: whoever first enters a block finds which of its undecided sides are open: one in three is."""
    draw = below(chance, 81)
    for side in range(4):
        if not has_beyond(block, side):
            state.maze[block] |= WALL << side
        elif not is_travelled(state, block + OFFSET[side]):
            if draw % 3 == 0 or must_be_open(state, block, side):
                decide(state, block, side, OPEN)
            else:
                decide(state, block, side, WALL)
        draw //= 3
    state.maze[block] |= TRAVELLED
    if journal is not None:
        journal.append(events.Discovered(block, state.maze[block] & OPEN_TO_ALL))


@rule
def decide(state, block, side, mark):
    """Clause 16: a passage is the same from both sides, and so is a wall."""
    state.maze[block] |= mark << side
    state.maze[block + OFFSET[side]] |= mark << (side + 2) % 4


@rule
def must_be_open(state, block, side):
    """Clause 17: no block is walled off from the base.

    Of two neighbours one is farther from the base. It has one or two sides that lead nearer, and this is one of them:
    it may be a wall only while the other one is not. So from every block some way leads nearer and nearer to the base;
    and the nearest of all untravelled blocks has an open side to a travelled one that is connected to the base.
    """
    beyond = block + OFFSET[side]
    farther = beyond if distance_to_base(beyond) > distance_to_base(block) else block
    other = other_side_home(farther, side)
    return other == NO_SIDE or is_wall(state, farther, other)


@rule
def distance_to_base(block):
    """Clause 17: counted in blocks, north or south plus east or west."""
    return abs(block // EDGE - MIDDLE) + abs(block % EDGE - MIDDLE)


@rule
def other_side_home(block, side):
    """Clause 17: the side that leads nearer to the base across the direction of the given one, if there is one."""
    if side == NORTH or side == SOUTH:
        column = block % EDGE
        if column == MIDDLE:
            return NO_SIDE
        return EAST if column < MIDDLE else WEST
    row = block // EDGE
    if row == MIDDLE:
        return NO_SIDE
    return SOUTH if row < MIDDLE else NORTH
