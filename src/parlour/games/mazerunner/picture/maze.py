"""The maze: the part of it around the runner, all of it in small, and who is where.

Every block that is known has one spot. It lies in the large view where the block is in view, else on the small map.
Fog has none: whoever goes there has no place in the picture until the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from parlour.engine import State
from parlour.engine.language import cache_spoken
from parlour.engine.picture import number, tag
from parlour.games.mazerunner.picture.layout import LIGHT, MARGIN, MAZE, MINIMAP, MUTED, SHOWN, SMALL, VIEW, art, words
from parlour.games.mazerunner.rules.maze import BASE, NORTH, OFFSET, OPEN_TO_ALL, SOUTH, TRAVELLED, WALL, WEST
from parlour.games.mazerunner.seats import NAMES
from parlour.games.mazerunner.state import EDGE
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.names import SIDES, a_monster, block_name, join, said

BLOCK = 50  # what a block is drawn in
REACH = 98  # across the round spots of the blocks next to the runner: easy to hit, and they just touch
CELL = 9  # a block of the small map
INSET = 3.5
SCALE = SHOWN / BLOCK
KNOWN = 511  # of the bits of a block, those of its sides and whether it is travelled
ENTRANCES = tuple((BASE + OFFSET[side], 1 << (side + 2) % 4) for side in range(4))  # with the side towards the base

STRIDE = 3  # a view begins at every third column and row


@cache
def view_of(block: int) -> int:
    """The view for a runner on the block, told by the block in its upper left.

    It does not change at every step.
    """
    return _first(block // EDGE) * EDGE + _first(block % EDGE)


def _first(line: int) -> int:
    away = round((line - EDGE // 2) / STRIDE) * STRIDE
    return min(max((EDGE - VIEW) // 2 + away, 0), EDGE - VIEW)


@cache
def in_view(block: int, view: int) -> bool:
    return 0 <= block % EDGE - view % EDGE < VIEW and 0 <= block // EDGE - view // EDGE < VIEW


@cache
def centre(block: int, view: int) -> tuple[float, float]:
    """Where the block is: in the view, or else on the small map."""
    if not in_view(block, view):
        return on_map(block)
    column, row = block % EDGE - view % EDGE, block // EDGE - view // EDGE
    return MAZE.x + MARGIN + (column + 0.5) * SHOWN, MAZE.y + MARGIN + (row + 0.5) * SHOWN


def in_maze(block: int) -> tuple[float, float]:
    """The middle of the block, counted from the corner of the whole maze."""
    return (block % EDGE + 0.5) * BLOCK, (block // EDGE + 0.5) * BLOCK


@cache
def _shift(view: int) -> str:
    """From there to the picture."""
    x, y = MAZE.x + MARGIN - view % EDGE * SHOWN, MAZE.y + MARGIN - view // EDGE * SHOWN
    return f'transform="translate({number(x)} {number(y)}) scale({number(SCALE)})"'


@cache
def on_map(block: int) -> tuple[float, float]:
    x, y = MINIMAP.x + INSET, MINIMAP.y + INSET
    return x + (block % EDGE + 0.5) * CELL, y + (block // EDGE + 0.5) * CELL


def known_blocks(state: State) -> dict[int, int]:
    """What is known of each block that anything is known of: its open sides, its walls, whether it is travelled."""
    known = {block: bits & KNOWN for block, bits in enumerate(state.maze) if bits}
    for block, side in ENTRANCES:
        known[block] = known.get(block, 0) | side
    return known


class Look(NamedTuple):
    """A known block in the picture."""

    floor: str
    walls: str  # lines of a path
    on_map: str  # shapes of a path
    spot: str


@cache_spoken
def looks() -> Callable[[int, int, int], Look]:
    """How blocks look in the reader's language: one question for the hundreds of them in a picture."""
    return lru_cache(maxsize=30_000)(look)


def look(block: int, bits: int, view: int) -> Look:
    seen = in_view(block, view)
    floor = stones(block, bits) if seen else ""
    walls = wall_lines(block, bits) if seen and bits & TRAVELLED else ""
    return Look(floor, walls, map_lines(block, bits), block_spot(block, bits, "", view))


def draw(state: State, looks: list[Look]) -> list[str]:
    """The view and the map, without those who are in them."""
    view = view_of(state.at)
    walls = "".join([look.walls for look in looks])
    light = art("light", *in_maze(state.at)) if state.at != BASE else ""
    return [
        names_of_lines(view),
        f'<g clip-path="url(#mazerunner-view)"><g {_shift(view)}>',
        *[look.floor for look in looks],
        art("camp", *in_maze(BASE)),
        light,
        f'<path d="{walls}" transform="translate(0 7)" stroke="#0d0f18" stroke-opacity=".45" {_WALL}="10"/>',
        f'<path d="{walls}" stroke="#3a2f3d" {_WALL}="10"/>',
        f'<path d="{walls}" transform="translate(0 -2)" stroke="#8d7a86" {_WALL}="4"/></g></g>',
    ]


_WALL = 'fill="none" stroke-linecap="round" stroke-width'


@cache
def names_of_lines(view: int) -> str:
    """The letters of the columns and the numbers of the rows in view."""
    first = MAZE.x + MARGIN + SHOWN / 2
    letters = [
        words(letter, first + place * SHOWN, MAZE.y + 15, 26, MUTED, data_what=f"column-{letter}")
        for place in range(VIEW)
        for letter in (chr(ord("A") + view % EDGE + place),)
    ]
    numbers = [
        words(line, MAZE.x + 15, first + place * SHOWN, 24, MUTED, data_what=f"row-{line}")
        for place in range(VIEW)
        for line in (view // EDGE + place + 1,)
    ]
    return "".join(letters + numbers)


@lru_cache(maxsize=30_000)
def stones(block: int, bits: int) -> str:
    """A travelled block's stones; of an untravelled one, what can be seen of it through its open sides."""
    x, y = in_maze(block)
    if bits & TRAVELLED:
        return art(f"floor-{(block * 7 + block // EDGE * 3) % 4}", x, y)
    return "".join(art(f"dusk-{side}", x, y) for side in range(4) if bits >> side & 1)


@lru_cache(maxsize=30_000)
def wall_lines(block: int, bits: int) -> str:
    """A line of the path for each wall of the block."""
    x, y = in_maze(block)
    west, north = number(x - BLOCK / 2), number(y - BLOCK / 2)
    east, south = number(x + BLOCK / 2), number(y + BLOCK / 2)
    lines = (
        f"M{west} {north}H{east}",
        f"M{east} {north}V{south}",
        f"M{west} {south}H{east}",
        f"M{west} {north}V{south}",
    )
    return "".join(lines[side] for side in range(4) if bits & WALL << side)


@lru_cache(maxsize=30_000)
def map_lines(block: int, bits: int) -> str:
    x, y = on_map(block)
    if not bits & TRAVELLED:
        return f"M{number(x - 1.6)} {number(y - 1.6)}h3.2v3.2h-3.2z" if bits & OPEN_TO_ALL else ""
    wide, across = CELL - 6, CELL / 2
    parts = [f"M{number(x - wide / 2)} {number(y - wide / 2)}h{number(wide)}v{number(wide)}h-{number(wide)}z"]
    for side in range(4):
        if bits >> side & 1:
            left, up = x - (across if side == WEST else 2), y - (across if side == NORTH else 2)
            flat = side not in (NORTH, SOUTH)
            width, height = (across + 2, 4.0) if flat else (4.0, across + 2)
            parts.append(f"M{number(left)} {number(up)}h{number(width)}v{number(height)}h-{number(width)}z")
    return "".join(parts)


@cache
def _frame(view: int) -> str:
    x, y = MINIMAP.x + INSET + view % EDGE * CELL, MINIMAP.y + INSET + view // EDGE * CELL
    side = VIEW * CELL
    return tag(
        "rect", x=x, y=y, width=side, height=side, rx=6, fill="#fff", fill_opacity=0.06, stroke=LIGHT, stroke_width=2.5
    )


def monsters(state: State) -> str:
    """Each monster in view as an item named by its block."""
    return "".join(_drawn(monster, state))


def monsters_on_map(state: State) -> list[str]:
    """Each monster as a dot on the small map: an item where it is not in view."""
    return _drawn(dot, state)


def _drawn(draw_one: Callable[[int, int, int, bool, int], str], state: State) -> list[str]:
    view = view_of(state.at)
    return [
        draw_one(state.monster_at[place], state.monster_kind[place], state.monster_health[place], awake, view)
        for place in range(state.lurking)
        for awake in (state.monster_awake[place] > 0,)
    ]


def monster_item(block: int) -> str:
    return f"mazerunner-monster-{block_name(block)}"


@lru_cache(maxsize=2_000)
def monster(block: int, kind: int, health: int, awake: bool, view: int) -> str:
    """With its health."""
    if not in_view(block, view):
        return ""
    drawn = (
        art("alarm", 0, 0, SCALE) if awake else "",
        art(f"beast-{kind}", 0, -9, 0.95 * SCALE),
        words(health, 0, 22, SMALL + 2, "#fff", stroke="#5e1219", stroke_width=6, paint_order="stroke"),
    )
    return tag("g", *drawn, **_item(block, *centre(block, view)))


@lru_cache(maxsize=2_000)
def dot(block: int, kind: int, health: int, awake: bool, view: int) -> str:
    """The bigger the healthier."""
    x, y = on_map(block)
    name, size = "awake-dot" if awake else "dot", 0.7 + health / 40
    return art(name, x, y, size) if in_view(block, view) else tag("g", art(name, 0, 0, size), **_item(block, x, y))


def _item(block: int, x: float, y: float) -> dict[str, object]:
    return {"id": monster_item(block), "transform": f"translate({number(x)} {number(y)})"}


def runners(state: State, *, far: bool = False) -> str:
    """Those in view, or the ``far`` ones on the small map. One at most is in the maze; the others wait in the base."""
    view = view_of(state.at)
    waiting = [seat for seat in range(state.seats) if seat != state.to_move and state.hp[seat]]
    drawn = [runner(seat, BASE, view, True) for seat in waiting if in_view(BASE, view) != far]
    if not far:  # the view is where the runner is
        drawn.append(runner(state.to_move, state.at, view, False))
    return "".join(drawn)


def small_map(state: State, looks: list[Look]) -> list[str]:
    """All that is known, a frame around what is in view, and who is where."""
    ways = "".join([look.on_map for look in looks])
    return [
        f'<path d="{ways}" fill="#e4cf9f"/>',
        _frame(view_of(state.at)),
        art("home", *on_map(BASE)),
        *monsters_on_map(state),
        runners(state, far=True),
        art(f"seat-{state.to_move}", *on_map(state.at), 0.42),
    ]


@cache
def runner(seat: int, block: int, view: int, waits: bool) -> str:
    x, y = centre(block, view)
    size = SCALE
    if not in_view(block, view):
        size = 0.22
    elif block == BASE:
        size = 0.62 * SCALE
    if waits:
        spread = 26 * size
        x, y, size = x + (-spread, spread)[seat % 2], y + (-spread, spread)[seat // 2], size * 0.72
    return tag(
        "g",
        art(f"seat-{seat}", 0, 0, size),
        id=f"mazerunner-runner-{seat}",
        transform=f"translate({number(x)} {number(y)})",
    )


# What can be picked.


def spots(state: State, known: dict[int, int], looks: list[Look]) -> tuple[list[str], list[str]]:
    """Those in the large view, and those on the small map."""
    view = view_of(state.at)
    rects = {block: look.spot for block, look in zip(known, looks, strict=True)}
    tales = {}
    for place in range(state.lurking):
        awake = state.monster_awake[place] > 0
        tales[state.monster_at[place]] = monster_tale(state.monster_kind[place], state.monster_health[place], awake)
    if state.at != BASE:
        here = said("{seat} is here, with {monster}" if state.at in tales else "{seat} is here")
        tales[state.at] = here.format(seat=said(NAMES[state.to_move]), monster=tales.get(state.at))
    for block, tale in tales.items():
        rects[block] = block_spot(block, known[block], tale, view)
    for block in [state.at + OFFSET[side] for side in range(4) if state.maze[state.at] >> side & 1]:
        del rects[block]  # the larger ones come last, and so lie on top
        rects[block] = block_spot(block, known[block], tales.get(block, ""), view, REACH)
    if state.at != BASE:  # on the small map it covers its neighbours
        rects[BASE] = rects.pop(BASE)
    parts: tuple[list[str], list[str]] = [], []
    for block, rect in rects.items():
        parts[not in_view(block, view)].append(rect)
    return parts


@cache_spoken
def monster_tale(kind: int, health: int, awake: bool) -> str:
    monster = MONSTERS[kind]
    tale = "{monster} of health {health}, damage {damage}"
    name = said(a_monster(monster.name))
    return said(f"{tale}, awake" if awake else tale).format(monster=name, health=health, damage=monster.damage)


def block_spot(block: int, bits: int, tale: str, view: int, side: int = SHOWN) -> str:
    if not in_view(block, view):
        side = 4 * CELL if block == BASE else CELL  # the way back is easy to hit on the small map, too
    return spot_at(block, bits, tale, *centre(block, view), side)


@cache_spoken
def spot_at(block: int, bits: int, tale: str, x: float, y: float, side: int) -> str:
    """Written out, for there are hundreds of them; nothing in it needs escaping."""
    name, rounding = block_name(block), f' rx="{REACH // 2}"' if side == REACH else ""
    return (
        f'<rect data-spot="{name}" aria-label="{name}: {block_tale(block, bits, tale)}" x="{number(x - side / 2)}" '
        f'y="{number(y - side / 2)}" width="{side}" height="{side}"{rounding}/>'
    )


def block_tale(block: int, bits: int, tale: str) -> str:
    """``open to north and south; a rat of health 3, damage 2``."""
    if block == BASE:
        return said("the base")
    return f"{ways_out(bits)}{'; ' if tale else ''}{tale}"


@cache_spoken
def ways_out(bits: int) -> str:
    """``open to north and south``; ``fog``."""
    ways = join([said(SIDES[side]) for side in range(4) if bits >> side & 1], said)
    if bits & TRAVELLED:
        return said("open to {sides}").format(sides=ways)
    return said("untravelled, open to {sides}").format(sides=ways) if bits & OPEN_TO_ALL else said("fog")
