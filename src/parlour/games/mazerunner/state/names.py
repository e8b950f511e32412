"""What people call the blocks, the sides, the monsters and the resources.

Whatever takes a ``translate`` is in English unless it is translated.
"""

from collections.abc import Callable

from parlour.engine import language
from parlour.games.mazerunner.state import EDGE
from parlour.games.mazerunner.state.decks.items import Item
from parlour.games.mazerunner.state.decks.monsters import Monster
from parlour.games.mazerunner.state.decks.resources import ResourceCard

PACKAGE = "parlour.games.mazerunner"  # whose translations these are
RESOURCES = ("iron", "herbs", "gold")
ONE_OF = ("1 iron", "1 herb", "1 gold")
SIDES = ("north", "east", "south", "west")


def said(text: str) -> str:
    """The text in the language of the reader."""
    return language.said(text, PACKAGE)


def block_name(block: int) -> str:
    """Columns are letters from A, rows are numbers from 1: the base in the middle is M13."""
    return f"{chr(ord('A') + block % EDGE)}{block // EDGE + 1}"


def amount(resource: int, count: int, translate: Callable[[str], str] = str) -> str:
    """``3 iron``; ``1 herb``."""
    return translate(ONE_OF[resource] if count == 1 else f"{{count}} {RESOURCES[resource]}").format(count=count)


def amounts(iron: int, herbs: int, gold: int, translate: Callable[[str], str] = str) -> str:
    """``3 iron and 2 gold``; ``nothing``."""
    parts = [amount(resource, count, translate) for resource, count in enumerate((iron, herbs, gold)) if count]
    return join(parts, translate) if parts else translate("nothing")


def amounts_on(card: Item | Monster | ResourceCard, translate: Callable[[str], str] = str) -> str:
    """The price, the loot or the find that is printed on the card."""
    return amounts(card.iron, card.herbs, card.gold, translate)


def a_monster(name: str) -> str:
    """``a rat``; ``an orc``."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def join(parts: list[str], translate: Callable[[str], str] = str) -> str:
    """``a``; ``a and b``; ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return translate("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])
