"""What things are worth to a runner: prizes in the maze, cards in the shop, and the risk of going on."""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.games.mazerunner.bots.style import Style
from parlour.games.mazerunner.rules.cards import unpack
from parlour.games.mazerunner.rules.dice import MOST_EXTRA_DICE
from parlour.games.mazerunner.rules.runner import MOST_HP, bonus
from parlour.games.mazerunner.state import ITEM_KINDS
from parlour.games.mazerunner.state.decks import FIRST, KINDS, MONSTER_DECK, items, monsters

MEETINGS = 260  # monsters on a thousand new blocks: from the encounter die, and from chance cards
NEAR = (7, 14)  # the health of monsters that fall to a second attack die more often than without it
MANY_MAPS = 5


@rule
def damage_by(state: State, kind: int) -> int:
    """What a blow of such a monster costs the runner."""
    return int(max(monsters.DAMAGE[kind] - bonus(state, state.to_move, items.ARMOUR), 1))


@rule
def prize(state: State, style: Style, monster: int) -> float:
    """What it is worth to fight this monster until it is dead; 0 if the runner would rather not."""
    kind = state.monster_kind[monster]
    loot, power = monsters.LOOT[kind], max(state.power, 1)
    blows = state.monster_health[monster] // power
    damage = blows * damage_by(state, kind)
    if blows > 0 and damage + style.spare_hp >= state.hp[state.to_move]:
        return 0.0
    if blows > style.most_blows:
        part = style.wound * power / state.monster_health[monster]
        return float(max(part * style.map_piece * monsters.MAPS[kind] - style.damage * damage_by(state, kind), 0.0))
    worth = (style.map_piece + style.map_piece_for_each * state.maps[state.to_move]) * monsters.MAPS[kind]
    worth += int(style.iron * unpack(loot, 0) + style.herbs * unpack(loot, 1) + style.gold * unpack(loot, 2))
    return float(max(worth - int(style.damage * damage + style.damage_squared * damage * damage), 0.0))


@rule
def treasure(state: State, attack: int) -> tuple[int, int]:
    """How many map pieces lurk in the maze, and how many of them a second attack die may bring within reach."""
    lurking, near = 0, 0
    for monster in range(state.lurking):
        pieces = monsters.MAPS[state.monster_kind[monster]]
        lurking += pieces
        if NEAR[0] <= state.monster_health[monster] - attack <= NEAR[1]:
            near += pieces
    return lurking, near


@rule
def risk(state: State, power: float) -> int:
    """Of a thousand new blocks, on how many would a monster from the deck put the runner out?"""
    cards, deadly = 0, 0
    for kind in range(KINDS[MONSTER_DECK]):
        left = state.deck[FIRST[MONSTER_DECK] + kind]
        cards += left
        if monsters.HEALTH[kind] >= power and damage_by(state, kind) >= state.hp[state.to_move]:
            deadly += left
    return int(MEETINGS * deadly // max(cards, 1))


@rule
def wanted(state: State, style: Style, item: int) -> float:
    """How much the runner wants an item. A third extra die is not rolled, and a second one of some items has no use."""
    seat = state.to_move
    held = state.items[seat * ITEM_KINDS + item]
    worth = style.wanted[item]
    if item == items.POTION:
        return float(worth - style.potion_less_for_each * held + style.potion_for_each_hp * (MOST_HP - state.hp[seat]))
    if held and (item == items.HOURGLASS or item == items.LANTERN or item == items.COMPASS or item == items.FELT_SHOES):
        return 0.0
    if unpack(items.WORTH[item], items.DICE) == 0:
        worth -= style.less_for_each_held * held
    elif bonus(state, seat, items.DICE) >= MOST_EXTRA_DICE:
        worth = style.wanted_third_die
    return float(worth - style.less_for_each_map * max(state.maps[seat] - MANY_MAPS, 0))
