"""Actions in short, as people type them, and in words."""

from __future__ import annotations

from parlour.engine import State
from parlour.games.mazerunner.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.decks.items import ITEMS
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.rules.dice import dice_of
from parlour.games.mazerunner.rules.maze import OFFSET
from parlour.games.mazerunner.rules.run import cost
from parlour.games.mazerunner.words import RESOURCES, SIDES, amounts, block_name, join

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
        return "trade {} {}".format(*traded(action))
    return "reroll " + " ".join(rerolled(action))


def describe(state: State, action: int) -> str:
    if action in PLAIN:
        return PLAIN[action][1]
    if action < a.STEP:
        return "roll {} attack, {} movement and {} resource dice".format(*mix(state, action))
    if action < a.BACK:
        return step(state, action - a.STEP)
    if action < a.BUY:
        return f"keep this chance card: {CHANCE_CARDS[action - a.KEEP_CARD].name}"
    if action < a.TRADE:
        item = ITEMS[state.shop[action - a.BUY]]
        return f"buy {item.name} ({item.help}) for {amounts(item.iron, item.herbs, item.gold)}"
    if action < a.END:
        return "give 3 {} for 1 {}".format(*traded(action))
    dice = rerolled(action)
    return f"roll {'die' if len(dice) == 1 else 'dice'} {join(dice)} again, and keep the rest"


def mix(state: State, action: int) -> tuple[int, int, int]:
    """Attack, movement and resource dice."""
    attack, resource = 1 + (action - a.MIX_OF) % 2, 1 + (action - a.MIX_OF) // 2
    return attack, dice_of(state, state.to_move) - attack - resource, resource


def step(state: State, side: int) -> str:
    to = state.at + OFFSET[side]
    halves = cost(state, to)
    return f"go {SIDES[side]} to {block_name(to)} for {halves} half step{'s' if halves > 1 else ''}"


def traded(action: int) -> tuple[str, str]:
    given, taken = divmod(action - a.TRADE, len(RESOURCES))
    return RESOURCES[given], RESOURCES[taken]


def rerolled(action: int) -> list[str]:
    return [str(die + 1) for die in range(6) if (action - a.REROLL) >> die & 1]
