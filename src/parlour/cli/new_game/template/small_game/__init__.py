"""Small game: take pebbles from a bowl; whoever takes the last one wins."""

from parlour.cli.new_game.template.small_game import rules
from parlour.cli.new_game.template.small_game.state import FIELDS, MOST, OPTIONS
from parlour.engine import Game, Glance

GAME = Game(
    name="small_game",
    title="Small game",
    summary="Take pebbles from a bowl; whoever takes the last one wins.",
    version=1,  # raise it when you change the rules of a game that people play already
    seats=(2, 2),
    seat_names=("Red", "Blue"),
    glance=Glance((1, 3), "easy", "skill"),  # minutes, how hard it is, and what decides it
    fields=FIELDS,
    options=OPTIONS,
    max_actions=MOST,  # the most that can be legal at once
    action_space=MOST,  # every action is a number from 0 to one less than this
    ply_limit=100,  # a match that is longer than this does not end
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    won=rules.won,
    notation=f"{__name__}.notation",
    terminal=f"{__name__}.terminal",
    picture=f"{__name__}.picture",
)
