"""What people call the tiles, in the language of the reader."""

from parlour.engine.language import said
from parlour.games.verfuchst.state.tiles import GOAL, START, VALUE, is_lucky

PACKAGE = "parlour.games.verfuchst"  # whose translations these are


def signed(value: int) -> str:
    """A number with its sign, as printed on the tiles."""
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def named(tile: int) -> str:
    """A tile, the start or the goal."""
    if tile == START:
        return said("the start", PACKAGE)
    if tile == GOAL:
        return said("the goal", PACKAGE)
    return tile_in_words(tile)


def from_tile(tile: int) -> str:
    """Where a move begins."""
    return said("from the start", PACKAGE) if tile == START else tile_in_words(tile, "from tile {tile} ({value})")


def to_tile(tile: int) -> str:
    """Where a move ends."""
    return said("to the goal", PACKAGE) if tile == GOAL else tile_in_words(tile, "to tile {tile} ({value})")


def tile_in_words(tile: int, words: str = "tile {tile} ({value})") -> str:
    """A score tile."""
    value = said("lucky", PACKAGE) if is_lucky(tile) else signed(VALUE[tile])
    return said(words, PACKAGE).format(tile=tile, value=value)
