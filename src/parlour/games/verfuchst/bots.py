"""Who plays Verfuchst well: the search, with judges. ``sight`` says what they look at.

Two and three seats have the judge of ``parlour train verfuchst --units 128 --seats 2 --seats 3 --seats 4``. Four seats
have one that went on from there with ``--seats 4 --start verfuchst.judge``: it is better there, and worse with two.
"""

from parlour.engine.bots import TITLES, Bots, Face, SearchLevel
from parlour.games.verfuchst.sight import SIGHT

# docs/strength.md has what the steps are worth.
LEVELS = {
    1: SearchLevel(1, slips=55),
    2: SearchLevel(1, slips=38),
    3: SearchLevel(1, slips=25),
    4: SearchLevel(1, slips=15),
    5: SearchLevel(1, slips=7),
    6: SearchLevel(1200),
}
CHARACTERS = (
    "Looks a moment, and often does something silly. For your first matches.",
    "Sees what is good, and yet every third move is a whim.",
    "Knows what is good, and still slips a few times in a match.",
    "Slips three or four times in a match; the rest is sound.",
    "Knows what every tile is worth, and slips once or twice in a match.",
    "Asks before each choice what the others might roll, and never slips.",
)
FACES = tuple(
    Face(f"mcts:{level}", title, character)
    for level, title, character in zip(LEVELS, TITLES[: len(LEVELS)], CHARACTERS, strict=True)
)

BOTS = Bots(judge=("verfuchst_4.judge", "verfuchst.judge"), sight=SIGHT, levels=LEVELS, faces=FACES)
