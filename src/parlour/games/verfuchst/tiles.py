"""The tiles of Verfuchst and what they are called. Clause numbers are those of rulebook.md."""

from parlour.engine.language import said

START, GOAL = 0, 33
FIRST_LUCKY, LAST_LUCKY = 9, 14

# Clause 2: the path, as tile numbers above and values below; lucky tiles count nothing themselves.
# fmt: off
#         1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16
#        17  18  19  20  21  22  23  24  25  26  27  28  29  30  31  32
VALUE = (0,
         -1, -2, -3, -4, -5, -6, -7, -8,  0,  0,  0,  0,  0,  0,  8,  7,
          6,  5,  4,  3,  2,  1, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10,
         0)
# fmt: on

# Clause 16: the order in which lucky tiles turn negative ones.
MOST_NEGATIVE_FIRST = tuple(
    sorted((tile for tile in range(GOAL) if VALUE[tile] < 0), key=lambda tile: VALUE[tile]),
)


def is_lucky(tile: int) -> bool:
    return FIRST_LUCKY <= tile <= LAST_LUCKY


def signed(value: int) -> str:
    """A number with its sign, as printed on the tiles."""
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def named(tile: int) -> str:
    """A tile, the start or the goal in the language of the reader."""
    if tile == START:
        return said("the start", __package__)
    if tile == GOAL:
        return said("the goal", __package__)
    return tile_in_words(tile)


def tile_in_words(tile: int, words: str = "tile {tile} ({value})") -> str:
    """A score tile in the language of the reader."""
    value = said("lucky", __package__) if is_lucky(tile) else signed(VALUE[tile])
    return said(words, __package__).format(tile=tile, value=value)
