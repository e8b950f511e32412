"""What the network looks at: a runner at the start of a turn, as a row of small whole numbers."""

from __future__ import annotations

from typing import Any

from parlour.engine import State, rule
from parlour.games.mazerunner.rules.cards import NO_CARD, unpack
from parlour.games.mazerunner.rules.dice import MOST_EXTRA_DICE
from parlour.games.mazerunner.rules.maze import distance_to_base
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, bonus, has_item, is_alive
from parlour.games.mazerunner.rules.shop import OPEN_CARDS, TRADE_GIVES
from parlour.games.mazerunner.state import ITEM_KINDS, MAX_SEATS, RESOURCES
from parlour.games.mazerunner.state.decks import CHANCE_DECK, FIRST, KINDS, MONSTER_DECK, items, monsters
from parlour.games.mazerunner.state.decks.chance import MAP_PIECE

# Every name is the place of its first number.
MAPS = 0
MAPS_AT_LEAST = MAPS + 1  # 1 for each number of pieces from 1 to 9 that the runner has
HP = MAPS_AT_LEAST + MAPS_TO_WIN - 1  # hp, and at most 8, 16 and 30 of them
HELD = HP + 4  # iron, herbs and gold, at most 20
HELD_OF_FIVE = HELD + RESOURCES  # the same, at most 5
ITEMS = HELD_OF_FIVE + RESOURCES
EXTRA_DICE = ITEMS + ITEM_KINDS  # 1 for the first, 1 for the second
BONUSES = EXTRA_DICE + MOST_EXTRA_DICE  # attack, armour, half steps, healing, resources
LASTING = BONUSES + 5  # 1 for an hourglass, a lantern, a compass
POTIONS = LASTING + 3  # 1 for each potion, up to 4
WAIT = POTIONS + 4  # 1 for how many seats play before
TREASURE = WAIT + MAX_SEATS  # map pieces that lurk, by the health of their monsters and whether they are near
OTHERS_MAPS = TREASURE + 14  # 1 for each number of pieces from 4 to 9 that the best of the others has
OTHERS = OTHERS_MAPS + 6  # 1 for how many others are alive
ALL_THEIR_MAPS = OTHERS + 3
LEAD = ALL_THEIR_MAPS + 1  # map pieces before the best of the others
DECK_MAPS, CARD_MAPS, ROUND = LEAD + 1, LEAD + 2, LEAD + 3
DIE_OPEN = LEAD + 4  # 1 where the shop has a die of use; 1 if it can be paid for; and what is missing, at most 8
GOOD_OPEN = DIE_OPEN + 3  # 1 where it has a sword, mail or boots; 1 if one can be paid for
THEIR_HP, THEIR_DICE, THEIR_ATTACK = GOOD_OPEN + 2, GOOD_OPEN + 3, GOOD_OPEN + 4  # the most that one of them has
FEATURES = GOOD_OPEN + 5

HP_STEPS = (99, 8, 16, 30)
MOST_HELD, FEW_HELD, MOST_CARDS, MOST_MISSING, MOST_ROUNDS = 20, 5, 4, 8, 30
BONUS_KINDS = (items.ATTACK, items.ARMOUR, items.HALF_STEPS, items.HEALING, items.RESOURCES)
LASTING_ITEMS = (items.HOURGLASS, items.LANTERN, items.COMPASS)
HEALTH_STEPS = (5, 8, 11, 15, 20, 30)  # beyond the runner's own attack
NEAR = 9  # blocks from the base, and one more for each half step that items add
FIRST_OF_OTHERS_MAPS = 4
LAST_DIE = items.NAMES.index("gold die")  # the three dice come first
GOOD = (items.NAMES.index("sword"), items.NAMES.index("mail"), items.NAMES.index("boots"))


@rule
def see(state: State, seat: int, features: Any) -> None:
    """Fill the features of one runner."""
    for place in range(FEATURES):
        features[place] = 0
    see_own(state, seat, features)
    see_cards(state, seat, features)
    see_others(state, seat, features)
    see_treasure(state, seat, features)
    see_shop(state, seat, features)


@rule
def see_own(state: State, seat: int, features: Any) -> None:
    """Map pieces, hp, resources, and how long the runner has to wait."""
    features[MAPS] = state.maps[seat]
    for pieces in range(1, MAPS_TO_WIN):
        features[MAPS_AT_LEAST + pieces - 1] = 1 if state.maps[seat] >= pieces else 0
    for step in range(len(HP_STEPS)):
        features[HP + step] = min(state.hp[seat], HP_STEPS[step])
    for resource in range(RESOURCES):
        held = state.resources[seat * RESOURCES + resource]
        features[HELD + resource] = min(held, MOST_HELD)
        features[HELD_OF_FIVE + resource] = min(held, FEW_HELD)
    features[WAIT + (seat - state.to_move) % state.seats] = 1
    features[ROUND] = min(state.round, MOST_ROUNDS)


@rule
def see_cards(state: State, seat: int, features: Any) -> None:
    """The items, and what they add up to."""
    for item in range(ITEM_KINDS):
        features[ITEMS + item] = min(state.items[seat * ITEM_KINDS + item], MOST_CARDS)
    for die in range(MOST_EXTRA_DICE):
        features[EXTRA_DICE + die] = 1 if bonus(state, seat, items.DICE) > die else 0
    for kind in range(len(BONUS_KINDS)):
        features[BONUSES + kind] = bonus(state, seat, BONUS_KINDS[kind])
    for kind in range(len(LASTING_ITEMS)):
        features[LASTING + kind] = 1 if has_item(state, seat, LASTING_ITEMS[kind]) else 0
    for potion in range(MOST_CARDS):
        features[POTIONS + potion] = 1 if state.items[seat * ITEM_KINDS + items.POTION] > potion else 0


@rule
def see_others(state: State, seat: int, features: Any) -> None:
    """How far the others are."""
    best, living = 0, 0
    for other in range(state.seats):
        if other != seat and is_alive(state, other):
            living += 1
            best = max(best, state.maps[other])
            features[ALL_THEIR_MAPS] += state.maps[other]
            features[THEIR_HP] = max(features[THEIR_HP], state.hp[other])
            dice = min(bonus(state, other, items.DICE), MOST_EXTRA_DICE)
            features[THEIR_DICE] = max(features[THEIR_DICE], dice)
            features[THEIR_ATTACK] = max(features[THEIR_ATTACK], bonus(state, other, items.ATTACK))
    for pieces in range(FIRST_OF_OTHERS_MAPS, MAPS_TO_WIN):
        features[OTHERS_MAPS + pieces - FIRST_OF_OTHERS_MAPS] = 1 if best >= pieces else 0
    if living > 0:
        features[OTHERS + living - 1] = 1
    features[LEAD] = state.maps[seat] - best


@rule
def see_treasure(state: State, seat: int, features: Any) -> None:
    """The map pieces that monsters in the maze carry, and those that are still in the decks."""
    attack = bonus(state, seat, items.ATTACK)
    reach = NEAR + bonus(state, seat, items.HALF_STEPS)
    for monster in range(state.lurking):
        pieces = monsters.MAPS[state.monster_kind[monster]]
        if pieces:
            step = 0
            while step < len(HEALTH_STEPS) and state.monster_health[monster] - attack >= HEALTH_STEPS[step]:
                step += 1
            far = 1 if distance_to_base(state.monster_at[monster]) > reach else 0
            features[TREASURE + 2 * step + far] += pieces
    for kind in range(KINDS[MONSTER_DECK]):
        features[DECK_MAPS] += state.deck[FIRST[MONSTER_DECK] + kind] * monsters.MAPS[kind]
    features[CARD_MAPS] = state.deck[FIRST[CHANCE_DECK] + MAP_PIECE]


@rule
def see_shop(state: State, seat: int, features: Any) -> None:
    """What lies open, and whether the runner can pay for it."""
    least = MOST_MISSING
    for place in range(OPEN_CARDS):
        item = int(state.shop[place])
        if item == NO_CARD:
            continue
        missing = missing_for(state, seat, item)
        if item <= LAST_DIE and bonus(state, seat, items.DICE) < MOST_EXTRA_DICE:
            features[DIE_OPEN] = 1
            features[DIE_OPEN + 1] |= 1 if missing == 0 else 0
            least = min(least, missing)
        if item == GOOD[0] or item == GOOD[1] or item == GOOD[2]:
            features[GOOD_OPEN] = 1
            features[GOOD_OPEN + 1] |= 1 if missing == 0 else 0
    features[DIE_OPEN + 2] = least


@rule
def missing_for(state: State, seat: int, item: int) -> int:
    """How many resources the runner is short of for an item, after all trades."""
    missing, trades = 0, 0
    for resource in range(RESOURCES):
        spare = state.resources[seat * RESOURCES + resource] - unpack(items.PRICE[item], resource)
        if spare < 0:
            missing -= spare
        else:
            trades += spare // TRADE_GIVES
    return int(max(missing - trades, 0))
