"""The position of a match of mazerunner. All of it is public."""

from parlour.engine import i8, i16, i64
from parlour.games.mazerunner.state.decks import CARDS, KINDS, monsters
from parlour.games.mazerunner.state.decks.items import BONUSES

MAX_SEATS = 4
RESOURCES = 3  # iron, herbs, gold
EDGE = 25
BLOCKS = EDGE * EDGE
MAX_DICE = 6
ITEM_KINDS = KINDS[0]
MONSTER_PLACES = sum(monsters.CARDS) + 1  # for every card, and an empty one behind the last

FIELDS = {
    "phase": i8,  # what to decide: 0 heal or move, 1 mix, 2 dice, 3 entrance, 4 maze, 5 compass, 6 rope, 7 shop
    "round": i16,  # rounds completed
    # the runners
    "hp": i8[MAX_SEATS],  # health of each seat; 0: out of the match
    "maps": i8[MAX_SEATS],  # map pieces of each seat
    "resources": i8[MAX_SEATS * RESOURCES],  # [seat * 3 + resource]: 0 iron, 1 herbs, 2 gold
    "items": i8[MAX_SEATS * ITEM_KINDS],  # how many cards of each kind: [seat * how many kinds there are + item]
    "bonus": i8[MAX_SEATS * BONUSES],  # what these cards add up to: [seat * 6 + bonus]
    # the turn
    "healing": i8,  # 1 when the seat has chosen to heal
    "attack_dice": i8,  # how many attack dice the seat has chosen
    "movement_dice": i8,  # how many movement dice
    "resource_dice": i8,  # how many resource dice
    "dice": i8[MAX_DICE],  # what the dice show: attack dice first, then movement, then resource
    "rolls_left": i8,  # how often dice may still be rolled again in this turn
    "power": i8,  # the attack power of this turn
    "resource_roll": i8,  # how much of a resource the runner gets where it finds one in this turn
    "half_steps": i8,  # half steps that the runner can still go in this turn
    "lantern_lit": i8,  # 1 while the first untravelled block of this turn is still to come
    "at": i64,  # the block of the runner whose turn it is; everybody else is in the base
    "came_from": i64,  # the block that the runner was on before
    "offered": i8[2],  # while the runner decides with the compass: the two chance cards
    # each block (row * 25 + column): 1, 2, 4, 8 open N, E, S, W; 16, 32, 64, 128 walls; 256 travelled; 512 a monster
    "maze": i16[BLOCKS],
    # the monsters in it, in the order in which they came
    "lurking": i8,  # how many monsters are in the maze
    "awake": i8,  # how many monsters follow the runner
    "monster_at": i16[MONSTER_PLACES],  # the block of each monster
    "monster_kind": i8[MONSTER_PLACES],  # which monster it is
    "monster_health": i8[MONSTER_PLACES],  # its health
    "monster_awake": i8[MONSTER_PLACES],  # 0: asleep; else 1 + the blocks that the runner has moved since
    # the cards: how many of each kind, of all four decks; see decks
    "shop": i8[3],  # the items on offer; -1 where there is none
    "deck": i8[len(CARDS)],  # cards left of each kind: items, monsters, chance, resources
    "discards": i8[len(CARDS)],  # cards discarded of each kind
}
