"""What people call the blocks, the sides and the resources."""

from parlour.games.mazerunner.state import EDGE

RESOURCES = ("iron", "herbs", "gold")
SIDES = ("north", "east", "south", "west")


def block_name(block: int) -> str:
    """Columns are letters from A, rows are numbers from 1: the base in the middle is M13."""
    return f"{chr(ord('A') + block % EDGE)}{block // EDGE + 1}"


def amounts(iron: int, herbs: int, gold: int) -> str:
    """``3 iron and 2 gold``; ``nothing``."""
    parts = [f"{count} {name}" for count, name in zip((iron, herbs, gold), RESOURCES, strict=True) if count]
    return join(parts) or "nothing"


def join(parts: list[str]) -> str:
    """``a``; ``a and b``; ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
