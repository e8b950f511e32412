"""A sheet for every runner: hit points, resources, map pieces, potions, ropes and the other items."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from parlour.engine import State
from parlour.engine.kit.places import Box
from parlour.engine.kit.shapes import rimmed
from parlour.engine.language import cache_spoken
from parlour.engine.picture import tag
from parlour.games.mazerunner.picture.layout import (
    LIGHT,
    MUTED,
    SHEETS,
    SMALL,
    art,
    row,
    words,
)
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, MOST_HP
from parlour.games.mazerunner.seats import COLOURS, NAMES
from parlour.games.mazerunner.state import ITEM_KINDS
from parlour.games.mazerunner.state.decks.items import ITEMS, POTION, ROPE
from parlour.games.mazerunner.state.names import RESOURCES, amount, said

COUNTERS = (*RESOURCES, "map", "potion", "rope")  # their spots are iron-0, …, rope-3
COUNTER_ART = ("resource-0", "resource-1", "resource-2", "map", f"item-{POTION}", f"item-{ROPE}")
LASTING = tuple(kind for kind in range(ITEM_KINDS) if kind not in (POTION, ROPE))


def draw(state: State) -> list[str]:
    sheet = sheets()
    return [sheet(*on_sheet(state, seat)) for seat in range(state.seats)]


Counts = tuple[int, ...]
Items = tuple[tuple[int, int], ...]  # a kind, and how many of it


def on_sheet(state: State, seat: int) -> tuple[int, int, bool, int, Counts, Items]:
    """What tells one sheet from another."""
    items = state.items[seat * ITEM_KINDS : (seat + 1) * ITEM_KINDS]
    held = (*state.resources[seat * 3 : seat * 3 + 3], state.maps[seat], items[POTION], items[ROPE])
    turn = seat == state.to_move and not state.over
    lasting = tuple([(kind, items[kind]) for kind in LASTING if items[kind]])
    return state.seats, seat, turn, state.hp[seat], held, lasting


@cache_spoken
def sheets() -> Callable[[int, int, bool, int, Counts, Items], str]:
    """Sheets in the reader's language, kept as a whole: from one position to the next most stay as they are."""
    return lru_cache(maxsize=2_000)(sheet)


def sheet(seats: int, seat: int, turn: bool, hp: int, held: Counts, lasting: Items) -> str:
    return (
        frame(seats, seat, turn)
        + hit_points(seats, seat, hp)
        + "".join([counter(seats, seat, place, count, hp > 0) for place, count in enumerate(held)])
        + item_row(seats, seat, lasting)
    )


@cache
def box_of(seats: int, seat: int) -> Box:
    return row(SHEETS, seats)[seat]


@cache
def frame(seats: int, seat: int, turn: bool) -> str:
    """The seat's sign, and a bright edge for whose turn it is."""
    box = box_of(seats, seat)
    colour = {"fill": COLOURS[seat], "stroke": COLOURS[seat]}
    look = {"fill_opacity": 0, "stroke_width": 2, "stroke_opacity": 0.5}
    if turn:
        look = {"fill_opacity": 0.09, "stroke_width": 5, "stroke_opacity": 1}
    return box.inset(2).drawn(rx=16, **colour, **look) + art(f"seat-{seat}", box.x + 36, box.y + 38, 1.15)


@cache_spoken
def hit_points(seats: int, seat: int, hp: int) -> str:
    """A bar with the number on it."""
    box = box_of(seats, seat)
    bar = Box(box.x + 70, box.y + 17, box.width - 86, 42)
    colour = "#3fae62" if hp > 25 else "#e08a2c" if hp > 10 else "#e0444a"
    filled = bar._replace(width=max(bar.width * hp / MOST_HP, 24)).drawn(rx=12, fill=colour)
    shine = Box(bar.x + 8, bar.y + 5, bar.width - 16, 7).drawn(rx=3.5, fill="#fff", opacity=0.16)
    told = said("{seat}: {hp} of {most} hp" if hp else "{seat} is out")
    middle = bar.x + bar.width / 2
    return "".join(
        (
            bar.drawn(rx=12, fill="#10141f"),
            filled + shine + art("heart", middle - 34, bar.y + 22, 0.62) if hp else "",
            words(
                hp if hp else said("out"),
                middle + (12 if hp else 0),
                bar.y + 22,
                35,
                "#fff" if hp else MUTED,
                **rimmed("#10141f"),
            ),
            bar.spot(f"hp-{seat}", told.format(seat=said(NAMES[seat]), hp=hp, most=MOST_HP)),
        )
    )


@cache
def counter_box(seats: int, seat: int, place: int) -> Box:
    """Two rows of three; on a wide sheet, one of six."""
    box = box_of(seats, seat)
    columns = 6 if seats == 1 else 3
    width = (box.width - 8) / columns
    return Box(box.x + 4 + place % columns * width, box.y + 66 + place // columns * 50, width, 48)


@cache_spoken
def counter(seats: int, seat: int, place: int, count: int, alive: bool) -> str:
    box = counter_box(seats, seat, place)
    narrow = seats == 4
    left, middle = box.x + (15 if narrow else 22), box.y + box.height / 2
    drawn = art(COUNTER_ART[place], left, middle, 0.58 if narrow else 0.8) + words(
        count,
        left + (15 if narrow else 24),
        middle + 1,
        SMALL - 2 if narrow and count > 9 else SMALL + 2,
        LIGHT if count else "#a6afca",
        text_anchor="start",
    )
    told = said("{seat}: {held}").format(seat=said(NAMES[seat]), held=counted(place, count))
    return (drawn if alive else tag("g", drawn, opacity=0.4)) + box.spot(f"{COUNTERS[place]}-{seat}", told)


def counted(place: int, count: int) -> str:
    """``3 iron``; ``2 of 10 map pieces``; ``potions: 1``."""
    if place < len(RESOURCES):
        return amount(place, count, said)
    told = ("{count} of {all} map pieces", "potions: {count}", "ropes: {count}")[place - len(RESOURCES)]
    return said(told).format(count=count, all=MAPS_TO_WIN)


@cache_spoken
def item_row(seats: int, seat: int, held: Items) -> str:
    """The items that last, large if there is room."""
    box = box_of(seats, seat)
    top = box.y + (116 if seats == 1 else 168)
    space, size = box.width - 16, item_size(box.width - 16, len(held))
    columns = int(space // size)
    drawn = "".join(
        [
            _item(kind, count, box.x + 8 + (place % columns + 0.5) * size, top + (place // columns + 0.5) * size, size)
            for place, (kind, count) in enumerate(held)
        ]
    )
    told = said("{seat} has {items}" if held else "{seat} has no lasting items")
    told = told.format(seat=said(NAMES[seat]), items=", ".join(named(kind, count) for kind, count in held))
    return drawn + Box(box.x + 8, top, space, box.y + box.height - top - 6).spot(f"items-{seat}", told)


def named(kind: int, count: int) -> str:
    """``dagger``; ``dagger times 2``."""
    name = said(ITEMS[kind].name)
    return name if count == 1 else said("{item} times {count}").format(item=name, count=count)


def item_size(space: float, count: int) -> float:
    """As large as they fit in one row, else in two."""
    return next((size for size, rows in ((62.0, 1), (41.0, 2), (36.0, 2)) if count <= rows * (space // size)), 31.0)


def _item(kind: int, count: int, x: float, y: float, size: float) -> str:
    drawn = art(f"item-{kind}", x, y, size / 56)
    if count > 1:
        drawn += words(
            count, x + size * 0.34, y + size * 0.28, 24, "#fff", stroke="#10141f", stroke_width=6, paint_order="stroke"
        )
    return drawn
