"""Who plays Choccer well: the search, with a judge that was trained with ``parlour train choccer --units 128``.

``sight`` says what the judge looks at.
"""

from parlour.engine.bots import TITLES, Bots, Face, SearchLevel
from parlour.games.choccer.sight import SIGHT

# docs/strength.md has what the steps are worth.
LEVELS = {
    1: SearchLevel(1, slips=40),
    2: SearchLevel(1, slips=22),
    3: SearchLevel(1, slips=8),
    4: SearchLevel(1),
    5: SearchLevel(12),
    6: SearchLevel(300),
}
CHARACTERS = (
    "Looks a moment, and often does something silly. For your first matches.",
    "Sees what is near, and slips now and then.",
    "Knows what is good, and still slips a few times in a match.",
    "Makes no careless mistakes, and looks one move ahead.",
    "Looks a few moves ahead. You will have to as well.",
    "Weighs thousands of ways before each choice.",
)
FACES = tuple(
    Face(f"mcts:{level}", title, character) for level, title, character in zip(LEVELS, TITLES, CHARACTERS, strict=True)
)

BOTS = Bots(judge="choccer.judge", sight=SIGHT, levels=LEVELS, faces=FACES)
