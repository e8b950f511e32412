"""The dice: which to roll, which to keep, and what they give."""

from parlour.engine import roll, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import DICE, ENTRANCE, MIX_OF, REROLL, SHOP
from parlour.games.mazerunner.rules.runner import bonus, has_item, heal
from parlour.games.mazerunner.state.decks import items

OWN_DICE = 4
MOST_EXTRA_DICE = 2
FEWEST_MOVEMENT_DICE = 2
ONLY_MIX = 0  # one attack die, two for movement, one resource die
ROLLS = 3
ATTACK_FACES = (0, 0, 1, 1, 1, 2)
MOVEMENT_FACES = (1, 1, 2, 2, 3, 3)
RESOURCE_FACES = (0, 0, 1, 1, 1, 2)


@rule
def dice_of(state, seat):
    """Clause 8: four dice of your own, and up to two more from items."""
    return OWN_DICE + min(bonus(state, seat, items.DICE), MOST_EXTRA_DICE)


@rule
def legal_mixes(state, actions):
    """Clause 9: one or two attack dice, one or two resource dice, and two to four movement dice."""
    dice = dice_of(state, state.to_move)
    count = 0
    for resource_dice in range(1, 3):
        for attack_dice in range(1, 3):
            if dice - attack_dice - resource_dice >= FEWEST_MOVEMENT_DICE:
                actions[count] = MIX_OF + attack_dice - 1 + 2 * (resource_dice - 1)
                count += 1
    return count


@rule
def pick_mix(state, mix, chance, journal):
    """Clauses 9 and 11: the mix is settled, and all dice are rolled for the first time."""
    seat = state.to_move
    dice = dice_of(state, seat)
    state.attack_dice = 1 + mix % 2
    state.resource_dice = 1 + mix // 2
    state.movement_dice = dice - state.attack_dice - state.resource_dice
    if journal is not None:
        journal.append(events.PickedDice(seat, state.attack_dice, state.movement_dice, state.resource_dice))
    state.rolls_left = ROLLS + (1 if has_item(state, seat, items.HOURGLASS) else 0)
    state.phase = DICE
    roll_dice(state, (1 << dice) - 1, chance, journal)


@rule
def legal_rerolls(state, actions):
    """Clause 11: any of the dice, or none, may be rolled again."""
    sets = 1 << (state.attack_dice + state.movement_dice + state.resource_dice)
    for rolled in range(sets):
        actions[rolled] = REROLL + rolled
    return sets


@rule
def roll_again(state, rolled, chance, journal):
    """Clause 11: the chosen dice are rolled again; to keep them all ends the dice step, and so does the last roll."""
    if rolled == 0:
        if journal is not None:
            journal.append(events.KeptDice(state.to_move))
    else:
        roll_dice(state, rolled, chance, journal)
    if rolled == 0 or state.rolls_left == 0:
        use_dice(state, chance, journal)


@rule
def roll_dice(state, rolled, chance, journal):
    """Clauses 10 and 11: roll these dice, one bit each; the others stay as they lie."""
    first_movement = state.attack_dice
    first_resource = first_movement + state.movement_dice
    dice = first_resource + state.resource_dice
    for die in range(dice):
        if rolled >> die & 1:
            side = roll(chance) - 1
            if die < first_movement:
                state.dice[die] = ATTACK_FACES[side]
            elif die < first_resource:
                state.dice[die] = MOVEMENT_FACES[side]
            else:
                state.dice[die] = RESOURCE_FACES[side]
    state.rolls_left -= 1
    if journal is not None:
        kinds = (state.attack_dice, state.movement_dice, state.resource_dice)
        journal.append(events.Rolled(state.to_move, *kinds, tuple(state.dice[:dice]), rolled))


@rule
def use_dice(state, chance, journal):
    """Clauses 12 to 14: heal by the movement faces, or learn how strong, how lucky and how far this run is."""
    attack, steps, resources = 0, 0, 0
    first_resource = state.attack_dice + state.movement_dice
    for die in range(first_resource + state.resource_dice):
        if die < state.attack_dice:
            attack += state.dice[die]
        elif die < first_resource:
            steps += state.dice[die]
        else:
            resources += state.dice[die]
    if state.healing:
        heal(state, state.to_move, steps + bonus(state, state.to_move, items.HEALING), journal)
        state.phase = SHOP
    else:
        make_ready(state, attack, steps, resources, chance, journal)


@rule
def make_ready(state, attack, steps, resources, chance, journal):
    """Clauses 12 and 14: attack power, resource roll and movement of this turn, with what items add."""
    seat = state.to_move
    attack_dice, resource_dice = None, None
    if journal is not None:
        attack_dice, resource_dice = [], []
    state.power = roll_sum(1 + attack, chance, attack_dice) + bonus(state, seat, items.ATTACK)
    state.resource_roll = roll_sum(1 + resources, chance, resource_dice) + bonus(state, seat, items.RESOURCES)
    state.half_steps = 2 * steps + bonus(state, seat, items.HALF_STEPS)
    state.lantern_lit = 1 if has_item(state, seat, items.LANTERN) else 0
    state.phase = ENTRANCE
    if journal is not None:
        journal.append(events.RolledAttack(seat, tuple(attack_dice)))
        journal.append(events.RolledResources(seat, tuple(resource_dice)))
        journal.append(events.Ready(seat, state.power, state.resource_roll, state.half_steps))


@rule
def roll_sum(dice, chance, told):
    """Clause 12: the sum of that many ordinary dice; each of them is told."""
    total = 0
    for _ in range(dice):
        rolled = roll(chance)
        total += rolled
        if told is not None:
            told.append(rolled)
    return total
