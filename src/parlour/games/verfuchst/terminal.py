"""Verfuchst in a terminal: the path winds down from the start to the goal, with gaps where tiles were taken.

   ╭─ START R2 B
╭1─┴─ −1╮ ╭2─── −2╮    A tile has its number and its value in its upper wall. In it stand pieces; below them
│R B2   │▸│       │    guardians (♜) and, where one may be moved, what to type for it.
│♜2 g1  │ │       │
╰───────╯ ╰───────╯
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.text import Text

from parlour.engine import State
from parlour.engine.terminal import SEAT_STYLES, Terminal, badge, in_ascii, seat_line
from parlour.games.verfuchst import rules
from parlour.games.verfuchst.seats import LETTERS, NAMES
from parlour.games.verfuchst.state import PIECES
from parlour.games.verfuchst.state.hands import hand_of
from parlour.games.verfuchst.state.names import signed
from parlour.games.verfuchst.state.tiles import GOAL, START, VALUE, is_lucky

NEGATIVE, POSITIVE, LUCKY = "indian_red", "dark_sea_green4", "gold3"
PATH = "grey50"
GUARDIAN = "bold bright_white"

PER_ROW = 8
ROWS = 4
INSIDE = 7  # columns between the walls of a tile
BEFORE, AFTER = 3, 5  # columns of a tile on either side of the one where the path enters from above or leaves below
WIDTH = PER_ROW * (INSIDE + 3) - 1

ASCII = str.maketrans("╭╮╰╯─│┴┬▸◂▶♜♣●○−±·⚀⚁⚂⚃⚄⚅", "++++-|++><>g%@.-~|      ")


class Way(NamedTuple):
    """How the path runs through a tile's place on the board."""

    enters: str  # "left", "right" or "above"
    leaves: str  # "left", "right" or "below"


def board(state: State, *, ascii: bool = False) -> Text:
    lines = [headline(state), Text(), *path(state), Text(), *seats(state), legend()]
    drawn = Text("\n").join(lines)
    return in_ascii(drawn, ASCII) if ascii else drawn


def headline(state: State) -> Text:
    """Whose turn it is and what was rolled, or who has won."""
    if state.over:
        winners = [seat for seat in range(state.seats) if rules.won(state, seat)]
        line = Text(" and ").join(badge(seat, f" {NAMES[seat]} ") for seat in winners)
        return line.append(f" {'win' if len(winners) > 1 else 'wins'} with {signed(state.best)}", style="bold")
    rolled = f"{state.die} {'⚀⚁⚂⚃⚄⚅'[state.die - 1]}"
    return Text.assemble(badge(state.to_move, f" {NAMES[state.to_move]} "), " has rolled ", (rolled, "bold"))


def path(state: State) -> Iterator[Text]:
    """The start, the rows of tiles to and fro, the goal."""
    yield end_of_path(state, START)
    for row in range(ROWS):
        tiles = [1 + row * PER_ROW + column for column in range(PER_ROW)]
        places = [place(state, tile, way(tile)) for tile in tiles]
        joint = "▸" if row % 2 == 0 else "◂"
        if row % 2:
            places.reverse()
        for number, parts in enumerate(zip(*places, strict=True)):
            yield Text(joint if number == 1 else " ", style=PATH).join(parts)
    yield end_of_path(state, GOAL)


def way(tile: int) -> Way:
    """How the path runs through this tile: rows go right and left in turn, each entered from the one above."""
    row, column = divmod(tile - 1, PER_ROW)
    forward, back = ("right", "left") if row % 2 == 0 else ("left", "right")
    return Way("above" if column == 0 else back, "below" if column == PER_ROW - 1 else forward)


def end_of_path(state: State, tile: int) -> Text:
    """The start above the first tile, the goal below the last, and who stands there."""
    corner, name = ("╭", "START") if tile == START else ("╰", "GOAL")
    line = Text.assemble((" " * BEFORE + corner + "─ ", PATH), (name, number_style(state, tile)))
    for token in standing(state, tile):
        line.append(" ").append(token)
    return line


def place(state: State, tile: int, through: Way) -> list[Text]:
    """The four lines of a tile, or of the gap that it has left."""
    return gap(through) if state.taken_by[tile] else box(state, tile, through)


def gap(through: Way) -> list[Text]:
    """The path where a tile was taken: a line from where it enters to where it leaves."""
    level, blank = "─" * (INSIDE + 2), " " * (INSIDE + 2)
    down = " " * BEFORE + "│" + " " * AFTER
    turns = {
        ("above", "right"): " " * BEFORE + "╰" + "─" * AFTER,
        ("above", "left"): "─" * BEFORE + "╯" + " " * AFTER,
        ("left", "below"): "─" * BEFORE + "╮" + " " * AFTER,
        ("right", "below"): " " * BEFORE + "╭" + "─" * AFTER,
    }
    above = down if through.enters == "above" else blank
    below = down if through.leaves == "below" else blank
    return [Text(part, style=PATH) for part in (above, turns.get(through, level), below, below)]


def box(state: State, tile: int, through: Way) -> list[Text]:
    """A tile: number and value in its upper wall, then who stands on it."""
    wall = style_of(tile)
    value = "luck" if is_lucky(tile) else signed(VALUE[tile])
    upper = f"{tile}{'─' * INSIDE}"[: INSIDE - 1 - len(value)] + " " + value
    lower = "─" * INSIDE
    if through.enters == "above":
        upper = upper[: BEFORE - 1] + "┴" + upper[BEFORE:]
    if through.leaves == "below":
        lower = lower[: BEFORE - 1] + "┬" + lower[BEFORE:]
    top = Text(f"╭{upper}╮", style=wall)
    top.stylize(number_style(state, tile), 1, 1 + len(str(tile)))
    top.stylize("bold", INSIDE + 1 - len(value), INSIDE + 1)
    inside = [Text.assemble(("│", wall), line, ("│", wall)) for line in occupants(state, tile)]
    return [top, *inside, Text(f"╰{lower}╯", style=wall)]


def style_of(tile: int) -> str:
    return LUCKY if is_lucky(tile) else NEGATIVE if VALUE[tile] < 0 else POSITIVE


def number_style(state: State, tile: int) -> str:
    """The number is lit where the seat to move has a piece to move."""
    first = state.to_move * PIECES
    mine = not state.over and tile != GOAL and tile in state.pieces[first : first + PIECES]
    return SEAT_STYLES[state.to_move] if mine else "bold"


def occupants(state: State, tile: int) -> list[Text]:
    """Two lines: the pieces, then the guardians and what to type to move one."""
    tokens = standing(state, tile)
    room = INSIDE - sum(map(len, tokens))
    spacing = " " if room >= len(tokens) - 1 else ""
    fitting = len(tokens) if room >= 0 else len(tokens) - 1
    upper = Text(spacing).join(tokens[:fitting])
    lower = Text().join(tokens[fitting:])
    if state.guardians_on[tile]:
        lower.append("♜" + several(state.guardians_on[tile]), style=GUARDIAN)
        hint = f" g{tile}"
        if state.pieces_on[tile] and len(lower) + len(hint) <= INSIDE:
            lower.append(hint)
    upper.truncate(INSIDE, pad=True)
    lower.truncate(INSIDE, pad=True)
    return [upper, lower]


def several(count: int) -> str:
    return str(count) if count > 1 else ""


def standing(state: State, tile: int) -> list[Text]:
    """Each seat's pieces on the tile: R for one, R2 for two."""
    found = []
    for seat in range(state.seats):
        count = state.pieces[seat * PIECES : (seat + 1) * PIECES].count(tile)
        if count:
            found.append(badge(seat, LETTERS[seat] + several(count)))
    return found


def seats(state: State) -> Iterator[Text]:
    """A line for each seat: its score as the tiles lie, its pieces that are home, its tiles."""
    for seat in range(state.seats):
        home = state.pieces[seat * PIECES : (seat + 1) * PIECES].count(GOAL)
        line = seat_line(state, seat, NAMES[seat], width=7)
        line.append(f"{signed(rules.score(state, seat)):>4}", style="bold")
        line.append(f"  home {'●' * home}{'○' * (PIECES - home)}  ")
        indent = len(line)
        for token in hand(state, seat):
            if len(line) + len(token) > WIDTH:
                yield line
                line = Text(" " * indent)
            line.append(token).append(" ")
        yield line


def hand(state: State, seat: int) -> Iterator[Text]:
    """The seat's tiles: lucky ones, then the highest first; ± where a lucky tile has turned it."""
    hand = hand_of(state, seat)
    if hand.lucky:
        yield Text("♣" * len(hand.lucky), style=LUCKY)
    for tile in hand.turned:
        yield Text(f"±{-VALUE[tile]}", style=LUCKY)
    for tile in hand.rest:
        yield Text(signed(VALUE[tile]), style=style_of(tile))


def legend() -> Text:
    return Text("  ♜ guardian · ♣ lucky tile · ± turned by one · type 5, start, or g5 to move", style="dim")


TERMINAL = Terminal(board=board)
