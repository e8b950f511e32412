"""Monsters: fights, loot, retreat, and how the wounded ones follow."""

from parlour.engine import rule
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import MAZE, ROPE, SHOP
from parlour.games.mazerunner.rules.cards import NO_CARD, discard, draw
from parlour.games.mazerunner.rules.maze import BASE, MONSTER, has_monster
from parlour.games.mazerunner.rules.runner import bonus, gain_all, gain_maps, has_item, use_up
from parlour.games.mazerunner.rules.scent import next_block
from parlour.games.mazerunner.rules.turn import knock_out
from parlour.games.mazerunner.state.decks import MONSTER_DECK, items, monsters

ASLEEP, AWAKE = 0, 1
DUE = AWAKE + 2  # the runner has moved two blocks: the monster moves one


@rule
def find_monster(state, chance, journal):
    """Clause 26: a card from the monster deck is laid on the runner's block."""
    kind = draw(state, MONSTER_DECK, chance, journal)
    if kind == NO_CARD:
        return
    monster = state.lurking
    state.lurking += 1
    state.monster_at[monster] = state.at
    state.monster_kind[monster] = kind
    state.monster_health[monster] = monsters.HEALTH[kind]
    state.monster_awake[monster] = ASLEEP
    state.maze[state.at] |= MONSTER


@rule
def monster_on(state, block):
    """Clause 32: the place in the list of the only monster on that block."""
    monster = 0
    while state.monster_at[monster] != block:
        monster += 1
    return monster


@rule
def meet(state, rope_refused, journal):
    """Clauses 26 and 37: runner and monster are on one block: they fight, unless a rope is at hand and of use."""
    monster = monster_on(state, state.at)
    health = state.monster_health[monster]
    if journal is not None:
        if not rope_refused:
            journal.append(events.Met(state.to_move, state.monster_kind[monster], health, state.at, state.power))
    if state.power <= health and not rope_refused and has_item(state, state.to_move, items.ROPE):
        state.phase = ROPE
    else:
        fight(state, monster, health, journal)


@rule
def fight(state, monster, health, journal):
    """Clauses 27 to 29: attack power against health. Above kills, below hurts, equal does both."""
    kind = state.monster_kind[monster]
    if state.power >= health:
        kill(state, monster, journal)
    else:
        wound(state, monster, journal)
    if state.power <= health and not state.over:
        suffer(state, kind, journal)
        if state.power < health and state.phase == MAZE:
            retreat(state, journal)


@rule
def kill(state, monster, journal):
    """Clauses 27 and 29: the card goes to the discards, and its loot to the runner."""
    seat = state.to_move
    kind = int(state.monster_kind[monster])
    state.maze[state.monster_at[monster]] &= ~MONSTER
    discard(state, MONSTER_DECK, kind)
    remove(state, monster)
    gain_all(state, seat, monsters.LOOT[kind])
    if journal is not None:
        journal.append(events.Killed(seat, kind))
    if monsters.MAPS[kind]:
        gain_maps(state, seat, monsters.MAPS[kind], journal)


@rule
def remove(state, monster):
    """Clause 31: take it off the list; the others keep their order. The place behind the last one is always empty."""
    if state.monster_awake[monster] != ASLEEP:
        state.awake -= 1
    for place in range(monster, state.lurking):
        state.monster_at[place] = state.monster_at[place + 1]
        state.monster_kind[place] = state.monster_kind[place + 1]
        state.monster_health[place] = state.monster_health[place + 1]
        state.monster_awake[place] = state.monster_awake[place + 1]
    state.lurking -= 1


@rule
def wound(state, monster, journal):
    """Clauses 28, 31 and 38: a wounded monster follows from now on, unless the runner wears felt shoes."""
    state.monster_health[monster] -= state.power
    if state.monster_awake[monster] == ASLEEP and not has_item(state, state.to_move, items.FELT_SHOES):
        state.awake += 1
        state.monster_awake[monster] = AWAKE
    if journal is not None:
        kind, left = state.monster_kind[monster], state.monster_health[monster]
        journal.append(events.Wounded(state.to_move, kind, state.power, left))


@rule
def suffer(state, kind, journal):
    """Clauses 28, 29 and 38: the monster's damage, less the armour, but at least 1. At 0 hp the runner is out."""
    seat = state.to_move
    damage = max(monsters.DAMAGE[kind] - bonus(state, seat, items.ARMOUR), 1)
    state.hp[seat] = max(state.hp[seat] - damage, 0)
    if journal is not None:
        journal.append(events.Hurt(seat, kind, damage, state.hp[seat]))
    if state.hp[seat] == 0:
        knock_out(state, journal)


@rule
def retreat(state, journal):
    """Clause 30: back to the block the runner came from; if a monster is there, back to the base for good."""
    if has_monster(state, state.came_from):
        state.at = BASE
        state.phase = SHOP
    else:
        state.at = state.came_from
    if journal is not None:
        journal.append(events.DrivenBack(state.to_move, state.at))


@rule
def use_rope(state, journal):
    """Clause 37: instead of fighting, the runner retreats unhurt."""
    use_up(state, state.to_move, items.ROPE)
    if journal is not None:
        journal.append(events.UsedRope(state.to_move, state.monster_kind[monster_on(state, state.at)]))
    retreat(state, journal)


@rule
def hear_step(state):
    """Clause 31: every awake monster counts the blocks that the runner moves."""
    for monster in range(state.lurking):
        if state.monster_awake[monster] != ASLEEP:
            state.monster_awake[monster] += 1


@rule
def follow(state, journal):
    """Clauses 31 to 33: the first monster that is due moves one block; returns whether there was one."""
    for monster in range(state.lurking):
        if state.monster_awake[monster] == DUE:
            state.monster_awake[monster] = AWAKE
            creep(state, monster, journal)
            return True
    return False


@rule
def creep(state, monster, journal):
    """Clauses 31 to 33: one block along the shortest travelled way, unless another monster is in the way."""
    start = state.monster_at[monster]
    to = next_block(state, start, state.at)
    if to == start or has_monster(state, to):
        return
    state.maze[start] &= ~MONSTER
    state.maze[to] |= MONSTER
    state.monster_at[monster] = to
    if journal is not None:
        journal.append(events.Follows(state.to_move, state.monster_kind[monster], start, to))
