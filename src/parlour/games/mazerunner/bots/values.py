"""What things are worth to a runner: prizes in the maze, cards in the shop, and the risk of going on."""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.games.mazerunner.rules.cards import unpack
from parlour.games.mazerunner.rules.dice import MOST_EXTRA_DICE
from parlour.games.mazerunner.rules.runner import bonus, has_item
from parlour.games.mazerunner.state.decks import FIRST, KINDS, MONSTER_DECK, items, monsters

# Prizes are counted in half steps: how long a detour is worth it.
NEW_BLOCK = 12
MAP_PIECE = 30
HP = 2  # so many for one half step
MOST_BLOWS = 2  # taken from one monster in a turn
SPARE_HP = 10  # left after a fight
MEETINGS = 260  # monsters on a thousand new blocks: from the encounter die, and from chance cards

# By item: how many more matches of a thousand a runner won who began with it, against one who did not.
WANTED = (199, 190, 172, 66, 50, 125, 29, 51, 72, 14, 41, 74, 115, 41, 7, 10)
WANTED_THIRD_DIE = 40


@rule
def damage_by(state: State, kind: int) -> int:
    """What a blow of such a monster costs the runner."""
    return int(max(monsters.DAMAGE[kind] - bonus(state, state.to_move, items.ARMOUR), 1))


@rule
def prize(state: State, monster: int) -> int:
    """What it is worth to fight this monster until it is dead; 0 if the runner would rather not."""
    kind = state.monster_kind[monster]
    loot = monsters.LOOT[kind]
    worth = MAP_PIECE * monsters.MAPS[kind] + (unpack(loot, 0) + unpack(loot, 1) + unpack(loot, 2)) // 2
    blows = state.monster_health[monster] // max(state.power, 1)
    if blows == 0:
        return int(worth)
    damage = blows * damage_by(state, kind)
    if blows > MOST_BLOWS or damage + SPARE_HP >= state.hp[state.to_move]:
        return 0
    return int(max(worth - damage // HP, 0))


@rule
def best_prize(state: State) -> int:
    """The best prize in the maze, wherever it is."""
    best = 0
    for monster in range(state.lurking):
        best = max(best, prize(state, monster))
    return best


@rule
def risk(state: State, power: int) -> int:
    """Of a thousand new blocks, on how many would a monster from the deck put the runner out?"""
    cards, deadly = 0, 0
    for kind in range(KINDS[MONSTER_DECK]):
        left = state.deck[FIRST[MONSTER_DECK] + kind]
        cards += left
        if monsters.HEALTH[kind] >= power and damage_by(state, kind) >= state.hp[state.to_move]:
            deadly += left
    return int(MEETINGS * deadly // max(cards, 1))


@rule
def wanted(state: State, item: int) -> int:
    """How much the runner wants an item. A third extra die is not rolled, and a second one of some items has no use."""
    seat = state.to_move
    if item == items.HOURGLASS or item == items.LANTERN or item == items.COMPASS or item == items.FELT_SHOES:
        return 0 if has_item(state, seat, item) else WANTED[item]
    if unpack(items.WORTH[item], items.DICE) > 0 and bonus(state, seat, items.DICE) >= MOST_EXTRA_DICE:
        return WANTED_THIRD_DIE
    return WANTED[item]
