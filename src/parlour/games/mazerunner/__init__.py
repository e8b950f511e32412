"""mazerunner.

One to four runners race to find ten pieces of the map that leads out of the maze. On your turn you stay in the base
and heal, or you run. Pick your dice (attack, movement, resource), roll up to three times and keep what you like: they
tell how strong you are this turn, how far you come and how much you find. Choose one of four entrances and go block
by block: a block that nobody has travelled costs a step and rolls the encounter die (monster, resources, item, chance
or nothing), a travelled one costs half. The maze is decided as it is discovered, for everybody alike. A monster
stronger than you hurts you, drives you back and follows you; a weaker one leaves its loot, the great ones map pieces.
Back in the base, buy items and trade in the shop. At 0 of your 50 hp you are out; the last one alive has won, too.
Options: how many rounds are played at most.
"""

from parlour.engine import Game, Glance, Option, i16
from parlour.games.mazerunner import observation, rules, seats
from parlour.games.mazerunner.rules.actions import MAX_ACTIONS, REROLL
from parlour.games.mazerunner.state import FIELDS

GAME = Game(
    name="mazerunner",
    title="mazerunner",
    summary="A race through a maze of monsters for ten pieces of the map, with dice and a shop.",
    glance=Glance((30, 60), "medium", "both"),
    version=4,
    seats=(1, 4),
    usual_seats=4,
    suggested_seats=2,
    seat_names=seats.NAMES,
    options=(Option("rounds", 60, "after so many rounds the most map pieces win", low=1, high=1000, field=i16),),
    fields=FIELDS,
    max_actions=MAX_ACTIONS,
    action_space=REROLL + MAX_ACTIONS,
    ply_limit=1_000_000,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    won=rules.won,
    out=rules.out,
    observe=observation.observe,
    features=observation.FEATURES,
    conserved=rules.card_check,
    notation="parlour.games.mazerunner.notation",
    terminal="parlour.games.mazerunner.terminal",
    picture="parlour.games.mazerunner.picture",
    bots="parlour.games.mazerunner.bots",
)
