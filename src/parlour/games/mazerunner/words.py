"""What people call the blocks, the sides, the monsters and the resources.

Whatever takes a ``say`` is in English unless that says it otherwise.
"""

from collections.abc import Callable

from parlour.engine import language
from parlour.games.mazerunner.decks.items import Item
from parlour.games.mazerunner.decks.monsters import Monster
from parlour.games.mazerunner.decks.resources import ResourceCard
from parlour.games.mazerunner.state import EDGE

RESOURCES = ("iron", "herbs", "gold")
ONE_OF = ("1 iron", "1 herb", "1 gold")
SIDES = ("north", "east", "south", "west")


def said(text: str) -> str:
    """The text in the language of the reader."""
    return language.said(text, __package__)


def block_name(block: int) -> str:
    """Columns are letters from A, rows are numbers from 1: the base in the middle is M13."""
    return f"{chr(ord('A') + block % EDGE)}{block // EDGE + 1}"


def amount(resource: int, count: int, say: Callable[[str], str] = str) -> str:
    """``3 iron``; ``1 herb``."""
    return say(ONE_OF[resource] if count == 1 else f"{{count}} {RESOURCES[resource]}").format(count=count)


def amounts(iron: int, herbs: int, gold: int, say: Callable[[str], str] = str) -> str:
    """``3 iron and 2 gold``; ``nothing``."""
    parts = [amount(resource, count, say) for resource, count in enumerate((iron, herbs, gold)) if count]
    return join(parts, say) if parts else say("nothing")


def amounts_on(card: Item | Monster | ResourceCard, say: Callable[[str], str] = str) -> str:
    """The price, the loot or the find that is printed on the card."""
    return amounts(card.iron, card.herbs, card.gold, say)


def a_monster(name: str) -> str:
    """``a rat``; ``an orc``."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def join(parts: list[str], say: Callable[[str], str] = str) -> str:
    """``a``; ``a and b``; ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return say("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])
