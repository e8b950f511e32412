"""The run through the maze: steps, what waits on a block nobody has travelled, and going on."""

from parlour.engine import below, rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import BACK, COMPASS, DRINK, FIGHT, KEEP_CARD, MAZE, STEP, USE_ROPE
from parlour.games.mazerunner.rules.cards import NO_CARD, discard, draw
from parlour.games.mazerunner.rules.maze import BASE, OFFSET, discover, has_monster, is_open, is_travelled
from parlour.games.mazerunner.rules.monsters import find_monster, follow, hear_step, meet, use_rope
from parlour.games.mazerunner.rules.runner import can_drink, gain, gain_all, gain_maps, has_item, take_item
from parlour.games.mazerunner.rules.turn import return_to_base
from parlour.games.mazerunner.state import BLOCKS, RESOURCES
from parlour.games.mazerunner.state.decks import CHANCE_DECK, ITEM_DECK, RESOURCE_DECK, items, resources
from parlour.games.mazerunner.state.decks.chance import MAP_PIECE, MONSTER_CARD, PORTAL

MONSTER, RESOURCE, ITEM, CHANCE, NOTHING = range(5)  # the faces of the encounter die
NOWHERE = -1


@rule
def legal_steps(state, actions):
    """Clauses 14, 15 and 18: every open side that can be paid for; once inside, also back to the base."""
    count = 0
    if can_drink(state, state.to_move):
        actions[0] = DRINK
        count = 1
    for side in range(4):
        if can_step(state, side):
            actions[count] = STEP + side
            count += 1
    if state.phase == MAZE:
        actions[count] = BACK
        count += 1
    return count


@rule
def can_step(state, side):
    """Clause 15: the side is open and the block beyond can be paid for."""
    return is_open(state, state.at, side) and cost(state, state.at + OFFSET[side]) <= state.half_steps


@rule
def cost(state, block):
    """Clause 15: a travelled block costs one half step, an untravelled one two; by a lit lantern, one."""
    return 1 if is_travelled(state, block) or state.lantern_lit else 2


@rule
def can_go_on(state):
    """Clause 19: there is a step that the runner can pay for."""
    return can_step(state, 0) or can_step(state, 1) or can_step(state, 2) or can_step(state, 3)


@rule
def run_on(state, action, chance, journal):
    """Clauses 14 to 33: do what was decided, meet whoever is there, let the monsters follow, and see how to go on."""
    rope_refused = action == FIGHT
    state.phase = MAZE
    if action == USE_ROPE:
        use_rope(state, journal)
    elif action != FIGHT:
        enter(state, leave_for(state, action, chance, journal), chance, journal)
    while state.phase == MAZE:
        if has_monster(state, state.at):
            meet(state, rope_refused, journal)
            rope_refused = False
        elif state.awake == 0 or not follow(state, journal):
            break
    if state.phase == MAZE and not can_go_on(state):
        if journal is not None:
            journal.append(events.NoStepLeft(state.to_move))
        return_to_base(state, journal)


@rule
def leave_for(state, action, chance, journal):
    """Clauses 15 and 38: the block that a step or a kept chance card leads to; NOWHERE if the card is no portal."""
    if action >= KEEP_CARD:
        state.offered[0] = 0
        state.offered[1] = 0
        return happen(state, action - KEEP_CARD, chance, journal)
    return pay_step(state, action - STEP, journal)


@rule
def pay_step(state, side, journal):
    """Clauses 15 and 31: pay for the block beyond; the awake monsters hear the step."""
    to = state.at + OFFSET[side]
    price = cost(state, to)
    state.half_steps -= price
    if not is_travelled(state, to):
        state.lantern_lit = 0
    if journal is not None:
        journal.append(events.Stepped(state.to_move, side, state.at, to, price))
    if state.awake:
        hear_step(state)
    return to


@rule
def enter(state, block, chance, journal):
    """Clauses 16, 20 and 24: discover the block, unless it is travelled; a portal leads on to another block."""
    while block != NOWHERE:
        state.came_from = state.at
        state.at = block
        if is_travelled(state, block):
            return
        discover(state, block, chance, journal)
        block = encounter(state, chance, journal)


@rule
def encounter(state, chance, journal):
    """Clauses 20 to 24: roll the encounter die. Returns where a portal leads, or NOWHERE."""
    face = below(chance, 5)
    if face == CHANCE:
        return draw_chance(state, chance, journal)
    if face == MONSTER:
        find_monster(state, chance, journal)
    elif face == RESOURCE:
        find_resources(state, chance, journal)
    elif face == ITEM:
        find_item(state, chance, journal)
    elif journal is not None:
        journal.append(events.FoundNothing(state.to_move, state.at))
    return NOWHERE


@rule
def find_resources(state, chance, journal):
    """Clause 21: as many as the resource roll, of a kind that chance decides."""
    resource = below(chance, RESOURCES)
    gain(state, state.to_move, resource, int(state.resource_roll))
    if journal is not None:
        journal.append(events.FoundResources(state.to_move, resource, state.resource_roll))


@rule
def find_item(state, chance, journal):
    """Clause 22: the next item card, for nothing."""
    seat = state.to_move
    item = draw(state, ITEM_DECK, chance, journal)
    if item == NO_CARD:
        return
    take_item(state, seat, item)
    if journal is not None:
        journal.append(events.FoundItem(seat, item))


@rule
def draw_chance(state, chance, journal):
    """Clauses 23 and 38: a chance card happens at once; with a compass, the runner draws two and keeps one."""
    first = draw(state, CHANCE_DECK, chance, journal)
    if not has_item(state, state.to_move, items.COMPASS):
        discard(state, CHANCE_DECK, first)
        return happen(state, first, chance, journal)
    second = draw(state, CHANCE_DECK, chance, journal)
    discard(state, CHANCE_DECK, first)
    discard(state, CHANCE_DECK, second)
    state.offered[0] = first
    state.offered[1] = second
    state.phase = COMPASS
    if journal is not None:
        journal.append(events.Offered(state.to_move, first, second))
    return NOWHERE


@rule
def legal_cards(state, actions):
    """Clause 38: either of the two cards; two of a kind are one choice."""
    first = min(state.offered[0], state.offered[1])
    second = max(state.offered[0], state.offered[1])
    actions[0] = KEEP_CARD + first
    actions[1] = KEEP_CARD + second
    return 1 if first == second else 2


@rule
def happen(state, card, chance, journal):
    """Clause 23: portal, map piece, monster or resources. Returns where a portal leads, or NOWHERE."""
    seat = state.to_move
    if journal is not None:
        journal.append(events.DrewChance(seat, card))
    if card == PORTAL:
        return portal(state, chance, journal)
    if card == MAP_PIECE:
        gain_maps(state, seat, 1, journal)
    elif card == MONSTER_CARD:
        find_monster(state, chance, journal)
    else:
        draw_resources(state, chance, journal)
    return NOWHERE


@rule
def portal(state, chance, journal):
    """Clause 24: any block but the base, all equally likely."""
    block = below(chance, BLOCKS - 1)
    if block >= BASE:
        block += 1
    if journal is not None:
        journal.append(events.Teleported(state.to_move, block))
    return block


@rule
def draw_resources(state, chance, journal):
    """Clause 25: what the resource card says."""
    card = draw(state, RESOURCE_DECK, chance, journal)
    discard(state, RESOURCE_DECK, card)
    gain_all(state, state.to_move, resources.FOUND[card])
    if journal is not None:
        journal.append(events.DrewResources(state.to_move, card))
