"""Actions in short, as people type them, and in words."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.games.mazerunner.reasons import why_not
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.rules.dice import dice_of
from parlour.games.mazerunner.rules.maze import OFFSET
from parlour.games.mazerunner.rules.run import cost
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, bonus
from parlour.games.mazerunner.rules.shop import OPEN_CARDS, TRADE_GIVES, can_buy
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ARMOUR, ITEMS, Item
from parlour.games.mazerunner.state.decks.monsters import MONSTERS, Monster
from parlour.games.mazerunner.state.names import RESOURCES, SIDES, amount, amounts_on, block_name, join, said

PLAIN = {
    a.HEAL: ("heal", "stay in the base and recover hp"),
    a.MOVE: ("move", "run through the maze"),
    a.DRINK: ("drink", "drink a potion: 20 hp"),
    a.BACK: ("back", "return to the base, and on to the shop"),
    a.FIGHT: ("fight", "fight the monster"),
    a.USE_ROPE: ("rope", "retreat unhurt by a rope"),
    a.END: ("end", "end the turn"),
    a.REROLL: ("keep", "keep all dice as they lie"),
}


FEW_HP = 15
PROMPTS = {
    a.CHOOSE: "run for map pieces (you have {maps} of {all}), or recover",
    a.MIX: "pick your dice: red ones fight, blue ones walk, gold ones find",
    a.DICE: "red dice fight, blue ones walk, gold ones find. Pick those to roll again ({rolls}), or keep all",
    a.ENTRANCE: "choose an entrance into the maze",
    a.MAZE: "half steps left: {halves}. A new block costs two, a known one costs one",
    a.COMPASS: "keep one of these chance cards",
    a.ROPE: "the {monster} has {health} health, your attack is {power}. A lost fight costs {damage} hp",
    a.SHOP: "buy a card, or trade three for one: pick what you give",
}
SHOP_PROMPTS = {  # whether a card can be paid for, and whether there is something to trade
    (True, True): PROMPTS[a.SHOP],
    (True, False): "buy a card",
    (False, True): "trade three for one: pick what you give",
    (False, False): "nothing here can be paid for: end your turn",
}


def write(state: State, action: int) -> str:
    if action in PLAIN:
        return PLAIN[action][0]
    if action < a.STEP:
        return "mix {}-{}-{}".format(*mix(state, action))
    if action < a.BACK:
        return SIDES[action - a.STEP]
    if action < a.BUY:
        return f"take {CHANCE_CARDS[action - a.KEEP_CARD].name}"
    if action < a.TRADE:
        return f"buy {action - a.BUY + 1}"
    if action < a.END:
        return "trade {} {}".format(*(RESOURCES[resource] for resource in traded(action)))
    return "reroll " + " ".join(rerolled(action))


def describe(state: State, action: int) -> str:
    if action == a.FIGHT:
        return f"{said(PLAIN[action][1])} ({risk(state, state.at)})"
    if action in PLAIN:
        return said(PLAIN[action][1])
    if action < a.STEP:
        return said("roll {} attack, {} movement and {} resource dice").format(*mix(state, action))
    if action < a.BACK:
        return step(state, action - a.STEP)
    if action < a.BUY:
        card = CHANCE_CARDS[action - a.KEEP_CARD]
        return said("keep this chance card: {card} ({help})").format(card=said(card.name), help=said(card.help))
    if action < a.TRADE:
        kind = state.shop[action - a.BUY]
        return purchase(ITEMS[kind], action - a.BUY + 1 if list(state.shop).count(kind) > 1 else 0)
    if action < a.END:
        given, taken = traded(action)
        return said("give {} for {}").format(amount(given, 3, said), amount(taken, 1, said))
    dice = rerolled(action)
    one, more = "roll die {dice} again, and keep the rest", "roll dice {dice} again, and keep the rest"
    return said(one if len(dice) == 1 else more).format(dice=join(dice, said))


def mix(state: State, action: int) -> tuple[int, int, int]:
    """Attack, movement and resource dice."""
    attack, resource = 1 + (action - a.MIX_OF) % 2, 1 + (action - a.MIX_OF) // 2
    return attack, dice_of(state, state.to_move) - attack - resource, resource


def step(state: State, side: int) -> str:
    to = state.at + OFFSET[side]
    halves = cost(state, to)
    text = "go {side} to {block} for 1 half step" if halves == 1 else "go {side} to {block} for {halves} half steps"
    told = said(text).format(side=said(SIDES[side]), block=block_name(to), halves=halves)
    danger = risk(state, to)
    return f"{told} ({danger})" if danger else told


def risk(state: State, block: int) -> str:
    """What a fight on a block would bring: ``rat: you win``; ``troll: you lose 10 hp``. Nothing where no monster is."""
    if block not in state.monster_at[: state.lurking]:
        return ""
    place = state.monster_at.index(block)
    monster = MONSTERS[state.monster_kind[place]]
    if state.power > state.monster_health[place]:
        return said("{monster}: you win").format(monster=said(monster.name))
    return said("{monster}: you lose {damage} hp").format(monster=said(monster.name), damage=blow(state, monster))


def blow(state: State, monster: Monster) -> int:
    """The hp that a lost fight costs whoever is to move."""
    return max(1, monster.damage - int(bonus(state, state.to_move, ARMOUR)))


def purchase(item: Item, number: int = 0) -> str:
    """``number`` says which card is meant, where two of a kind lie in the shop: from the left, the first is 1."""
    words = "buy card {number}, {item} ({help}), for {price}" if number else "buy {item} ({help}) for {price}"
    price = amounts_on(item, said)
    return said(words).format(number=number, item=said(item.name), help=said(item.help), price=price)


def traded(action: int) -> tuple[int, int]:
    """The resource given, and the one taken."""
    return divmod(action - a.TRADE, len(RESOURCES))


def rerolled(action: int) -> list[str]:
    return [str(die + 1) for die in range(6) if (action - a.REROLL) >> die & 1]


def prompt(state: State) -> str:
    """What is to be decided, and what it takes to decide it."""
    told = said(PROMPTS[state.phase])
    if state.phase == a.CHOOSE:
        return told.format(maps=state.maps[state.to_move], all=MAPS_TO_WIN)
    if state.phase == a.DICE:
        rolls = said("1 roll left" if state.rolls_left == 1 else "{count} rolls left")
        return told.format(rolls=rolls.format(count=state.rolls_left))
    if state.phase == a.MAZE:
        return told.format(halves=state.half_steps)
    if state.phase == a.ROPE:
        place = state.monster_at.index(state.at)
        monster, health = MONSTERS[state.monster_kind[place]], state.monster_health[place]
        damage = blow(state, monster)
        return told.format(monster=said(monster.name), health=health, power=state.power, damage=damage)
    if state.phase == a.SHOP:
        return said(SHOP_PROMPTS[_can_buy_any(state), _can_trade(state)])
    return told


def _can_buy_any(state: State) -> bool:
    return any(can_buy(state, place) for place in range(OPEN_CARDS))


def _can_trade(state: State) -> bool:
    first = state.to_move * len(RESOURCES)
    return any(held >= TRADE_GIVES for held in state.resources[first : first + len(RESOURCES)])


def usual(state: State) -> int | None:
    """Run, unless hp are few; and get away from what is stronger."""
    if state.phase == a.CHOOSE:
        return a.HEAL if state.hp[state.to_move] <= FEW_HP else a.MOVE
    return a.USE_ROPE if state.phase == a.ROPE else None


def listed(state: State, action: int) -> bool:
    """All but the many ways to roll dice again."""
    return action <= a.REROLL


def depends_on(state: State, action: int) -> tuple[int, ...] | None:
    """To roll dice again is told the same in every position; there are up to 63 ways to do it."""
    return () if action > a.REROLL else None


NOTATION = Notation(
    write=write,
    describe=describe,
    prompt=prompt,
    usual=usual,
    listed=listed,
    depends_on=depends_on,
    why_not=why_not,
)
