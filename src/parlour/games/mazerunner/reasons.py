"""Why something cannot be done. Clause numbers are those of rulebook.md."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.rules.maze import BASE, OFFSET, is_open
from parlour.games.mazerunner.rules.run import cost
from parlour.games.mazerunner.rules.runner import MOST_HP
from parlour.games.mazerunner.state import BLOCKS, EDGE
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.names import RESOURCES, SIDES, amounts_on, block_name, said

BLOCK = re.compile(r"([a-y])(\d{1,2})")

# What each phase of the turn waits for, and the clause.
WAITS_FOR = {
    a.CHOOSE: ("First choose: heal in the base, or run through the maze.", 7),
    a.MIX: ("First pick the mix of your dice.", 9),
    a.DICE: ("First your dice: pick those to roll again and confirm, or keep them all.", 11),
    a.ENTRANCE: ("First choose one of the four entrances of the base.", 14),
    a.MAZE: ("You are on the run: step to a neighbouring block, or return to the base.", 18),
    a.COMPASS: ("First keep one of the two chance cards.", 38),
    a.ROPE: ("First decide: fight the monster, or use the rope.", 37),
    a.SHOP: ("You are in the shop: buy, trade three for one, or end your turn.", 34),
}


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    """Of a block, a card in the shop, a potion, a trade; and of anything at the wrong time."""
    names = [name.lower() for name in tried]
    first = names[0] if names else ""
    if state.phase in (a.MAZE, a.ENTRANCE) and (block := _block(state, first)) is not None:
        return _no_step(state, block)
    if state.phase == a.SHOP:
        return _no_shopping(state, names) or _wait(state)
    if first.startswith(("potion", "drink")) and state.phase in (a.CHOOSE, a.MAZE, a.ENTRANCE):
        return _no_drink(state)
    return _wait(state)


def _wait(state: State) -> Explanation:
    words, clause = WAITS_FOR[state.phase]
    return Explanation(said(words), clause)


def block_of(name: str) -> int | None:
    """The block of that name."""
    found = BLOCK.fullmatch(name.lower())
    if found is None or not 1 <= int(found[2]) <= EDGE:
        return None
    return (int(found[2]) - 1) * EDGE + ord(found[1]) - ord("a")


def _block(state: State, name: str) -> int | None:
    """The block that was picked, or that lies on the side that was typed."""
    if name in SIDES:
        block = state.at + OFFSET[SIDES.index(name)]
        return block if 0 <= block < BLOCKS else None
    return block_of(name)


def _no_step(state: State, block: int) -> Explanation:
    """Clauses 14, 15 and 18: what keeps the runner from that block."""
    name = block_name(block)
    sides = [side for side in range(4) if state.at + OFFSET[side] == block]
    if block == state.at and block != BASE:
        return Explanation(said("You are on {block} already.").format(block=name), 15)
    if block == BASE:
        return Explanation(said("You are in the base: choose one of its four entrances."), 14)
    if not sides:
        return Explanation(said("You go block by block, and {block} is no neighbour.").format(block=name), 15)
    if not is_open(state, state.at, sides[0]):
        return Explanation(said("There is a wall between you and {block}.").format(block=name), 15)
    words = "{block} costs {cost} half steps, and you have {left} left."
    return Explanation(said(words).format(block=name, cost=cost(state, block), left=state.half_steps), 15)


def _no_shopping(state: State, names: list[str]) -> Explanation | None:
    place = names[0].removeprefix("shop-") if names else ""
    if names[:1] == ["buy"] and len(names) > 1 and names[1].isdecimal():
        place = str(int(names[1]) - 1)
    if place in ("0", "1", "2"):
        return _no_purchase(state, int(place))
    given = next((place for place, name in enumerate(RESOURCES) for word in names[:2] if word.startswith(name)), None)
    if given is not None and state.resources[state.to_move * len(RESOURCES) + given] < 3:
        words = "A trade takes three of one resource, and you have {count}."
        count = state.resources[state.to_move * len(RESOURCES) + given]
        return Explanation(said(words).format(count=count), 35)
    return None


def _no_purchase(state: State, place: int) -> Explanation:
    if state.shop[place] < 0:
        return Explanation(said("That place of the shop is empty."), 34)
    item = ITEMS[state.shop[place]]
    words = "You cannot pay for it: {item} costs {price}."
    return Explanation(said(words).format(item=said(item.name), price=amounts_on(item, said)), 34)


def _no_drink(state: State) -> Explanation:
    if state.hp[state.to_move] == MOST_HP:
        return Explanation(said("You have all of your 50 hit points: a potion would be wasted."), 36)
    return Explanation(said("You have no potion."), 36)
