"""How good a position is: every runner's points, and the chances that they give.

A hundred points double the odds. What a thing counts was found by a logistic fit to 180,000 positions of matches
between sensible runners (docs/strength.md): who won in the end, against what each had after 2, 4, 6, 8 and 10 rounds.
"""

from __future__ import annotations

from parlour.engine import State, rule
from parlour.engine.advice import CERTAIN
from parlour.games.mazerunner.rules.actions import SHOP
from parlour.games.mazerunner.rules.dice import MOST_EXTRA_DICE
from parlour.games.mazerunner.rules.runner import bonus, has_item, is_alive
from parlour.games.mazerunner.state import ITEM_KINDS
from parlour.games.mazerunner.state.decks import items

DOUBLE = 100  # points
MAP, MAPS_SQUARED = 30, 6  # the tenth piece counts far more than the first
HP, WEAK, WEAK_HP = 3, 5, 20  # each hp, and each one that is missing to 20
WAIT = 35  # for every seat that plays before
DIE, HOURGLASS, LANTERN, COMPASS = 95, 36, 23, 70
ATTACK, ARMOUR, HALF_STEP, RESOURCE = 30, 18, 19, 2
POTION, USEFUL_POTIONS = 34, 3


@rule
def evaluate(state: State, seat: int) -> int:
    """The seat's chance to win, of CERTAIN."""
    if not is_alive(state, seat):
        return 0
    own, total = 0, 0
    for other in range(state.seats):
        if is_alive(state, other):
            odds = odds_of(points(state, other))
            total += odds
            if other == seat:
                own = odds
    return CERTAIN * own // total


@rule
def odds_of(points: int) -> int:
    """A power of two, with straight lines between the whole ones."""
    return (DOUBLE + points % DOUBLE) << min(points // DOUBLE, 40)


@rule
def points(state: State, seat: int) -> int:
    """What the seat has, in points; at least 0."""
    maps, hp = int(state.maps[seat]), int(state.hp[seat])
    total = (MAP + MAPS_SQUARED * maps) * maps + HP * hp - WEAK * max(WEAK_HP - hp, 0)
    total += worth_of_items(state, seat) + WAIT * (state.seats - turns_before(state, seat))
    return int(max(total, 0))


@rule
def turns_before(state: State, seat: int) -> int:
    """How many seats play before this one does; all of them, once its run is over."""
    if seat == state.to_move and state.phase == SHOP:
        return int(state.seats)
    return int((seat - state.to_move) % state.seats)


@rule
def worth_of_items(state: State, seat: int) -> int:
    """The cards of the seat, in points."""
    total = DIE * min(bonus(state, seat, items.DICE), MOST_EXTRA_DICE)
    total += ATTACK * bonus(state, seat, items.ATTACK)
    total += ARMOUR * bonus(state, seat, items.ARMOUR)
    total += HALF_STEP * bonus(state, seat, items.HALF_STEPS)
    total += RESOURCE * bonus(state, seat, items.RESOURCES)
    total += POTION * min(int(state.items[seat * ITEM_KINDS + items.POTION]), USEFUL_POTIONS)
    if has_item(state, seat, items.HOURGLASS):
        total += HOURGLASS
    if has_item(state, seat, items.LANTERN):
        total += LANTERN
    if has_item(state, seat, items.COMPASS):
        total += COMPASS
    return int(total)
