"""The shop: three open item cards, with what they cost and what they do."""

from __future__ import annotations

import textwrap

from parlour.engine import State
from parlour.engine.kit.places import around
from parlour.engine.kit.shapes import circle, placed
from parlour.engine.language import cache_spoken
from parlour.games.mazerunner.picture.layout import INK, MUTED, SHOP, SMALL, art, panel, row, words
from parlour.games.mazerunner.rules.shop import OPEN_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.names import amounts_on, said

BOXES = row(SHOP, OPEN_CARDS)
BESIDE = 10  # letters of a name that fit beside its drawing
TOO_MUCH = "#c22f3a"  # of a price that the runner cannot pay


def draw(state: State) -> list[str]:
    purse = state.resources[state.to_move * 3 : state.to_move * 3 + 3]
    cards, seen = [], [0] * len(ITEMS)
    for place, kind in enumerate(state.shop):
        if kind < 0:
            cards.append(sold_out(place))
            continue
        item = ITEMS[kind]
        lacks = (item.iron > purse[0], item.herbs > purse[1], item.gold > purse[2])
        cards.append(card(place, kind, seen[kind], lacks))
        seen[kind] += 1
    return cards


def card_item(kind: int, copy: int = 0) -> str:
    """A card in the shop as an item; copy tells two of a kind apart."""
    return f"mazerunner-card-{kind}-{copy}"


@cache_spoken
def card(place: int, kind: int, copy: int, lacks: tuple[bool, ...]) -> str:
    box, item = BOXES[place], ITEMS[kind]
    name, help_ = said(item.name), said(item.help)
    ground = around((0, 0), box.width, box.height)
    left, top = ground.x, ground.y
    drawn = (
        panel(ground, "url(#mazerunner-parchment)"),
        "" if any(lacks) else _AFFORDABLE,
        (head_below if has_long_names() else head_beside)(kind, lacks, left, top),
        help_lines(help_, top),
    )
    told = said("shop {place}: {item}, {help}; costs {price}")
    told = told.format(place=place + 1, item=name, help=help_, price=amounts_on(item, said))
    return placed(*box.middle, *drawn, id=card_item(kind, copy)) + box.spot(f"shop-{place}", told, rx=18)


@cache_spoken
def has_long_names() -> bool:
    """Whether some item's name, in the reader's language, takes a card's whole width; then all are drawn alike."""
    return any(len(said(item.name)) > BESIDE for item in ITEMS)


def head_beside(kind: int, lacks: tuple[bool, ...], left: float, top: float) -> str:
    """The item, and beside it its name and its price."""
    name = said(ITEMS[kind].name)
    return (
        item_in_circle(kind, left + 54, top + 52, 43)
        + words(name, left + 108, top + 32, 37 if len(name) < 8 else SMALL, INK, text_anchor="start")
        + price(kind, lacks, left + 126, top + 76)
    )


def head_below(kind: int, lacks: tuple[bool, ...], left: float, top: float) -> str:
    """The item's name, and below it the item and its price."""
    name = said(ITEMS[kind].name)
    return (
        words(name, 0, top + 28, SMALL if len(name) < 13 else SMALL - 2, INK)
        + item_in_circle(kind, left + 62, top + 79, 32)
        + price(kind, lacks, left + 126, top + 79)
    )


def item_in_circle(kind: int, x: float, y: float, radius: float) -> str:
    return circle(x, y, radius, "#fffaf0", stroke="#c9ab74", stroke_width=3) + art(
        f"item-{kind}", x, y, radius * 1.3 / 43
    )


def help_lines(text: str, top: float) -> str:
    """What the item does, in up to three lines."""
    lines = [line for part in text.split(", ") for line in textwrap.wrap(part, 17)]
    first = top + 160 - 17.5 * (len(lines) - 1)
    return "".join(
        [words(line, 0, first + 35 * at, SMALL, "#5c452c", font_weight="500") for at, line in enumerate(lines)]
    )


# A frame around what the runner can pay for, so that it does not take telling red from brown.
_AFFORDABLE = around((0, 0), *BOXES[0][2:]).inset(5).drawn(rx=14, fill="none", stroke="#3f9d57", stroke_width=6)


def price(kind: int, lacks: tuple[bool, ...], x: float, y: float) -> str:
    """Each resource with its number; red where the runner has too little."""
    item = ITEMS[kind]
    parts = []
    for resource, amount in enumerate((item.iron, item.herbs, item.gold)):
        if amount:
            colour = TOO_MUCH if lacks[resource] else INK
            parts.append(art(f"resource-{resource}", x, y, 0.66))
            parts.append(words(amount, x + 19, y, SMALL + 2, colour, text_anchor="start"))
            x += 64 if amount < 10 else 84
    return "".join(parts)


@cache_spoken
def sold_out(place: int) -> str:
    box = BOXES[place]
    edge = {"fill": "none", "stroke": MUTED, "stroke_width": 3, "stroke_dasharray": "10 8", "opacity": 0.5}
    empty = box.inset(3).drawn(rx=16, **edge)
    told = said("shop {place}: sold out").format(place=place + 1)
    return empty + words(said("sold out"), *box.middle, 36, MUTED) + box.spot(f"shop-{place}", told)
