"""What things in the picture are: blocks, dice, powers, decks, the shop, and all that is on a runner's sheet."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.mazerunner.picture.maze import block_tale, monster_tale
from parlour.games.mazerunner.reasons import block_of
from parlour.games.mazerunner.rules.maze import BASE, is_travelled
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, MOST_HP
from parlour.games.mazerunner.seats import NAMES
from parlour.games.mazerunner.state import EDGE, ITEM_KINDS, MAX_DICE
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.names import amounts_on, block_name, said

DIE_WORDS = (
    "An attack die (0 0 1 1 1 2). Each point is one more ordinary die for your attack power.",
    "A movement die (1 1 2 2 3 3). Its points are your steps; when you heal, your hit points.",
    "A resource die (0 0 1 1 1 2). Each point is one more ordinary die for your resource roll.",
)
STATS = {
    "power": ("Attack power of this turn: a monster with less health is killed. Known once the dice are kept.", 12),
    "steps": ("Half steps that are left. A new block costs two, a travelled one costs one.", 15),
    "find": ("Resource roll of this turn: so much iron, herbs or gold is in every find.", 21),
}
PLACES = {
    "fog": ("Fog: nobody has been there yet. A map of it is made as the runners go.", 16),
    "map": ("All of the maze in small: what is known of it, and a frame around what is shown large.", 3),
    "turn": ("The turn: its dice, and what they gave.", 8),
    "tray": ("The tray for your dice: pick those that shall be rolled again.", 11),
    "rolls": ("How often dice may still be rolled again. Pick those that shall be, or keep them all.", 11),
    "round": ("The round. In a round everybody has one turn; after the last one, the match is over.", 42),
}
DECKS = (
    ("The item deck: what lies in the shop and is found in the maze.", 22),
    ("The monster deck: from the rat to the minotaur. The strongest hold map pieces.", 26),
    ("The chance deck: portals, map pieces, monsters, resources.", 23),
    ("The resource deck: what a chance card of resources gives.", 25),
)
CARDS = {
    "portal": "It takes you to another block, any of them, for nothing.",
    "map piece": "A piece of the map: it is yours.",
    "monster": "A monster, which you fight at once.",
    "resources": "Draw a resource card.",
}
COUNTERS = {
    "iron": ("Iron: pays for weapons and armour. Three of one resource trade for one of another.", 35),
    "herbs": ("Herbs: pay for potions and for what helps you on the way. Three trade for one of another.", 35),
    "gold": ("Gold: pays for dice and fine things. Three trade for one of another.", 35),
    "map": ("Map pieces. Whoever first has {all} has found the way out and wins.", 40),
    "potion": ("Potions: each gives 20 hit points, before you choose or on the run, and is used up.", 36),
    "rope": ("Ropes: each saves you once from a fight that you would not win unhurt.", 37),
    "hp": ("Hit points, {most} at most. Whoever has 0 is out.", 39),
    "sheet": ("All that this runner has: hit points, resources, map pieces, potions, ropes and lasting items.", 1),
    "items": ("Items that last: they work for the rest of the match.", 38),
}
LINES = {f"row-{row + 1}" for row in range(EDGE)} | {f"column-{chr(ord('A') + column)}" for column in range(EDGE)}


def explain(state: State, name: str) -> Explanation | None:
    if name in STATS or name in PLACES:
        return _told(*(STATS | PLACES)[name])
    if name == "foe":
        return _foe(state)
    thing, _, number = name.rpartition("-")
    if name in LINES:
        return _told("Blocks are named by column and row, such as {block}.", 3, block=block_name(BASE))
    if thing and number.isascii() and number.isdecimal() and len(number) < 3:
        found = NUMBERED.get(thing)
        return found(state, int(number)) if found else _counter(state, thing, int(number))
    block = block_of(name)
    return None if block is None else _block(state, block)


def _told(words: str, clause: int, **names: object) -> Explanation:
    return Explanation(said(words).format(**names), clause)


def _block(state: State, block: int) -> Explanation:
    if block == BASE:
        return _told("The base: here everyone heals, shops and is safe. On the run, you return to it for nothing.", 18)
    place = state.monster_at.index(block) if block in state.monster_at[: state.lurking] else -1
    tale = ""
    if place >= 0:
        tale = monster_tale(state.monster_kind[place], state.monster_health[place], state.monster_awake[place] > 0)
    words = f"{block_name(block)}: {block_tale(block, state.maze[block], tale)}."
    if place >= 0:
        return Explanation(f"{words} {said('Whoever comes here fights it: more attack power than health kills.')}", 26)
    if is_travelled(state, block):
        return Explanation(f"{words} {said('It costs one half step, and nothing new is met here.')}", 15)
    return Explanation(f"{words} {said('It costs two half steps; something is met here: see the encounter die.')}", 20)


def _die(state: State, number: int) -> Explanation | None:
    if number >= MAX_DICE:
        return None
    counts = (state.attack_dice, state.movement_dice, state.resource_dice)
    kinds = [kind for kind in range(3) for _ in range(counts[kind])]
    if number >= len(kinds):
        return _told("A place for your dice. You have four, and more with items.", 8)
    return _told(DIE_WORDS[kinds[number]], 10)


def _mix(state: State, number: int) -> Explanation:
    return _told("A mix of dice: red for the attack, blue for movement, gold for resources. Pick one.", 9)


def _card(state: State, number: int) -> Explanation | None:
    if number > 1:
        return None
    name = CHANCE_CARDS[state.offered[number]].name
    return Explanation(f"{said(name)}. {said(CARDS[name])}", 38)


def _foe(state: State) -> Explanation:
    return _told("The monster on your block: its health, and what a blow of it takes. Fight it, or use a rope.", 37)


def _deck(state: State, number: int) -> Explanation | None:
    return _told(*DECKS[number]) if number < len(DECKS) else None


def _shop(state: State, number: int) -> Explanation | None:
    if number >= len(state.shop):
        return None
    if state.shop[number] < 0:
        return _told("An empty place in the shop. It is filled as soon as there is a card.", 34)
    item = ITEMS[state.shop[number]]
    words = "{item}: {help}. It costs {price}."
    return _told(words, 38, item=said(item.name), help=said(item.help), price=amounts_on(item, said))


def _counter(state: State, thing: str, seat: int) -> Explanation | None:
    if thing not in COUNTERS or seat >= state.seats:
        return None
    words, clause = COUNTERS[thing]
    told = f"{said(NAMES[seat])}: {said(words).format(all=MAPS_TO_WIN, most=MOST_HP)}"
    held = _items(state, seat) if thing == "items" else ""
    return Explanation(f"{told} {held}".strip(), clause)


def _items(state: State, seat: int) -> str:
    """What each of the seat's lasting items does."""
    counts = state.items[seat * ITEM_KINDS : (seat + 1) * ITEM_KINDS]
    held = [item for item, count in zip(ITEMS, counts, strict=True) if count and item.name not in ("potion", "rope")]
    return "; ".join(f"{said(item.name)}: {said(item.help)}" for item in held)


NUMBERED: dict[str, Callable[[State, int], Explanation | None]] = {
    "die": _die,
    "mix": _mix,
    "card": _card,
    "deck": _deck,
    "shop": _shop,
}
