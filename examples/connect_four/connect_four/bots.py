"""Who plays Connect Four well: the search, with a judge that was trained with ``parlour train connect_four``."""

from parlour.engine.bots import Bots, SearchLevel

# docs/strength.md has what the steps are worth.
LEVELS = {
    1: SearchLevel(1, slips=40),
    2: SearchLevel(1, slips=20),
    3: SearchLevel(1, slips=6),
    4: SearchLevel(30),
    5: SearchLevel(3000),
}

BOTS = Bots(judge="connect_four.judge", levels=LEVELS)
