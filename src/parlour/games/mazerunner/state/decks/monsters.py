"""The monster deck, from rat to minotaur."""

from typing import NamedTuple

from parlour.games.mazerunner.state.decks.packing import pack


class Monster(NamedTuple):
    name: str
    letter: str  # on the map
    cards: int  # how many of it are in the deck
    health: int
    damage: int
    iron: int  # loot, from here on
    herbs: int
    gold: int
    maps: int


# fmt: off
MONSTERS = (
    #                        cards health damage  iron herbs gold maps
    Monster("rat",      "r",   4,     3,     2,     0,    1,   0,   0),
    Monster("bat",      "b",   3,     6,     3,     0,    2,   0,   0),
    Monster("spider",   "s",   3,     8,     5,     0,    3,   0,   0),
    Monster("goblin",   "g",   3,    11,     5,     2,    0,   1,   0),
    Monster("wolf",     "w",   3,    13,     6,     0,    2,   0,   0),
    Monster("skeleton", "k",   3,    16,     8,     3,    0,   1,   0),
    Monster("ghoul",    "u",   2,    19,     9,     0,    3,   1,   0),
    Monster("orc",      "o",   2,    22,    10,     4,    0,   2,   0),
    Monster("troll",    "T",   2,    27,    12,     3,    3,   3,   1),
    Monster("wraith",   "W",   1,    32,    14,     0,    4,   4,   1),
    Monster("hydra",    "H",   1,    38,    17,     4,    4,   4,   2),
    Monster("minotaur", "M",   1,    48,    22,     5,    5,   5,   2),
)
# fmt: on

CARDS = tuple(monster.cards for monster in MONSTERS)
HEALTH = tuple(monster.health for monster in MONSTERS)
DAMAGE = tuple(monster.damage for monster in MONSTERS)
LOOT = tuple(pack(monster.iron, monster.herbs, monster.gold) for monster in MONSTERS)
MAPS = tuple(monster.maps for monster in MONSTERS)
