"""How a sensible runner plays, decision by decision, in a style of its own. It runs interpreted and compiled."""

from __future__ import annotations

from typing import Any

from parlour.engine import State, rule
from parlour.engine.chance import Draws
from parlour.games.mazerunner.bots.pathfinding import ROOM, first_step
from parlour.games.mazerunner.bots.style import THUMB, Style
from parlour.games.mazerunner.bots.values import MANY_MAPS, damage_by, risk, treasure, wanted
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.rules.cards import NO_CARD, unpack
from parlour.games.mazerunner.rules.dice import dice_of
from parlour.games.mazerunner.rules.maze import NO_SIDE, OFFSET, has_monster, is_travelled
from parlour.games.mazerunner.rules.monsters import monster_on
from parlour.games.mazerunner.rules.runner import bonus, can_drink, is_alive
from parlour.games.mazerunner.rules.shop import OPEN_CARDS, TRADE_GIVES
from parlour.games.mazerunner.state import ITEM_KINDS, MAX_DICE, RESOURCES
from parlour.games.mazerunner.state.decks import items
from parlour.games.mazerunner.state.decks.chance import MONSTER_CARD

TOP_FACES = (2, 3, 2)  # of an attack, a movement and a resource die
MOST_MOVEMENT = a.MIX_OF  # one attack die, one resource die, all others for movement
ATTACK_DIE, RESOURCE_DIE = 1, 2  # what a second such die adds to the mix


@rule
def policy(state: State, actions: list[int], count: int, chance: Draws) -> int:
    """The action of a sensible runner."""
    is_running = state.phase == a.MAZE or state.phase == a.ENTRANCE
    return decide(state, THUMB, actions, count, [0] * (ROOM if is_running and count > 1 else 0))


@rule
def decide(state: State, style: Style, actions: Any, count: int, room: Any) -> int:
    """The action of a runner with this style. ``room`` is for finding the way."""
    if count == 1:
        return int(actions[0])
    phase = state.phase
    if phase == a.MAZE or phase == a.ENTRANCE:
        return run(state, style, actions, count, room)
    if phase == a.DICE:
        return reroll(state)
    if phase == a.SHOP:
        return shop(state, style)
    if phase == a.CHOOSE:
        return heal_or_move(state, style)
    if phase == a.MIX:
        return pick_mix(state, style)
    if phase == a.COMPASS:
        return keep_card(state, style)
    return rope_or_fight(state, style)


@rule
def heal_or_move(state: State, style: Style) -> int:
    """Drink before you heal; heal when low, or when the monsters that are left in the deck could be the end."""
    seat = state.to_move
    hp = state.hp[seat]
    if can_drink(state, seat) and hp <= style.drink_at + style.drink_for_each * spare_potions(state):
        return a.DRINK
    low = style.heal_at + style.heal_for_each * state.maps[seat]
    if hp <= low + style.heal_for_each_of_others * max(best_of_others(state) - MANY_MAPS, 0):
        return a.HEAL
    power = style.usual_power + bonus(state, seat, items.ATTACK)
    return a.HEAL if hp <= style.fit and risk(state, power) > style.bold else a.MOVE


@rule
def spare_potions(state: State) -> int:
    """How many potions the runner has beyond the first."""
    return int(state.items[state.to_move * ITEM_KINDS + items.POTION] - 1)


@rule
def best_of_others(state: State) -> int:
    """How many map pieces the best of the other runners has."""
    best = 0
    for other in range(state.seats):
        if other != state.to_move and is_alive(state, other):
            best = max(best, state.maps[other])
    return int(best)


@rule
def pick_mix(state: State, style: Style) -> int:
    """Mostly movement dice; a second attack or resource die where it is worth more."""
    if state.healing:
        return MOST_MOVEMENT
    seat = state.to_move
    all_dice = dice_of(state, seat) == MAX_DICE
    steps = 0.5 * bonus(state, seat, items.HALF_STEPS)
    attack = bonus(state, seat, items.ATTACK)
    lurking, near = treasure(state, attack)
    for_attack = style.attack_die + style.attack_die_for_treasure * lurking + style.attack_die_for_near_treasure * near
    for_attack += style.attack_die_for_attack * attack + style.attack_die_for_steps * steps
    for_resources = style.resource_die + style.resource_die_for_maps * state.maps[seat]
    for_resources += style.resource_die_for_bonus * bonus(state, seat, items.RESOURCES)
    for_resources += style.resource_die_for_steps * steps
    if all_dice:
        mix = ATTACK_DIE if for_attack + style.attack_die_of_six > 0 else 0
        return MOST_MOVEMENT + mix + (RESOURCE_DIE if for_resources + style.resource_die_of_six > 0 else 0)
    if for_attack > 0 and for_attack >= for_resources:
        return MOST_MOVEMENT + ATTACK_DIE
    return MOST_MOVEMENT + (RESOURCE_DIE if for_resources > 0 else 0)


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
def run(state: State, style: Style, actions: Any, count: int, room: Any) -> int:
    """Drink, or go for the best prize in reach; with none, return to the base."""
    hp = state.hp[state.to_move]
    if actions[0] == a.DRINK and hp <= style.drink_in_maze_at + style.drink_for_each * spare_potions(state):
        return a.DRINK
    side = first_step(state, style, risk(state, state.power) <= style.bold_in_maze, room)
    if side != NO_SIDE:
        return int(a.STEP + side)
    if state.phase == a.MAZE:
        return a.BACK
    return enter_carefully(state, actions, count)


@rule
def enter_carefully(state: State, actions: Any, count: int) -> int:
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
def keep_card(state: State, style: Style) -> int:
    """Of two chance cards, the more welcome one."""
    first, second = state.offered[0], state.offered[1]
    is_first = welcome(state, style, first) >= welcome(state, style, second)
    return int(a.KEEP_CARD + (first if is_first else second))


@rule
def welcome(state: State, style: Style, card: int) -> float:
    """How welcome a chance card is."""
    of_kind = (style.portal, style.map_card, style.monster, style.resources)
    return of_kind[card] + (style.monster_for_each_power * state.power if card == MONSTER_CARD else 0.0)


@rule
def rope_or_fight(state: State, style: Style) -> int:
    """Fight where it kills the monster and not the runner, or where it does not hurt much."""
    monster = monster_on(state, state.at)
    damage = damage_by(state, state.monster_kind[monster])
    left = state.monster_health[monster] - state.power
    much = style.rope_at + (style.rope_before_kill if left < state.power else 0.0)
    if damage < state.hp[state.to_move] and (left == 0 or damage < much):
        return a.FIGHT
    return a.USE_ROPE


@rule
def shop(state: State, style: Style) -> int:
    """Buy the most wanted card that can be paid for, if need be after trading; then end the turn."""
    best, best_worth = a.END, style.least_wanted
    for place in range(OPEN_CARDS):
        item = int(state.shop[place])
        if item != NO_CARD:
            worth = wanted(state, style, item)
            if worth > best_worth:
                action, trades = towards(state, item, a.BUY + place)
                worth -= style.less_for_each_trade * trades
                if action != a.END and worth > best_worth:
                    best, best_worth = action, worth
    return best


@rule
def towards(state: State, item: int, buy: int) -> tuple[int, int]:
    """Buy the item, or make the next trade towards its price, or END where all trades together would not do.

    Also, how many trades it takes.
    """
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
        return buy, 0
    return (int(a.TRADE + RESOURCES * given + needed) if trades >= missing else a.END), int(missing)
