"""Choccer.

Chess and soccer: two sides of eleven pieces fight for three gems on a board of 11 by 7 squares.
Circles go one square straight, triangles one square diagonally; clovers and stars do the same for up to three.
A piece that goes to a gem holds it from then on, and may pass it to a friend within two squares as its turn.
A piece captures by moving onto another, unless it holds a gem, and wins the gem that its victim held.
A gem held in the opponent's zone is scored: 4 points for a blue one, 10 for the red one, which ends the match.
Captured circles and triangles are worth 1 point, clovers and stars 2.
Black begins, each side has 50 turns, and more points win.
"""

from parlour.engine import Game, Glance
from parlour.games.choccer import observation, rules, seats
from parlour.games.choccer.state import FIELDS

GAME = Game(
    name="choccer",
    title="Choccer",
    summary="Chess meets soccer: capture pieces, carry and pass gems, score them in the opposing zone.",
    glance=Glance((20, 40), "medium", "skill"),
    version=1,
    seats=(2, 2),
    seat_names=seats.NAMES,
    fields=FIELDS,
    max_actions=100,  # 76 moves of eleven pieces in the open, and three holders with eight others around them
    action_space=rules.PASS_TURN + 1,
    ply_limit=rules.LAST_TURN,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    won=rules.won,
    observe=observation.observe,
    features=observation.FEATURES,
    conserved=rules.all_points,
    notation="parlour.games.choccer.notation",
    bots="parlour.games.choccer.bots",
    terminal="parlour.games.choccer.terminal",
    picture="parlour.games.choccer.picture",
)
