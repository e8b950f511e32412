"""What a learner sees of mazerunner. Seats come with its own first, then clockwise; the maze is as it lies."""

from parlour.engine import Feature, rule, starts
from parlour.games.mazerunner.rules.actions import COMPASS, SHOP
from parlour.games.mazerunner.rules.cards import NO_CARD
from parlour.games.mazerunner.rules.maze import TRAVELLED
from parlour.games.mazerunner.rules.monsters import DUE
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, MOST_HP, MOST_OF_A_RESOURCE
from parlour.games.mazerunner.rules.shop import OPEN_CARDS
from parlour.games.mazerunner.state import BLOCKS, EDGE, ITEM_KINDS, MAX_DICE, MAX_SEATS, RESOURCES
from parlour.games.mazerunner.state.decks import CARDS, CHANCE_DECK, KINDS, MONSTER_DECK
from parlour.games.mazerunner.state.decks.monsters import HEALTH

PHASES = SHOP + 1
CHANCE_KINDS = KINDS[CHANCE_DECK]
MOST = 127  # what a byte holds; more is shown as this

FEATURES = (
    Feature("present", (MAX_SEATS,), "1 for each seat of the match"),
    Feature("to_move", (MAX_SEATS,), "1 for the seat to move"),
    Feature("hp", (MAX_SEATS,), "hit points; 0: out", high=MOST_HP),
    Feature("maps", (MAX_SEATS,), "map pieces", high=MAPS_TO_WIN + 1),
    Feature("resources", (MAX_SEATS, RESOURCES), "iron, herbs, gold", high=MOST_OF_A_RESOURCE),
    Feature("items", (MAX_SEATS, ITEM_KINDS), "cards of each kind that the seat holds", high=max(CARDS)),
    Feature("rounds_left", (), f"until the match ends; {MOST} where there are more", high=MOST),
    Feature(
        "phase", (PHASES,), "1 for what is to be decided: heal or run, mix, dice, entrance, step, card, rope, shop"
    ),
    Feature("healing", (), "1 where the seat to move has chosen to heal"),
    Feature("mix", (3,), "attack, movement and resource dice", high=4),
    Feature("dice", (MAX_DICE,), "the faces that lie: attack dice, then movement, then resource", high=3),
    Feature("rolls_left", (), "how often dice may still be rolled", high=4),
    Feature("power", (), "attack power of this turn", high=MOST),
    Feature("resource_roll", (), "of this turn", high=MOST),
    Feature("half_steps", (), "left to go", high=MOST),
    Feature("lantern_lit", (), "1 while the lantern's block of this turn is still to come"),
    Feature("offered", (2, CHANCE_KINDS), "with the compass: 1 for the kind of each of the two chance cards"),
    Feature("shop", (OPEN_CARDS, ITEM_KINDS), "1 for the kind of the item that lies there"),
    Feature("deck", (len(CARDS),), "cards of each kind in the four decks: items, monsters, chance, resources", high=99),
    Feature("discards", (len(CARDS),), "cards of each kind among their discards", high=99),
    Feature("at", (EDGE, EDGE), "1 for the block of the runner whose turn it is"),
    Feature("came_from", (EDGE, EDGE), "1 for the block that this runner was on before"),
    Feature("travelled", (EDGE, EDGE), "1 for a block that somebody has entered: all its sides are known"),
    Feature("open", (4, EDGE, EDGE), "1 where the block's side is known to be open: north, east, south, west"),
    Feature(
        "monster", (EDGE, EDGE), "the kind of the monster there, from 1 (a rat); 0: none", high=KINDS[MONSTER_DECK]
    ),
    Feature("monster_health", (EDGE, EDGE), "its health; 0: none", high=max(HEALTH)),
    Feature(
        "monster_awake", (EDGE, EDGE), "0: asleep or none; else 1 + the blocks the runner has moved since", high=DUE
    ),
)
# fmt: off
(
    PRESENT, TO_MOVE, HP, MAPS, RESOURCES_OF, ITEMS_OF, ROUNDS_LEFT, PHASE, HEALING, MIX, DICE, ROLLS_LEFT, POWER,
    RESOURCE_ROLL, HALF_STEPS, LANTERN_LIT, OFFERED, IN_SHOP, DECK, DISCARDS, AT, CAME_FROM, TRAVELLED_AT, OPEN_AT,
    MONSTER_AT, HEALTH_AT, AWAKE_AT, _,
) = starts(FEATURES)
# fmt: on


@rule
def observe(state, seat, features):
    """All of the position but the bonuses of items, which follow from the items."""
    for place in range(state.seats):
        observe_runner(state, (seat + place) % state.seats, place, features)
    features[ROUNDS_LEFT] = min(state.rounds - state.round, MOST)
    observe_turn(state, features)
    observe_cards(state, features)
    observe_maze(state, features)


@rule
def observe_runner(state, runner, place, features):
    """One of the seats, where the learner's own is at place 0."""
    features[PRESENT + place] = 1
    features[TO_MOVE + place] = state.to_move == runner
    features[HP + place] = state.hp[runner]
    features[MAPS + place] = state.maps[runner]
    for resource in range(RESOURCES):
        features[RESOURCES_OF + place * RESOURCES + resource] = state.resources[runner * RESOURCES + resource]
    for item in range(ITEM_KINDS):
        features[ITEMS_OF + place * ITEM_KINDS + item] = state.items[runner * ITEM_KINDS + item]


@rule
def observe_turn(state, features):
    """The turn under way."""
    features[PHASE + state.phase] = 1
    features[HEALING] = state.healing
    features[MIX] = state.attack_dice
    features[MIX + 1] = state.movement_dice
    features[MIX + 2] = state.resource_dice
    for die in range(MAX_DICE):
        features[DICE + die] = state.dice[die]
    features[ROLLS_LEFT] = state.rolls_left
    features[POWER] = state.power
    features[RESOURCE_ROLL] = state.resource_roll
    features[HALF_STEPS] = state.half_steps
    features[LANTERN_LIT] = state.lantern_lit
    features[AT + state.at] = 1
    features[CAME_FROM + state.came_from] = 1


@rule
def observe_cards(state, features):
    """What lies open, and what the decks still hold."""
    if state.phase == COMPASS:
        for card in range(2):
            features[OFFERED + card * CHANCE_KINDS + state.offered[card]] = 1
    for place in range(OPEN_CARDS):
        if state.shop[place] != NO_CARD:
            features[IN_SHOP + place * ITEM_KINDS + state.shop[place]] = 1
    for kind in range(len(CARDS)):
        features[DECK + kind] = state.deck[kind]
        features[DISCARDS + kind] = state.discards[kind]


@rule
def observe_maze(state, features):
    """The blocks, and the monsters on them."""
    for block in range(BLOCKS):
        known = state.maze[block]
        if known != 0:
            features[TRAVELLED_AT + block] = known & TRAVELLED != 0
            for side in range(4):
                features[OPEN_AT + side * BLOCKS + block] = known >> side & 1
    for monster in range(state.lurking):
        block = state.monster_at[monster]
        features[MONSTER_AT + block] = state.monster_kind[monster] + 1
        features[HEALTH_AT + block] = state.monster_health[monster]
        features[AWAKE_AT + block] = state.monster_awake[monster]
