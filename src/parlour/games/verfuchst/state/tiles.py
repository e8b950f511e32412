"""The tiles of Verfuchst. Clause numbers are those of rulebook.md."""

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
