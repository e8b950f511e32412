"""Game of the Goose.

Everyone races one piece along a spiral of 63 spaces with two dice; there is nothing to decide.
On a goose the piece moves on by the same throw. A piece that lands on another changes places with it.
The bridge leads on, the hotel costs a turn, the well and the prison hold a piece until another comes,
the maze leads back, death leads to the start. Space 63 must be met exactly: too many count backwards.
Options: the maze leads to 39 or 30, a drink on space 61, playing for stakes.
"""

from parlour.engine import Game, Glance, Option, i8
from parlour.games.goose import observation, rules, seats
from parlour.games.goose.state import FIELDS

GAME = Game(
    name="goose",
    title="Game of the Goose",
    summary="A race of geese along a spiral, with two dice and seven hazards.",
    glance=Glance((10, 15), "easy", "luck"),
    version=1,
    seats=(2, 4),
    usual_seats=4,
    seat_names=seats.NAMES,
    options=(
        Option("maze", 39, "the space that the maze (42) leads back to", choices=(39, 30), field=i8),
        Option("drink", False, "space 61 is a drink", field=i8),
        Option("stakes", False, "the gambling game: stakes are paid into a pool", field=i8),
    ),
    fields=FIELDS,
    max_actions=1,
    action_space=1,
    ply_limit=100_000,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    won=rules.won,
    observe=observation.observe,
    features=observation.FEATURES,
    conserved=rules.money,
    keeps_score=lambda options: bool(options["stakes"]),
    settle=rules.settle,
    notation="parlour.games.goose.notation",
    terminal="parlour.games.goose.terminal",
    picture="parlour.games.goose.picture",
)
