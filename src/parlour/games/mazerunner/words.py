"""What people call the blocks, the sides and the resources.

Whatever takes a ``say`` is in English unless that says it otherwise.
"""

from collections.abc import Callable

from parlour.games.mazerunner.state import EDGE

RESOURCES = ("iron", "herbs", "gold")
SIDES = ("north", "east", "south", "west")


def block_name(block: int) -> str:
    """Columns are letters from A, rows are numbers from 1: the base in the middle is M13."""
    return f"{chr(ord('A') + block % EDGE)}{block // EDGE + 1}"


def amount(resource: int, count: int, say: Callable[[str], str] = str) -> str:
    """``3 iron``."""
    return say(f"1 {RESOURCES[resource]}" if count == 1 else f"{{count}} {RESOURCES[resource]}").format(count=count)


def amounts(iron: int, herbs: int, gold: int, say: Callable[[str], str] = str) -> str:
    """``3 iron and 2 gold``; ``nothing``."""
    parts = [amount(resource, count, say) for resource, count in enumerate((iron, herbs, gold)) if count]
    return join(parts, say) if parts else say("nothing")


def join(parts: list[str], say: Callable[[str], str] = str) -> str:
    """``a``; ``a and b``; ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return say("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])
