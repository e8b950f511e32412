"""How a sensible runner plays, decision by decision. It runs interpreted and compiled.

The numbers were found by matches against the same runner with others (docs/strength.md).
"""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.engine.chance import Draws
from parlour.games.mazerunner.bots.pathfinding import first_step
from parlour.games.mazerunner.bots.values import NEW_BLOCK, damage_by, risk, wanted
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.rules.cards import NO_CARD, unpack
from parlour.games.mazerunner.rules.maze import NO_SIDE, OFFSET, has_monster, is_travelled
from parlour.games.mazerunner.rules.monsters import monster_on
from parlour.games.mazerunner.rules.runner import MOST_HP, POTION_HP, bonus, can_drink
from parlour.games.mazerunner.rules.shop import OPEN_CARDS, TRADE_GIVES
from parlour.games.mazerunner.state import RESOURCES
from parlour.games.mazerunner.state.decks import items

DRINK_AT = MOST_HP - POTION_HP  # from here on nothing of a potion is lost
HEAL_AT = 14
FIT = 35  # with more hp a runner runs, whatever lurks
USUAL_POWER = 8
BOLD = 40  # the risk that is taken for a new block, of a thousand
ROPE_AT = 6  # the damage from which on a rope is used

WELCOME = (2, 4, 1, 3)  # by kind of chance card: portal, map piece, monster, resources
TOP_FACES = (2, 3, 2)  # of an attack, a movement and a resource die
MOST_MOVEMENT = a.MIX_OF  # one attack die, one resource die, all others for movement


@rule
def policy(state: State, actions: list[int], count: int, chance: Draws) -> int:
    """The action of a sensible runner."""
    if count == 1:
        return int(actions[0])
    phase = state.phase
    if phase == a.MAZE or phase == a.ENTRANCE:
        return run(state, actions, count)
    if phase == a.DICE:
        return reroll(state)
    if phase == a.SHOP:
        return shop(state)
    if phase == a.CHOOSE:
        return heal_or_move(state)
    if phase == a.MIX:
        return MOST_MOVEMENT
    if phase == a.COMPASS:
        return keep_card(state)
    return rope_or_fight(state)


@rule
def heal_or_move(state: State) -> int:
    """Drink before you heal; heal when low, or when the monsters that are left in the deck could be the end."""
    seat = state.to_move
    if can_drink(state, seat) and state.hp[seat] <= DRINK_AT:
        return a.DRINK
    if state.hp[seat] <= HEAL_AT:
        return a.HEAL
    power = USUAL_POWER + bonus(state, seat, items.ATTACK)
    return a.HEAL if state.hp[seat] <= FIT and risk(state, power) > BOLD else a.MOVE


@rule
def reroll(state: State) -> int:
    """Whatever another roll is expected to better: all but the top faces, and on the last roll only the lowest."""
    again = 0
    first_resource = state.attack_dice + state.movement_dice
    for die in range(first_resource + state.resource_dice):
        kind = 0 if die < state.attack_dice else 1 if die < first_resource else 2
        good_enough = TOP_FACES[kind] if state.rolls_left > 1 else TOP_FACES[kind] - 1
        if state.dice[die] < good_enough:
            again |= 1 << die
    return a.REROLL + again


@rule
def run(state: State, actions: list[int], count: int) -> int:
    """Drink, or go for the best prize in reach; with none, return to the base."""
    if actions[0] == a.DRINK and state.hp[state.to_move] <= DRINK_AT:
        return a.DRINK
    side = first_step(state, NEW_BLOCK if risk(state, state.power) <= BOLD else 0)
    if side != NO_SIDE:
        return int(a.STEP + side)
    if state.phase == a.MAZE:
        return a.BACK
    return enter_carefully(state, actions, count)


@rule
def enter_carefully(state: State, actions: list[int], count: int) -> int:
    """A runner must enter the maze: best by a travelled block without a monster, else by a new one."""
    best, best_care = a.BACK, -1
    for index in range(count):
        if actions[index] >= a.STEP:
            block = state.at + OFFSET[actions[index] - a.STEP]
            care = 0 if has_monster(state, block) else 2 if is_travelled(state, block) else 1
            if care > best_care:
                best, best_care = int(actions[index]), care
    return best


@rule
def keep_card(state: State) -> int:
    """Of two chance cards, the more welcome one."""
    first, second = state.offered[0], state.offered[1]
    return int(a.KEEP_CARD + (first if WELCOME[first] >= WELCOME[second] else second))


@rule
def rope_or_fight(state: State) -> int:
    """Fight where it kills the monster and not the runner, or where it does not hurt much."""
    monster = monster_on(state, state.at)
    hp = state.hp[state.to_move]
    damage = damage_by(state, state.monster_kind[monster])
    if damage < hp and (state.power == state.monster_health[monster] or damage < ROPE_AT):
        return a.FIGHT
    return a.USE_ROPE


@rule
def shop(state: State) -> int:
    """Buy the most wanted card that can be paid for, if need be after trading; then end the turn."""
    best, best_worth = a.END, 0
    for place in range(OPEN_CARDS):
        item = int(state.shop[place])
        worth = wanted(state, item) if item != NO_CARD else 0
        if worth > best_worth:
            action = towards(state, item, a.BUY + place)
            if action != a.END:
                best, best_worth = action, worth
    return best


@rule
def towards(state: State, item: int, buy: int) -> int:
    """Buy the item, or make the next trade towards its price, or END where all trades together would not do."""
    missing, trades = 0, 0
    needed, given = 0, 0
    for resource in range(RESOURCES):
        spare = state.resources[state.to_move * RESOURCES + resource] - unpack(items.PRICE[item], resource)
        if spare < 0:
            missing -= spare
            needed = resource
        elif spare >= TRADE_GIVES:
            trades += spare // TRADE_GIVES
            given = resource
    if missing == 0:
        return buy
    return int(a.TRADE + RESOURCES * given + needed) if trades >= missing else a.END
