"""Verfuchst.

Everyone brings three pieces from the start to the goal along a path of 32 score tiles, with one die. On your turn you
roll, then choose: move one of your pieces by the roll, or a neutral guardian that shares a tile with anyone's piece.
When your piece leaves a tile and nobody, no piece and no guardian, remains on it, you must take it, and the path closes
over the gap. Most tiles are negative, some positive; a lucky tile turns your most negative tile into a positive one.
Steps beyond the goal expire, and pieces there are home. When every piece is home, the highest sum wins.
"""

from parlour.engine import Game, Glance
from parlour.games.verfuchst import observation, rules, seats
from parlour.games.verfuchst.state import FIELDS, TILES

GAME = Game(
    name="verfuchst",
    title="Verfuchst",
    summary="A race in which the tiles you leave are the tiles you keep.",
    glance=Glance((15, 25), "easy", "both"),
    version=1,
    seats=(2, 4),
    usual_seats=4,
    seat_names=seats.NAMES,
    fields=FIELDS,
    max_actions=11,  # three pieces and eight guardians, each on a tile of its own
    action_space=2 * TILES,
    ply_limit=560,  # every move goes forward: 12 pieces by 33 tiles, eight guardians by 24 to 17
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    won=rules.won,
    observe=observation.observe,
    features=observation.FEATURES,
    conserved=rules.everything,
    notation="parlour.games.verfuchst.notation",
    bots="parlour.games.verfuchst.bots",
    terminal="parlour.games.verfuchst.terminal",
    picture="parlour.games.verfuchst.picture",
)
