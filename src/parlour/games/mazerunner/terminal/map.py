"""The map of the maze in a terminal.

In colour every block is three columns and one row: its passages are drawn as heavy pipes, and thin ones lead on into
what nobody has travelled. The ASCII map has a row between the blocks for the passages north and south. Rows far from
everything that is known are left out, so that a person need not scroll.
"""

from __future__ import annotations

from rich.text import Text

from parlour.engine import State
from parlour.games.mazerunner.rules.maze import BASE, EAST, MIDDLE, NORTH, OFFSET, OPEN_TO_ALL, SOUTH, TRAVELLED, WEST
from parlour.games.mazerunner.seats import TERMINAL_COLOURS
from parlour.games.mazerunner.state import BLOCKS, EDGE
from parlour.games.mazerunner.state.decks.monsters import MONSTERS

AROUND = 4  # rows that are always drawn north and south of the base

# By open sides, one bit each: north 1, east 2, south 4, west 8.
HEAVY = "▪╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
LIGHT = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"

FOG = "grey30"
EDGES = "grey50"
WAY = "bold"  # in the colour of the terminal, be it light or dark
FRONTIER = "cyan"
BASE_STYLE = "bold black on grey85"
MONSTER_STYLE = "bold bright_red"
AWAKE_STYLE = "bold white on red"


def open_sides(state: State, block: int) -> int:
    """The open sides as they are drawn: towards the base, too."""
    sides = int(state.maze[block]) & OPEN_TO_ALL
    for side in (NORTH, EAST, SOUTH, WEST):
        if block - OFFSET[side] == BASE:
            sides |= 1 << (side + 2) % 4
    return sides


def pieces(state: State) -> dict[int, tuple[str, str]]:
    """What stands on a block: its letter and style."""
    found = {BASE: ("⌂", BASE_STYLE)}
    for monster in range(state.lurking):
        letter = MONSTERS[state.monster_kind[monster]].letter
        style = AWAKE_STYLE if state.monster_awake[monster] else MONSTER_STYLE
        found[state.monster_at[monster]] = (letter, style)
    if state.at != BASE:
        found[state.at] = ("@", f"bold black on {TERMINAL_COLOURS[state.to_move]}")
    return found


def draw(state: State, *, ascii: bool) -> Text:
    """The rows around what is known, in all columns; of those left out, how many there are."""
    standing, shown = pieces(state), shown_rows(state)
    text = Text("   " + "".join(f" {chr(ord('A') + column)} " for column in range(EDGE)) + "\n", style=EDGES)
    row = 0
    while row < EDGE:
        if row in shown:
            draw_row(text, state, row, standing, ascii=ascii)
            if ascii and row + 1 in shown:
                blocks = range(row * EDGE, row * EDGE + EDGE)
                text.append("   " + "".join(" | " if joins_south(state, block) else "   " for block in blocks) + "\n")
            row += 1
        else:
            hidden = next((rows for rows in range(1, EDGE - row) if row + rows in shown), EDGE - row)
            text.append(f"    {hidden} row{'s' if hidden > 1 else ''} of fog\n", style=FOG)
            row += hidden
    return text


def shown_rows(state: State) -> set[int]:
    """Rows with anything known in them, the row on either side of each, and some around the base."""
    known = {block // EDGE for block in range(BLOCKS) if state.maze[block] & (TRAVELLED | OPEN_TO_ALL)}
    around = set(range(MIDDLE - AROUND, MIDDLE + AROUND + 1))
    return (around | {row + by for row in known for by in (-1, 0, 1)}) & set(range(EDGE))


def draw_row(text: Text, state: State, row: int, standing: dict[int, tuple[str, str]], *, ascii: bool) -> None:
    text.append(f"{row + 1:>2} ", style=EDGES)
    for block in range(row * EDGE, row * EDGE + EDGE):
        draw_block(text, state, block, standing, ascii=ascii)
    text.append("\n")


def joins_south(state: State, block: int) -> bool:
    south = block + EDGE
    return bool(open_sides(state, block) >> SOUTH & 1 or (south < BLOCKS and open_sides(state, south) >> NORTH & 1))


def draw_block(text: Text, state: State, block: int, standing: dict[int, tuple[str, str]], *, ascii: bool) -> None:
    sides = open_sides(state, block)
    travelled = bool(state.maze[block] & TRAVELLED)
    style = WAY if travelled else FRONTIER if sides else FOG
    line = "-" if ascii else "━" if travelled else "─"
    text.append(line if sides >> WEST & 1 else " ", style=style)
    if block in standing:
        letter, look = standing[block]
        text.append("#" if ascii and block == BASE else letter, style=look)
    elif ascii:
        text.append("+" if travelled else "?" if sides else ".", style=style)
    else:
        text.append((HEAVY if travelled else LIGHT)[sides], style=style)
    text.append(line if sides >> EAST & 1 else " ", style=style)
