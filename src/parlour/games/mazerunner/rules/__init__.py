"""The rules of mazerunner. Clause numbers are those of rulebook.md.

Here is the course of a turn; its parts are in the modules beside: dice, run, maze, monsters, scent, shop, cards,
runner, turn. What can be decided is in actions.
"""

from parlour.engine import below, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import (
    BACK,
    BUY,
    CHOOSE,
    COMPASS,
    DICE,
    DRINK,
    END,
    ENTRANCE,
    FIGHT,
    HEAL,
    MAZE,
    MIX,
    MIX_OF,
    MOVE,
    REROLL,
    SHOP,
    USE_ROPE,
)
from parlour.games.mazerunner.rules.cards import card_check
from parlour.games.mazerunner.rules.dice import (
    ONLY_MIX,
    OWN_DICE,
    dice_of,
    legal_mixes,
    legal_rerolls,
    pick_mix,
    roll_again,
)
from parlour.games.mazerunner.rules.maze import BASE, OPEN_TO_ALL, TRAVELLED
from parlour.games.mazerunner.rules.run import legal_cards, legal_steps, run_on
from parlour.games.mazerunner.rules.runner import MOST_HP, can_drink, drink, take_item
from parlour.games.mazerunner.rules.shop import OPEN_CARDS, buy, lay_open, legal_shopping, refill, trade
from parlour.games.mazerunner.rules.turn import finish_turn, out, return_to_base, score, won
from parlour.games.mazerunner.state.decks import CARDS, FIRST, ITEM_DECK
from parlour.games.mazerunner.state.decks.items import POTION

__all__ = ["apply", "card_check", "legal", "out", "score", "setup", "won"]


@rule
def setup(state, chance, journal=None):
    """Clauses 1 to 4: 50 hp each, full decks, three cards in the shop; chance decides who begins."""
    for seat in range(state.seats):
        state.hp[seat] = MOST_HP
    state.at = BASE
    state.came_from = BASE
    state.maze[BASE] = OPEN_TO_ALL | TRAVELLED
    for place in range(len(CARDS)):
        state.deck[place] = CARDS[place]
    for place in range(OPEN_CARDS):
        lay_open(state, place, chance, journal)
    state.phase = CHOOSE
    state.to_move = below(chance, state.seats)
    if journal is not None:
        journal.append(events.Begins(state.to_move))
    for place in range(1, state.seats):
        hand_potions(state, (state.to_move + place) % state.seats, place, journal)


@rule
def hand_potions(state, seat, potions, journal):
    """Clause 4: who has to wait for a first turn begins with potions from the item deck."""
    for _ in range(potions):
        state.deck[FIRST[ITEM_DECK] + POTION] -= 1
        take_item(state, seat, POTION)
    if journal is not None:
        journal.append(events.Waits(seat, potions))


@rule
def legal(state, actions):
    """Clause 6: what the seat to move may decide."""
    phase = state.phase
    if phase == MAZE or phase == ENTRANCE:
        return legal_steps(state, actions)
    if phase == DICE:
        return legal_rerolls(state, actions)
    if phase == SHOP:
        return legal_shopping(state, actions)
    if phase == CHOOSE:
        return legal_choices(state, actions)
    if phase == MIX:
        return legal_mixes(state, actions)
    if phase == COMPASS:
        return legal_cards(state, actions)
    actions[0] = FIGHT
    actions[1] = USE_ROPE
    return 2


@rule
def legal_choices(state, actions):
    """Clauses 6 and 36: heal or move; before that, drink a potion."""
    actions[0] = HEAL
    actions[1] = MOVE
    if can_drink(state, state.to_move):
        actions[2] = DRINK
        return 3
    return 2


@rule
def apply(state, action, chance, journal=None):
    """Clauses 6 and 34: one decision, and all that follows from it; cards that came back fill the shop."""
    phase = state.phase
    if action == DRINK:
        drink(state, state.to_move, journal)
    elif action == BACK:
        return_to_base(state, journal)
    elif phase == DICE:
        roll_again(state, action - REROLL, chance, journal)
    elif phase == SHOP:
        go_shopping(state, action - BUY, chance, journal)
    elif phase == CHOOSE:
        choose(state, action == HEAL, chance, journal)
    elif phase == MIX:
        pick_mix(state, action - MIX_OF, chance, journal)
    else:
        run_on(state, action + 0, chance, journal)
    if not state.over:
        refill(state, chance, journal)


@rule
def choose(state, healing, chance, journal):
    """Clauses 7 and 9: heal or move, then pick the dice; with four dice there is only one mix."""
    state.healing = 1 if healing else 0
    if journal is not None:
        journal.append(events.ChoseToHeal(state.to_move) if healing else events.ChoseToMove(state.to_move))
    if dice_of(state, state.to_move) > OWN_DICE:
        state.phase = MIX
    else:
        pick_mix(state, ONLY_MIX, chance, journal)


@rule
def go_shopping(state, choice, chance, journal):
    """Clauses 34 and 35: buy one of the open cards, trade, or end the turn."""
    if choice < OPEN_CARDS:
        buy(state, choice, chance, journal)
    elif choice < END - BUY:
        trade(state, choice - OPEN_CARDS, journal)
    else:
        finish_turn(state, journal)
