"""How events name things: blocks, sides, items, monsters and cards have numbers in a position, and names when told."""

from collections.abc import Callable
from typing import Any

from parlour.engine import Event
from parlour.games.mazerunner.state.decks import DECK_NAMES
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS
from parlour.games.mazerunner.state.names import SIDES, block_name


class MazeEvent(Event):
    """An event whose numbers of blocks, sides, items, monsters and so on are told by name."""

    __slots__ = ()

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        spoken = super().spoken(name)
        for field, value in spoken.items():
            if field in NAMED:
                spoken[field] = self.said(NAMED[field](value))
            elif field in BLOCKS:
                spoken[field] = block_name(value)
            elif field == "dice":
                spoken[field] = " ".join(map(str, value))
        return spoken


BLOCKS = ("block", "start", "to")
NAMED: dict[str, Callable[[int], str]] = {
    "side": lambda side: SIDES[side],
    "item": lambda item: ITEMS[item].name,
    "monster": lambda kind: f"the {MONSTERS[kind].name}",
    "card": lambda card: CHANCE_CARDS[card].name,
    "other": lambda card: CHANCE_CARDS[card].name,
    "deck": lambda deck: DECK_NAMES[deck],
    "cost": lambda halves: "two half steps" if halves == 2 else "one half step",
    "found": lambda card: RESOURCE_CARDS[card].name,
}
