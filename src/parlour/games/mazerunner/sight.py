"""What a judge looks at in mazerunner: the runners, the turn, the shop, and the maze around the runner.

A learner sees the whole maze as it lies. A judge sees less of it, but from where the runner stands.
"""

from parlour.engine import Feature, Sight, rule, starts
from parlour.games.mazerunner.rules.actions import COMPASS, DICE, SHOP
from parlour.games.mazerunner.rules.cards import NO_CARD
from parlour.games.mazerunner.rules.maze import BASE, OFFSET, has_beyond, has_monster, is_open, is_travelled
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, MOST_HP
from parlour.games.mazerunner.rules.shop import OPEN_CARDS, can_buy
from parlour.games.mazerunner.state import EDGE, ITEM_KINDS, MAX_DICE, MAX_SEATS, RESOURCES
from parlour.games.mazerunner.state.decks import CARDS, CHANCE_DECK, FIRST, KINDS, MONSTER_DECK, monsters

PHASES = SHOP + 1
CHANCE_KINDS, MONSTER_KINDS = KINDS[CHANCE_DECK], KINDS[MONSTER_DECK]
MANY = 16  # up to here every number counts for itself
FAR = 63  # half steps, power; more is shown as this
MOST_ROUNDS = 63
REACH = 4  # blocks to each side that the runner sees
WIDTH = 2 * REACH + 1
AROUND = (WIDTH, WIDTH)
FACES = 4  # what a die can show: 0 to 3
WEAK, STRONG = 1, 2  # a monster that falls at one blow of this turn, one that does not
SHUT, NEW, KNOWN, GUARDED = range(4)  # what is behind a side of the runner's block

FEATURES = (
    Feature("present", (MAX_SEATS,), "1 for each seat of the match"),
    Feature("wait", (MAX_SEATS, MAX_SEATS), "1 for how many seats play before the seat does"),
    Feature("hp", (MAX_SEATS,), "hit points; 0: out", high=MOST_HP),
    Feature("frail", (MAX_SEATS,), "hit points, at most 16", high=MANY),
    Feature("maps", (MAX_SEATS,), "map pieces", high=MAPS_TO_WIN + 1),
    Feature("resources", (MAX_SEATS, RESOURCES), "iron, herbs, gold, at most 16 of each", high=MANY),
    Feature("items", (MAX_SEATS, ITEM_KINDS), "cards of each kind that the seat holds", high=max(CARDS)),
    Feature("rounds_left", (), f"until the match ends, at most {MOST_ROUNDS}", high=MOST_ROUNDS),
    Feature("phase", (PHASES,), "1 for what is to be decided"),
    Feature("healing", (), "1 where the seat to move has chosen to heal"),
    Feature("mix", (3,), "attack, movement and resource dice", high=4),
    Feature("faces", (3, FACES), "how many dice of each kind show 0, 1, 2 and 3", high=MAX_DICE),
    Feature("rolls_left", (), "how often dice may still be rolled", high=4),
    Feature("power", (), "attack power of this turn", high=FAR),
    Feature("resource_roll", (), "of this turn, at most 16", high=MANY),
    Feature("half_steps", (), "left to go", high=FAR),
    Feature("lantern_lit", (), "1 while the lantern's block of this turn is still to come"),
    Feature("offered", (CHANCE_KINDS,), "with the compass: how many of the two chance cards are of this kind", high=2),
    Feature("shop", (ITEM_KINDS,), "how many such items lie open", high=OPEN_CARDS),
    Feature("affordable", (ITEM_KINDS,), "1 for an item that the seat to move could buy now"),
    Feature("deck", (MONSTER_KINDS,), "monsters of each kind in the deck", high=max(monsters.CARDS)),
    Feature("lurking", (MONSTER_KINDS,), "monsters of each kind in the maze", high=max(monsters.CARDS)),
    Feature("sides", (4, 4), "1 for what is behind each side: a wall, a new block, a known one, a monster"),
    Feature("travelled", AROUND, "1 for a block around the runner that somebody has entered"),
    Feature("edge", AROUND, "1 for such a block with an open side to a new one"),
    Feature("monster", AROUND, "1 for a monster there that falls at one blow, 2 for another", high=STRONG),
    Feature("treasure", AROUND, "how many map pieces a monster there carries", high=2),
    Feature("away", (2,), "blocks from the base: across, up or down", high=EDGE // 2),
)
# fmt: off
(
    PRESENT, WAIT, HP, FRAIL, MAPS, RESOURCES_OF, ITEMS_OF, ROUNDS_LEFT, PHASE, HEALING, MIX, FACES_OF, ROLLS_LEFT,
    POWER, RESOURCE_ROLL, HALF_STEPS, LANTERN_LIT, OFFERED, IN_SHOP, AFFORDABLE, DECK, LURKING, SIDES, TRAVELLED_AT,
    EDGE_AT, MONSTER_AT, TREASURE_AT, AWAY, _,
) = starts(FEATURES)
# fmt: on


@rule
def observe(state, seat, features):
    """The runners and their cards, the turn under way, and the maze around the runner."""
    for place in range(state.seats):
        see_runner(state, (seat + place) % state.seats, place, features)
    features[ROUNDS_LEFT] = min(state.rounds - state.round, MOST_ROUNDS)
    see_turn(state, features)
    see_cards(state, features)
    see_sides(state, features)
    see_blocks(state, features)
    see_monsters(state, features)


@rule
def see_runner(state, runner, place, features):
    """One of the seats, where the judged one is at place 0."""
    features[PRESENT + place] = 1
    features[WAIT + place * MAX_SEATS + (runner - state.to_move + state.seats) % state.seats] = 1
    features[HP + place] = state.hp[runner]
    features[FRAIL + place] = min(state.hp[runner], MANY)
    features[MAPS + place] = state.maps[runner]
    for resource in range(RESOURCES):
        held = state.resources[runner * RESOURCES + resource]
        features[RESOURCES_OF + place * RESOURCES + resource] = min(held, MANY)
    for item in range(ITEM_KINDS):
        features[ITEMS_OF + place * ITEM_KINDS + item] = state.items[runner * ITEM_KINDS + item]


@rule
def see_turn(state, features):
    """The turn under way."""
    features[PHASE + state.phase] = 1
    features[HEALING] = state.healing
    features[MIX] = state.attack_dice
    features[MIX + 1] = state.movement_dice
    features[MIX + 2] = state.resource_dice
    if state.phase == DICE:
        first_resource = state.attack_dice + state.movement_dice
        for die in range(first_resource + state.resource_dice):
            kind = 0 if die < state.attack_dice else 1 if die < first_resource else 2
            features[FACES_OF + kind * FACES + state.dice[die]] += 1
    features[ROLLS_LEFT] = state.rolls_left
    features[POWER] = min(state.power, FAR)
    features[RESOURCE_ROLL] = min(state.resource_roll, MANY)
    features[HALF_STEPS] = min(state.half_steps, FAR)
    features[LANTERN_LIT] = state.lantern_lit


@rule
def see_cards(state, features):
    """What lies open, and which monsters are still to come."""
    if state.phase == COMPASS:
        for card in range(2):
            features[OFFERED + state.offered[card]] += 1
    for place in range(OPEN_CARDS):
        if state.shop[place] != NO_CARD:
            features[IN_SHOP + state.shop[place]] += 1
            if can_buy(state, place):
                features[AFFORDABLE + state.shop[place]] = 1
    for kind in range(MONSTER_KINDS):
        features[DECK + kind] = state.deck[FIRST[MONSTER_DECK] + kind]


@rule
def see_sides(state, features):
    """What is behind the four sides of the runner's block, and how far that is from the base."""
    for side in range(4):
        behind = SHUT
        if is_open(state, state.at, side) and has_beyond(state.at, side):
            beyond = state.at + OFFSET[side]
            behind = GUARDED if has_monster(state, beyond) else KNOWN if is_travelled(state, beyond) else NEW
        features[SIDES + side * 4 + behind] = 1
    features[AWAY] = abs(state.at % EDGE - BASE % EDGE)
    features[AWAY + 1] = abs(state.at // EDGE - BASE // EDGE)


@rule
def see_blocks(state, features):
    """The blocks around the runner."""
    row, column = state.at // EDGE, state.at % EDGE
    for down in range(max(row - REACH, 0), min(row + REACH + 1, EDGE)):
        for across in range(max(column - REACH, 0), min(column + REACH + 1, EDGE)):
            block = down * EDGE + across
            if is_travelled(state, block):
                seen = (down - row + REACH) * WIDTH + across - column + REACH
                features[TRAVELLED_AT + seen] = 1
                features[EDGE_AT + seen] = leads_on(state, block)


@rule
def leads_on(state, block):
    """Whether an open side of the block leads to one that nobody has entered."""
    for side in range(4):
        if is_open(state, block, side) and not is_travelled(state, block + OFFSET[side]):
            return 1
    return 0


@rule
def see_monsters(state, features):
    """All monsters by their kinds, and those around the runner where they are."""
    row, column = state.at // EDGE, state.at % EDGE
    for monster in range(state.lurking):
        kind = state.monster_kind[monster]
        features[LURKING + kind] += 1
        down = state.monster_at[monster] // EDGE - row + REACH
        across = state.monster_at[monster] % EDGE - column + REACH
        if 0 <= down < WIDTH and 0 <= across < WIDTH:
            seen = down * WIDTH + across
            features[MONSTER_AT + seen] = WEAK if state.power > state.monster_health[monster] else STRONG
            features[TREASURE_AT + seen] = monsters.MAPS[kind]


SIGHT = Sight(FEATURES, observe)
