"""Hearts: thirteen tricks a deal, and nobody wants the hearts or the queen of spades.

Everybody passes three cards on, all at the same time. Whoever has the two of clubs leads with it. You follow suit if
you can. Each heart that you take is a point against you, and the queen of spades thirteen; but whoever takes all 26
gives them to everybody else. The fewest points win.
"""

from hearts import rules
from hearts.state import FIELDS, PASS, PASSES
from parlour.engine import Game, Glance, Option

# Of all points but those of the last deal, nobody has 200 yet: at most 30 deals of 26 points are before it.
DEALS, PLIES = 31, 56

# fmt: off
GAME = Game(
    name="hearts", title="Hearts", summary="Take no hearts, and beware of the queen of spades.", version=1,
    seats=(4, 4), seat_names=("North", "East", "South", "West"), glance=Glance((10, 40), "medium", "both"),
    fields=FIELDS,
    options=(
        Option("points", 100, low=20, high=200, help="points that end the match"),
        Option("deals", 0, low=0, high=31, help="deals after which it ends at the latest; 0 for as many as it takes"),
    ),
    max_actions=PASSES, action_space=PASS + PASSES, ply_limit=DEALS * PLIES,
    setup=rules.setup, legal=rules.legal, apply=rules.apply, score=rules.score, won=rules.won,
    hide=rules.hide, imagine=rules.imagine, may_act=rules.may_act,
    notation="hearts.notation", terminal="hearts.terminal", picture="hearts.picture", bots="hearts.bots",
)
